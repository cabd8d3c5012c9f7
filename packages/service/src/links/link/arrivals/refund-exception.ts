import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { plus } from '../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { nonceOf } from '../../../chain/client/chain.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { findMadeTransfer } from '../../../chain/transfers/reads/made-transfer.ts'
import { treasuryKey } from '../../../money/ledger/account-keys.ts'
import { readAvailable } from '../../../money/ledger/balance.ts'
import { checkTokenPolicy, readPayee } from '../../../money/treasury/withdrawals/payee.ts'
import { capsOf, checkCaps, lockRoom } from '../../../money/treasury/withdrawals/safety/caps.ts'
import type { NewWithdrawal, Withdrawal } from '../../../money/treasury/withdrawals/store.ts'
import {
  beginWithdrawal,
  checkCovered,
  signWithdrawal,
} from '../../../money/treasury/withdrawals/withdraw.ts'
import { isLinkAddress } from '../store-addresses.ts'
import { checkOpen, isMine, lockOpen, moveFee, refundBy } from './exceptions.ts'
import { findException, type ShownException } from './store-exceptions.ts'

type Mine = { id: string; walletAddress: string; cardIds: readonly string[] | null }
export type SignedRefund = { exception: ShownException; signed: NewWithdrawal }

/**
 * Signs the refund of an exception: a withdrawal that pays its payer all that came in. The seller pays the withdrawal's
 * fee, so that a refund is never a way to have gas spent for nothing. Throws if it cannot be made; then nothing has moved.
 */
export async function signRefund(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  mine: Mine,
): Promise<SignedRefund> {
  const { db, settings } = services
  const exception = await findException(db.reader, mine.id)
  if (!exception || !isMine(exception, mine)) throw notFound('exception')
  checkOpen(exception)
  const rail = railOf(services.chain, exception.asset)
  const { asset } = rail
  const { fee } = settings.withdrawal
  const { walletAddress } = exception
  const toAddress = await readPayee(db.reader, services.chain, {
    text: exception.payer,
    isReceiving: isLinkAddress,
  })
  const ask = { walletAddress, amount: plus(exception.amount, fee), fee, toAddress }
  const available = await readAvailable(db.reader, treasuryKey(asset, walletAddress))
  checkCovered(plus(available, exception.fee), ask, asset)
  await checkTokenPolicy(rail, toAddress)
  const nonce = nonceFor(exception)
  const intent = { digest: null, nonce, made: await findMadeTransfer(rail, nonce) }
  const caps = capsOf(settings, rail)
  if (!intent.made) await checkCaps(db.reader, asset, { ...ask, ...caps })
  return { exception, signed: await signWithdrawal(rail, at, ask, { caps, intent }) }
}

/**
 * The refund's one transaction: the exception is resolved, its fee is back on the seller's balance, and the withdrawal
 * begins. Of a refund and a keep at once the first wins. Throws for the other.
 */
export async function beginRefund(
  tx: Tx,
  at: Date,
  { services, mine, refund }: { services: Uses<'chain'>; mine: Mine; refund: SignedRefund },
): Promise<{ exception: ShownException; withdrawal: Withdrawal }> {
  const exception = await lockOpen(tx, mine)
  const rail = railOf(services.chain, exception.asset)
  const { asset } = rail
  const { id: withdrawalId } = refund.signed
  // A refund that failed meanwhile has used this nonce up.
  if (exception.refunds !== refund.exception.refunds)
    throw new Problem('invalid_state', 'The exception has changed meanwhile. Ask again.')
  // Before the accounts, as any other withdrawal does.
  await lockRoom(tx, asset, refund.signed)
  await moveFee(tx, at, { exception, ref: withdrawalId, asset, to: 'seller' })
  const { withdrawal } = await beginWithdrawal(tx, at, rail, refund.signed)
  const refunded = await refundBy(tx, at, { exception, withdrawalId, asset })
  return { exception: refunded, withdrawal }
}

/**
 * The token takes a nonce once. This one is made from the transfer that came in, so that the same money is never sent
 * back twice, not even by a database that was restored from a backup.
 */
const nonceFor = ({ network, txHash, logIndex, id, refunds }: ShownException): Hex =>
  nonceOf('exception refund', [network, txHash, logIndex ?? id, refunds].join(':'))
