import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import type { PayLink } from '../store.ts'

export const EXCEPTION_STATUSES = ['OPEN', 'KEPT', 'REFUNDED'] as const
export type ExceptionStatus = (typeof EXCEPTION_STATUSES)[number]

/** Money that came to a link's address and does not settle it. */
export type PaymentException = {
  id: Id<'exc'>
  payLinkId: string
  walletAddress: string
  reason: 'late' | 'short' | 'over' | 'cancelled' | 'completed'
  amount: Amount
  /** The house's part of `amount`. The seller's balance was credited with the rest. */
  fee: Amount
  payer: string
  txHash: string
  /** Null for exceptions of earlier versions. */
  logIndex: number | null
  status: ExceptionStatus
  /** The withdrawal that sends it back. */
  withdrawalId: string | null
  /** direct: the money went to the seller's own wallet, so it is kept from the start. */
  settlementMode: 'CUSTODIAL' | 'DIRECT'
  /** How many withdrawals have been begun for it; all but the last have failed. */
  refunds: number
  createdAt: Date
  resolvedAt: Date | null
}
/** An exception with the code and the card of its link. */
export type ShownException = PaymentException & {
  code: string
  cardId: string
  network: string
  asset: string
  token: PayLink['token']
  tokenDecimals: number | null
}

const COLUMNS =
  sql.raw(`e.id, e.pay_link_id, e.wallet_address, e.reason, e.amount, e.fee, e.payer, e.tx_hash, e.log_index,
  e.status, e.withdrawal_id, e.settlement_mode, e.refunds, e.created_at, e.resolved_at, l.code, l.card_id, l.network, l.asset,
  l.token, l.token_decimals`)
const FROM = sql.raw('payment_exceptions e join pay_links l on l.id = e.pay_link_id')
/** Exceptions as `e` and their links as `l`, for another room's statement. */
export const EXCEPTIONS = FROM

export async function insertException(tx: Tx, row: PaymentException): Promise<void> {
  await sql`insert into payment_exceptions (id, pay_link_id, wallet_address, reason, amount, fee, payer, tx_hash,
      log_index, status, settlement_mode, created_at, resolved_at)
    values (${row.id}, ${row.payLinkId}, ${row.walletAddress}, ${row.reason}, ${row.amount}, ${row.fee}, ${row.payer},
      ${row.txHash}, ${row.logIndex}, ${row.status}, ${row.settlementMode}, ${row.createdAt}, ${row.resolvedAt})`.execute(
    tx,
  )
}

export const findException = (on: Reader, id: string): Promise<ShownException | undefined> =>
  one<ShownException>(on, sql`select ${COLUMNS} from ${FROM} where e.id = ${id}`)

/** The exception, locked until the transaction ends: of two that would resolve it, the second sees the first's end. */
export const lockException = (tx: Tx, id: string): Promise<ShownException | undefined> =>
  one<ShownException>(tx, sql`select ${COLUMNS} from ${FROM} where e.id = ${id} for update of e`)

/** The exception that this withdrawal sends back, locked. */
export const lockExceptionOf = (
  tx: Tx,
  withdrawalId: string,
): Promise<ShownException | undefined> =>
  one<ShownException>(
    tx,
    sql`select ${COLUMNS} from ${FROM} where e.withdrawal_id = ${withdrawalId} for update of e`,
  )

/** The exceptions that this transaction made for the link. */
export const findExceptionsIn = (
  on: Reader,
  of: { payLinkId: string; txHash: string },
): Promise<ShownException[]> =>
  all<ShownException>(
    on,
    sql`select ${COLUMNS} from ${FROM} where e.pay_link_id = ${of.payLinkId} and e.tx_hash = ${of.txHash}
      order by e.id`,
  )

export type ExceptionFilter = {
  walletAddress: string
  cardIds: readonly string[] | null
  status?: ExceptionStatus | undefined
  reasons?: readonly PaymentException['reason'][] | undefined
  code?: string | undefined
  after?: string | undefined
  limit: number
}

/** The wallet's exceptions, newest first; one more than `limit`. */
export const listExceptions = (on: Reader, filter: ExceptionFilter): Promise<ShownException[]> =>
  all<ShownException>(
    on,
    sql`select ${COLUMNS} from ${FROM} where e.wallet_address = ${filter.walletAddress}
      and (${filter.cardIds}::text[] is null or l.card_id = any(${filter.cardIds}::text[]))
      and (${filter.status ?? null}::text is null or e.status = ${filter.status ?? null})
      and (${filter.reasons ?? null}::text[] is null or e.reason = any(${filter.reasons ?? null}::text[]))
      and (${filter.code ?? null}::text is null or l.code = ${filter.code ?? null})
      and (${filter.after ?? null}::text is null or e.id < ${filter.after ?? null})
      order by e.id desc limit ${filter.limit + 1}`,
  )

type Resolution = { status: 'KEPT' } | { status: 'REFUNDED'; withdrawalId: string }

/** Resolves an open exception. Returns false if it was already resolved. */
export async function resolveException(
  tx: Tx,
  at: Date,
  { id, ...to }: { id: string } & Resolution,
): Promise<boolean> {
  const isRefund = to.status === 'REFUNDED'
  const changed = await run(
    tx,
    sql`update payment_exceptions set status = ${to.status}, resolved_at = ${at},
      withdrawal_id = ${isRefund ? to.withdrawalId : null}, refunds = refunds + ${isRefund ? 1 : 0}::integer
      where id = ${id} and status = 'OPEN'`,
  )
  return changed === 1
}

/** Opens an exception again whose refund has failed. */
export async function reopenException(tx: Tx, id: string): Promise<void> {
  await sql`update payment_exceptions set status = 'OPEN', resolved_at = null, withdrawal_id = null
    where id = ${id} and status = 'REFUNDED'`.execute(tx)
}
