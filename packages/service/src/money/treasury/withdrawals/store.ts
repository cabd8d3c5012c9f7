import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { hasJob } from '../../../base/jobs/queue.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { SEND_IS, SENDS } from '../../../chain/relay/store.ts'
import { finishWithdrawalTask } from './tasks.ts'

export const WITHDRAWAL_STATUSES = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
/** COMPLETED: the payout is on chain beyond reorganization. FAILED: it never can be, and all the money went back. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

export type PayoutMechanism = 'eip3009' | 'permit2'

/** Money on its way from a wallet's treasury balance to an address on chain. */
export type Withdrawal = {
  id: Id<'wd'>
  walletAddress: string
  network: string
  asset: string
  /** Gross: the amount that leaves the treasury balance, in base units. */
  amount: Amount
  fee: Amount
  /** The amount that the address receives. */
  netAmount: Amount
  /** The treasury signed an authorization of the token, or a permit of Permit2. */
  mechanism: PayoutMechanism
  fromAddress: Address
  toAddress: Address
  nonce: Hex
  /** Unix seconds; the authorization is valid before this time. */
  validBefore: bigint
  signature: Hex
  fromBlock: bigint
  /** The number of transactions made for it, all with the same authorization. */
  sends: number
  status: WithdrawalStatus
  reason: string | null
  txHash: Hex | null
  createdAt: Date
  endedAt: Date | null
  /** The daily caps that it was judged by; null for none. */
  walletCap: Amount | null
  treasuryCap: Amount | null
  /** The seconds that the address must have been there; null where any address will do. */
  addressDelay: number | null
  /** Digest of wallet, Idempotency-Key and terms; null without a key. */
  intent: Buffer | null
}
export type NewWithdrawal = Omit<Withdrawal, 'sends' | 'status' | 'reason' | 'txHash' | 'endedAt'>

const COLUMNS =
  sql.raw(`id, wallet_address, network, asset, amount, fee, net_amount, mechanism, from_address, to_address, nonce,
  valid_before, signature, from_block, sends, status, reason, tx_hash, created_at, ended_at, intent, wallet_cap, treasury_cap, address_delay`)

const COLUMNS_OF_W =
  sql.raw(`w.id, w.wallet_address, w.network, w.asset, w.amount, w.fee, w.net_amount, w.mechanism, w.from_address, w.to_address, w.nonce,
  w.valid_before, w.signature, w.from_block, w.sends, w.status, w.reason, w.tx_hash, w.created_at, w.ended_at, w.intent, w.wallet_cap, w.treasury_cap, w.address_delay`)

/** Inserts a new withdrawal. Returns false if one with its nonce exists: the token would pay only one of them. */
export async function insertWithdrawal(tx: Tx, w: NewWithdrawal): Promise<boolean> {
  const written = await run(
    tx,
    sql`insert into withdrawals (id, wallet_address, network, asset, amount, fee, net_amount, mechanism, from_address,
      to_address, nonce, valid_before, signature, from_block, created_at, intent, wallet_cap, treasury_cap, address_delay)
    values (${w.id}, ${w.walletAddress}, ${w.network}, ${w.asset}, ${w.amount}, ${w.fee}, ${w.netAmount}, ${w.mechanism}, ${w.fromAddress},
      ${w.toAddress}, ${w.nonce}, ${w.validBefore}, ${w.signature}, ${w.fromBlock}, ${w.createdAt}, ${w.intent},
      ${w.walletCap}, ${w.treasuryCap}, ${w.addressDelay})
    on conflict (nonce) do nothing`,
  )
  return written === 1
}

/** The number of withdrawals with this intent so far, with those that wait or were not approved. */
export async function countByIntent(on: Reader, intent: Buffer): Promise<number> {
  const row = await one<{ known: bigint }>(
    on,
    sql`select (select count(*) from withdrawals where intent = ${intent})
      + (select count(*) from withdrawal_requests where intent = ${intent} and state <> 'begun') as known`,
  )
  return Number(row?.known ?? 0n)
}

export const findWithdrawal = (on: Reader, id: string): Promise<Withdrawal | undefined> =>
  one<Withdrawal>(on, sql`select ${COLUMNS} from withdrawals where id = ${id}`)

/** The row, locked until the transaction ends. If two callers try to end it, the second sees that the first did. */
export const lockWithdrawal = (tx: Tx, id: string): Promise<Withdrawal | undefined> =>
  one<Withdrawal>(tx, sql`select ${COLUMNS} from withdrawals where id = ${id} for update`)

/** The wallet's withdrawals, newest first. */
export const listWithdrawals = (
  on: Reader,
  walletAddress: string,
  wanted: { id: string | undefined; status: WithdrawalStatus | undefined; limit: number },
): Promise<Withdrawal[]> =>
  all<Withdrawal>(
    on,
    sql`select ${COLUMNS} from withdrawals where wallet_address = ${walletAddress}
      and (${wanted.id ?? null}::text is null or id = ${wanted.id ?? null})
      and (${wanted.status ?? null}::text is null or status = ${wanted.status ?? null})
      order by id desc limit ${wanted.limit}`,
  )

/** Withdrawals that began before `before` and have not ended. */
export async function findUnfinished(on: Reader, before: Date): Promise<Id<'wd'>[]> {
  const rows = await all<{ id: Id<'wd'> }>(
    on,
    sql`select id from withdrawals where status = 'PROCESSING' and created_at < ${before} order by created_at limit 500`,
  )
  return rows.map((row) => row.id)
}

