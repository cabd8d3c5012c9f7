import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'

/** `free`: within the quota, or the fee is zero. `owed`: the meter could not pay; the next top-up does. */
export const FEE_STATES = ['free', 'paid', 'owed'] as const
export type FeeState = (typeof FEE_STATES)[number]
/** The fee of one DIRECT settlement. */
export type DirectFee = {
  id: Id<'fee'>
  settlementId: string
  walletAddress: string
  /** The first day of its UTC month. */
  month: string
  network: string
  asset: string
  amount: Amount
  state: FeeState
  createdAt: Date
  paidAt: Date | null
  reversedAt: Date | null
}
export type TopUp = {
  id: Id<'fee'>
  walletAddress: string
  network: string
  asset: string
  amount: Amount
  /** The threshold agreement that paid, and its settlement. */
  agreement: { id: string; settlementId: string } | null
  createdAt: Date
}

/** Locks the wallet's meter, before any other row of it. */
export async function lockMeter(tx: Tx, walletAddress: string): Promise<{ isLow: boolean }> {
  const row = await one<{ isLow: boolean }>(
    tx,
    sql`insert into fee_meters as m (wallet_address) values (${walletAddress})
      on conflict (wallet_address) do update set is_low = m.is_low returning is_low`,
  )
  return row as { isLow: boolean }
}

export async function saveLow(tx: Tx, walletAddress: string, isLow: boolean): Promise<void> {
  await sql`update fee_meters set is_low = ${isLow} where wallet_address = ${walletAddress}`.execute(
    tx,
  )
}

/** Counts one settlement more. Returns the new count. */
export async function countUse(
  tx: Tx,
  { walletAddress, month }: { walletAddress: string; month: string },
): Promise<number> {
  const row = await one<{ used: number }>(
    tx,
    sql`insert into direct_usage as u (wallet_address, month, used) values (${walletAddress}, ${month}, 1)
      on conflict (wallet_address, month) do update set used = u.used + 1 returning used`,
  )
  return row?.used ?? 0
}

/** Counts one settlement less. */
export async function uncountUse(
  tx: Tx,
  { walletAddress, month }: { walletAddress: string; month: string },
): Promise<void> {
  await sql`update direct_usage set used = used - 1
    where wallet_address = ${walletAddress} and month = ${month}`.execute(tx)
}

export async function readUsed(
  on: Reader,
  { walletAddress, month }: { walletAddress: string; month: string },
): Promise<number> {
  const row = await one<{ used: number }>(
    on,
    sql`select used from direct_usage where wallet_address = ${walletAddress} and month = ${month}`,
  )
  return row?.used ?? 0
}

const FEE = sql.raw(
  'id, settlement_id, wallet_address, month, network, asset, amount, state, created_at, paid_at, reversed_at',
)

/** The fee of the settlement, if it was metered and not reversed since. */
export const findFee = (on: Reader, settlementId: string): Promise<DirectFee | undefined> =>
  one<DirectFee>(
    on,
    sql`select ${FEE} from direct_fees where settlement_id = ${settlementId} and reversed_at is null`,
  )

export async function insertFee(tx: Tx, fee: DirectFee): Promise<void> {
  await sql`insert into direct_fees (id, settlement_id, wallet_address, month, network, asset, amount, state, created_at, paid_at)
    values (${fee.id}, ${fee.settlementId}, ${fee.walletAddress}, ${fee.month}, ${fee.network}, ${fee.asset}, ${fee.amount},
      ${fee.state}, ${fee.createdAt}, ${fee.paidAt})`.execute(tx)
}

/** Marks the fee as reversed. True for the caller that did. */
export const markReversed = async (tx: Tx, at: Date, id: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update direct_fees set reversed_at = ${at} where id = ${id} and reversed_at is null`,
  )) === 1

/** The sum that the wallet owes. */
export async function readOwed(on: Reader, walletAddress: string): Promise<Amount> {
  const row = await one<{ owed: bigint }>(
    on,
    sql`select coalesce(sum(amount), 0) as owed from direct_fees
      where wallet_address = ${walletAddress} and state = 'owed' and reversed_at is null`,
  )
  return amount(row?.owed ?? 0n)
}

/** The sum that all wallets owe. */
export async function sumOwed(on: Reader): Promise<Amount> {
  const row = await one<{ owed: bigint }>(
    on,
    sql`select coalesce(sum(amount), 0) as owed from direct_fees where state = 'owed' and reversed_at is null`,
  )
  return amount(row?.owed ?? 0n)
}

/** Wallets that owe a fee. */
export async function countOwing(on: Reader): Promise<number> {
  const row = await one<{ wallets: bigint }>(
    on,
    sql`select count(distinct wallet_address) as wallets from direct_fees where state = 'owed' and reversed_at is null`,
  )
  return Number(row?.wallets ?? 0n)
}

/** Marks owed fees as paid, the oldest first, as far as `from` covers whole ones. Returns those. */
export const payOwed = (
  tx: Tx,
  at: Date,
  { walletAddress, from }: { walletAddress: string; from: Amount },
): Promise<{ id: Id<'fee'>; amount: Amount }[]> =>
  all(
    tx,
    sql`update direct_fees f set state = 'paid', paid_at = ${at}
      from (select id, sum(amount) over (order by id) as so_far from direct_fees
        where wallet_address = ${walletAddress} and state = 'owed' and reversed_at is null) o
      where f.id = o.id and o.so_far <= ${from} returning f.id, f.amount`,
  )

export async function insertTopUp(tx: Tx, topUp: TopUp): Promise<void> {
  await sql`insert into meter_topups (id, wallet_address, network, asset, amount, agreement_id, settlement_id, created_at)
    values (${topUp.id}, ${topUp.walletAddress}, ${topUp.network}, ${topUp.asset}, ${topUp.amount},
      ${topUp.agreement?.id ?? null},
      ${topUp.agreement?.settlementId ?? null}, ${topUp.createdAt})`.execute(tx)
}

/** A line of the meter's history: a fee, or a top-up. */
export type MeterEntry = {
  id: Id<'fee'>
  kind: 'fee' | 'topup'
  amount: Amount
  /** Null for a top-up. */
  state: FeeState | null
  settlementId: string | null
  agreementId: string | null
  createdAt: Date
  paidAt: Date | null
  reversedAt: Date | null
}

/** A wallet's entries, newest first, one more than `limit`. */
export const listEntries = (
  on: Reader,
  walletAddress: string,
  page: { after?: string | undefined; limit: number },
): Promise<MeterEntry[]> => {
  const before = sql`wallet_address = ${walletAddress}
    and (${page.after ?? null}::text is null or id < ${page.after ?? null}) order by id desc limit ${page.limit + 1}`
  return all<MeterEntry>(
    on,
    sql`select * from (
      (select id, 'fee' as kind, amount, state, settlement_id, null as agreement_id, created_at, paid_at, reversed_at
        from direct_fees where ${before})
      union all
      (select id, 'topup', amount, null, settlement_id, agreement_id, created_at, null, null
        from meter_topups where ${before})) e
      order by id desc limit ${page.limit + 1}`,
  )
}

export const hasEntry = async (
  on: Reader,
  { id, walletAddress }: { id: string; walletAddress: string },
): Promise<boolean> => {
  const rows = await all(
    on,
    sql`select 1 from direct_fees where id = ${id} and wallet_address = ${walletAddress}
      union all select 1 from meter_topups where id = ${id} and wallet_address = ${walletAddress}`,
  )
  return rows.length > 0
}
