import { record } from '../../../../api/events/record.ts'
import { payoutAddressAdded, payoutAddressRemoved } from '../../../../api/events/types/treasury.ts'
import type { Reader, Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import { addSeconds } from '../../../../base/kernel/clock.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import { notFound, Problem } from '../../../../base/kernel/problem.ts'
import {
  countAddresses,
  findAddress,
  holdAddress,
  insertAddress,
  lockAddresses,
  type PayoutAddress,
  readPayoutTime,
  removeAddress,
} from './store-addresses.ts'

const ADDRESSES_MAX = 100

/** When withdrawals may go to the address; null where they may go to any. */
export const usableAt = ({ addedAt }: PayoutAddress, delay: number | null): Date =>
  addSeconds(addedAt, delay ?? 0)

type Paid = { walletAddress: string; toAddress: Address; addressDelay: number | null }

/**
 * Refuses a withdrawal to an address that is neither the wallet's own nor one that it added `addressDelay` seconds ago.
 * Without a delay any address will do. A first look: `holdPayee` decides.
 */
export async function checkPayee(on: Reader, paid: Paid): Promise<void> {
  if (isFree(paid)) return
  const { walletAddress, toAddress: address } = paid
  await judge(on, paid, await findAddress(on, { walletAddress, address }))
}

/** As `checkPayee`, and keeps the address from being removed until the withdrawal is written. */
export async function holdPayee(tx: Tx, paid: Paid): Promise<void> {
  if (isFree(paid)) return
  const { walletAddress, toAddress: address } = paid
  await judge(tx, paid, await holdAddress(tx, { walletAddress, address }))
}

const isFree = ({ walletAddress, toAddress, addressDelay }: Paid): boolean =>
  addressDelay === null || toAddress === walletAddress

async function judge(on: Reader, paid: Paid, found: PayoutAddress | undefined): Promise<void> {
  const { toAddress, addressDelay } = paid
  const opensAt = found && usableAt(found, addressDelay)
  if (opensAt && opensAt <= (await readPayoutTime(on))) return
  throw new Problem(
    'payout_address_not_allowed',
    opensAt
      ? `Withdrawals may go to ${toAddress} from ${opensAt.toISOString()} on. Nothing was moved.`
      : `Withdrawals go to your own wallet and to addresses that you have added. Add ${toAddress} by POST /api/withdrawals/addresses first. Nothing was moved.`,
    {
      param: 'to_address',
      extra: { usable_at: opensAt?.toISOString() ?? null },
      isPassing: true,
    },
  )
}

type Mine = { walletAddress: string; delay: number | null }

/** Adds an address. One that is in force stays as it is, with its time. */
export async function addAddress(
  tx: Tx,
  at: Date,
  { walletAddress, address, delay }: Mine & { address: Address },
): Promise<PayoutAddress> {
  await lockAddresses(tx, walletAddress)
  const known = await findAddress(tx, { walletAddress, address })
  if (known) return known
  if ((await countAddresses(tx, walletAddress)) >= ADDRESSES_MAX)
    throw new Problem(
      'limit_reached',
      `A wallet has ${ADDRESSES_MAX} addresses at most, those of the last day included that it removed. Remove one, or add it tomorrow.`,
    )
  const added = await insertAddress(tx, { id: newId('pad', at), walletAddress, address })
  assert(added, 'the address was added')
  await record(tx, at, [eventOf(payoutAddressAdded, added, delay)])
  return added
}

/** Removes an address. Throws `not_found` if it is not in force. */
export async function dropAddress(
  tx: Tx,
  at: Date,
  { id, walletAddress, delay }: Mine & { id: string },
): Promise<void> {
  const removed = await removeAddress(tx, { id, walletAddress })
  if (!removed) throw notFound('address')
  await record(tx, at, [eventOf(payoutAddressRemoved, removed, delay)])
}

const eventOf = (
  kind: Pick<typeof payoutAddressAdded, 'of'>,
  row: PayoutAddress,
  delay: number | null,
) =>
  kind.of({
    walletAddress: row.walletAddress,
    data: {
      address_id: row.id,
      address: row.address,
      usable_at: usableAt(row, delay).toISOString(),
    },
  })