const REF = sql.raw(
  `'withdrawal:' || w.id || case when w.sends = 1 then '' else ':' || w.sends end`,
)
const IS_FINAL = sql`w.status = 'PROCESSING' and ${SEND_IS.safe} and d.succeeded`
const isOf = (assets: readonly string[]) => sql`w.asset = any(${[...assets]}::text[])`
export type FinalPayout = { id: string; txHash: Hex }

/** Withdrawals of these assets whose transactions made their payouts in blocks that are safe, as the sender has seen. */
export const findFinal = (
  on: Reader,
  assets: readonly string[],
  limit: number,
): Promise<FinalPayout[]> =>
  all<FinalPayout>(
    on,
    sql`select w.id, d.hash as tx_hash from withdrawals w join ${SENDS} on d.ref = ${REF}
      where ${IS_FINAL} and ${isOf(assets)} order by w.id limit ${limit}`,
  )

/** As `findFinal`, locked until the transaction ends. Skips rows that another transaction is ending. */
export const lockFinal = (
  tx: Tx,
  assets: readonly string[],
  limit: number,
): Promise<FinalPayout[]> =>
  all<FinalPayout>(
    tx,
    sql`select w.id, d.hash as tx_hash from withdrawals w join ${SENDS} on d.ref = ${REF}
      where ${IS_FINAL} and ${isOf(assets)} order by w.id limit ${limit} for update of w skip locked`,
  )

/** Withdrawals of these assets that nothing holds up and whose transactions are neither signed nor sent, oldest first. */
export const findFresh = (
  on: Reader,
  assets: readonly string[],
  limit: number,
): Promise<Withdrawal[]> =>
  all<Withdrawal>(
    on,
    sql`select ${COLUMNS_OF_W} from withdrawals w join ${SENDS} on d.ref = ${REF}
      where w.status = 'PROCESSING' and ${isOf(assets)} and w.reason is null and ${SEND_IS.fresh}
      order by w.created_at limit ${limit}`,
  )

/**
 * Withdrawals that are off the usual course: refused by the token, mined without effect, or begun before `since`.
 * Leaves out those that have a job. Also counts the others that have not ended.
 */
export async function findStray(
  on: Reader,
  since: Date,
): Promise<{ others: Id<'wd'>[]; waiting: bigint }> {
  const rows = await all<{ id: Id<'wd'>; isStray: boolean; hasJob: boolean }>(
    on,
    sql`select w.id, (w.reason is not null or w.created_at < ${since}
          or coalesce(${SEND_IS.reverted}, true)) as is_stray,
        ${hasJob(finishWithdrawalTask, 'w.id')} as has_job
      from withdrawals w left join ${SENDS} on d.ref = ${REF} where w.status = 'PROCESSING'
      order by w.created_at limit 5000`,
  )
  return {
    others: rows.filter(({ isStray, hasJob }) => isStray && !hasJob).map(({ id }) => id),
    waiting: BigInt(rows.filter(({ isStray }) => !isStray).length),
  }
}

/** Locks those of the withdrawals that are processing, by id. */
export const lockProcessing = (tx: Tx, ids: readonly string[]): Promise<Withdrawal[]> =>
  all<Withdrawal>(
    tx,
    sql`select ${COLUMNS} from withdrawals where id = any(${ids}) and status = 'PROCESSING' order by id for update`,
  )

/** Completes locked withdrawals that are processing. */
export async function endCompleted(tx: Tx, at: Date, ended: readonly FinalPayout[]): Promise<void> {
  await sql`update withdrawals w set status = 'COMPLETED', tx_hash = v.tx_hash, reason = null, ended_at = ${at}
    from unnest(${ended.map(({ id }) => id)}::text[], ${ended.map(({ txHash }) => txHash)}::text[]) as v (id, tx_hash)
    where w.id = v.id`.execute(tx)
}

/** Stores what holds each withdrawal up. */
export async function saveReasons(
  tx: Tx,
  reasons: readonly { id: string; reason: string }[],
): Promise<void> {
  const sorted = [...reasons].sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id, reason } of sorted) await saveReason(tx, id, reason)
}

/** Fails a locked withdrawal that is processing. */
export async function endFailed(
  tx: Tx,
  at: Date,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await sql`update withdrawals set status = 'FAILED', reason = ${reason}, ended_at = ${at} where id = ${id}`.execute(
    tx,
  )
}

/** Stores what holds a withdrawal up; null for nothing. */
export async function saveReason(tx: Tx, id: string, reason: string | null): Promise<void> {
  await sql`update withdrawals set reason = ${reason} where id = ${id} and status = 'PROCESSING'
    and reason is distinct from ${reason}`.execute(tx)
}

/** Counts one transaction more than `sends`. True for the first caller only. */
export async function countSend(tx: Tx, id: string, sends: number): Promise<boolean> {
  const counted = await run(
    tx,
    sql`update withdrawals set sends = sends + 1 where id = ${id} and sends = ${sends} and status = 'PROCESSING'`,
  )
  return counted === 1
}

/** The withdrawals as `w`, for a join in another room's statement. */
export const WITHDRAWALS = sql.raw('withdrawals w')
