import { Type } from 'typebox'
import { type Caller, mayUseCard } from '../../../api/http/caller.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { notFound } from '../../../base/kernel/problem.ts'
import {
  findTransaction,
  type ShownTransaction,
  transactionsByHash,
  transactionsOf,
} from '../../../money/cards/transactions.ts'
import { noPayment } from '../../../money/settlements/archived.ts'

const HASH = /^0x[0-9a-f]{64}$/

/** A name that an answer gave a payment. */
export const PaymentName = Type.String({
  title: 'transaction_id',
  maxLength: 66,
  description:
    "A payment's `transaction_id`, its `settlement_id`, or the hash of its transaction on chain",
})

/** The hash, if a payment is named by it. */
export function hashIn(name: string): string | undefined {
  const hash = name.toLowerCase()
  return HASH.test(hash) ? hash : undefined
}

export const isOf = (caller: Caller, { walletAddress, cardId }: ShownTransaction): boolean =>
  walletAddress === caller.walletAddress && mayUseCard(caller, cardId)

/**
 * The caller's transactions of the payment of this name, the newest first; both sides if the caller paid itself. The
 * payments of other wallets, and of cards outside the key's scope, do not exist.
 */
export async function findOwn(
  on: Reader,
  caller: Caller,
  name: string,
): Promise<ShownTransaction[]> {
  const hash = hashIn(name)
  const found = hash
    ? await transactionsByHash(on, hash)
    : name.startsWith('txn_')
      ? [await findTransaction(on, name)]
      : await transactionsOf(on, name)
  return found.filter((side) => side !== undefined).filter((side) => isOf(caller, side))
}

/** The caller's side of the payment of this name. */
export const findOwnTransaction = async (
  on: Reader,
  caller: Caller,
  name: string,
): Promise<ShownTransaction | undefined> => (await findOwn(on, caller, name))[0]

/** The id of the transaction by which the caller received the payment of this name. A transaction's own id stays. */
export async function receivedId(on: Reader, caller: Caller, name: string): Promise<string> {
  if (name.startsWith('txn_')) return name
  const own = await findOwn(on, caller, name)
  const received = own.find(({ direction }) => direction === 'received')
  if (!received) throw own.length > 0 ? notFound('payment') : await noPayment(on, name)
  return received.id
}
