import { all, one, type Reader, run, sql, type Tx } from '../../../../base/db/sql.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import type { Amount } from '../../../../base/kernel/money.ts'
import type { WithdrawalStatus } from '../store.ts'

/** A withdrawal that an operator approves first. `begun` is one that has become a withdrawal. */
export type WithdrawalRequest = {
  id: Id<'wd'>
  walletAddress: string
  network: string
  asset: string
  amount: Amount
  fee: Amount
  toAddress: Address
  nonce: Hex
  intent: Buffer | null
  holdId: Id<'hold'>
  walletCap: Amount | null
  treasuryCap: Amount | null
  state: 'pending' | 'approved' | 'begun' | 'rejected'
  note: string | null
  createdAt: Date
  decidedAt: Date | null
}
export type NewRequest = Omit<WithdrawalRequest, 'state' | 'note' | 'decidedAt'>

const COLUMNS =
  sql.raw(`id, wallet_address, network, asset, amount, fee, to_address, nonce, intent, hold_id, wallet_cap, treasury_cap,
  state, note, created_at, decided_at`)

/** False if one with its nonce exists. */
export async function insertRequest(tx: Tx, r: NewRequest): Promise<boolean> {
  const written = await run(
    tx,
    sql`insert into withdrawal_requests (id, wallet_address, network, asset, amount, fee, to_address, nonce, intent, hold_id,
        wallet_cap, treasury_cap, created_at)
      values (${r.id}, ${r.walletAddress}, ${r.network}, ${r.asset}, ${r.amount}, ${r.fee}, ${r.toAddress}, ${r.nonce},
        ${r.intent}, ${r.holdId}, ${r.walletCap}, ${r.treasuryCap}, ${r.createdAt}) on conflict (nonce) do nothing`,
  )
  return written === 1
}

export const findRequest = (on: Reader, id: string): Promise<WithdrawalRequest | undefined> =>
  one<WithdrawalRequest>(on, sql`select ${COLUMNS} from withdrawal_requests where id = ${id}`)

/** Moves a request on. Undefined if it is not in the state `from`: of two callers the first wins. */
export const moveRequest = (
  tx: Tx,
  at: Date,
  {
    id,
    from,
    to,
    note,
  }: Pick<WithdrawalRequest, 'id' | 'note'> & Record<'from' | 'to', WithdrawalRequest['state']>,
): Promise<WithdrawalRequest | undefined> =>
  one<WithdrawalRequest>(
    tx,
    sql`update withdrawal_requests set state = ${to}, note = coalesce(note, ${note}), decided_at = coalesce(decided_at, ${at})
      where id = ${id} and state = ${from} returning ${COLUMNS}`,
  )

/** Locks a request in that state; undefined if it is in another. */
export const lockRequest = (
  tx: Tx,
  id: string,
  state: WithdrawalRequest['state'],
): Promise<WithdrawalRequest | undefined> =>
  one<WithdrawalRequest>(
    tx,
    sql`select ${COLUMNS} from withdrawal_requests where id = ${id} and state = ${state} for update`,
  )

/** Requests in these states, the oldest first. */
export const listRequests = (
  on: Reader,
  states: readonly WithdrawalRequest['state'][],
): Promise<WithdrawalRequest[]> =>
  all<WithdrawalRequest>(
    on,
    sql`select ${COLUMNS} from withdrawal_requests where state = any(${[...states]}::text[]) order by id limit 500`,
  )

/** The number of withdrawals that wait for a decision. */
export async function countWaiting(on: Reader): Promise<number> {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from withdrawal_requests where state = 'pending'`,
  )
  return Number(row?.n ?? 0n)
}

/** Requests of a wallet that are no withdrawals yet, or never will be, the newest first. */
export const listRequestsOf = (
  on: Reader,
  walletAddress: string,
  {
    id,
    status,
    limit,
  }: { id: string | undefined; status: WithdrawalStatus | undefined; limit: number },
): Promise<WithdrawalRequest[]> =>
  all<WithdrawalRequest>(
    on,
    sql`select ${COLUMNS} from withdrawal_requests where wallet_address = ${walletAddress} and state <> 'begun'
      and (${id ?? null}::text is null or id = ${id ?? null})
      and (${status ?? null}::text is null
        or ${status ?? null} = case state when 'rejected' then 'FAILED' else 'PROCESSING' end)
      order by id desc limit ${limit}`,
  )
