import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { type Amount, ZERO } from '../../base/kernel/money.ts'
import type { Membership, MembershipPayment, MembershipStatus, Standing } from './membership.ts'
import type { Plan, PlanName } from './plan.ts'

type StandingRow = Omit<Standing, 'directQuota'> & { wallet: string; directQuota: bigint }

export const listStandings = (
  on: Reader,
  wallets: readonly string[],
  at: Date,
): Promise<StandingRow[]> =>
  all<StandingRow>(
    on,
    sql`select m.wallet_address as wallet, m.tier, m.billing_period, m.status, p.direct_quota, p.overage_fee,
        m.current_period_end as period_end, ${countsAt(at)} as is_live
      from memberships m join plans p using (tier, billing_period, asset)
      where m.wallet_address = any(${wallets}::text[])`,
  )

/**
 * A subquery for another room's statement: the tier of the wallet in this column if its membership counts at this moment,
 * else null.
 */
export const tierAt =
  (at: Date) =>
  (wallet: string): RawBuilder<string | null> =>
    sql`(select m.tier from memberships m where m.wallet_address = ${sql.ref(wallet)} and ${countsAt(at)})`

/** Whether `m` gives its wallet a tier and a quota (`counts`). */
const countsAt = (at: Date): RawBuilder<boolean> => sql`coalesce(m.counts_until > ${at}, false)`

/** The fee of a DIRECT settlement above the quota, by the plan of this tier. */
export async function findPlanOverage(on: Reader, tier: string): Promise<Amount> {
  const [row] = await all<{ overageFee: Amount }>(
    on,
    sql`select overage_fee from plans where tier = ${tier} order by overage_fee desc limit 1`,
  )
  return row?.overageFee ?? ZERO
}

const PLAN = sql.raw(
  'tier, billing_period, asset, price, direct_quota, overage_fee, is_offered, changed_at',
)

/** The plans, cheapest tier first; with `isOffered` only those that are sold. */
export const listPlans = (on: Reader, { isOffered }: { isOffered?: true } = {}): Promise<Plan[]> =>
  all<Plan>(
    on,
    sql`select ${PLAN} from plans where ${isOffered ?? false} = false or is_offered
      order by asset = 'USDC' desc, asset, tier = 'growth', billing_period`,
  )

export const findPlan = (on: Reader, name: PlanName): Promise<Plan | undefined> =>
  one<Plan>(
    on,
    sql`select ${PLAN} from plans where tier = ${name.tier} and billing_period = ${name.billingPeriod}
      and asset = ${name.asset}`,
  )

/** Sells the plan on these terms from now on. */
export async function savePlan(tx: Tx, at: Date, plan: Plan): Promise<void> {
  await sql`insert into plans (tier, billing_period, asset, price, direct_quota, overage_fee, is_offered, changed_at)
    values (${plan.tier}, ${plan.billingPeriod}, ${plan.asset}, ${plan.price}, ${plan.directQuota}, ${plan.overageFee},
      ${plan.isOffered}, ${at})
    on conflict (tier, billing_period, asset) do update set price = excluded.price, direct_quota = excluded.direct_quota,
      overage_fee = excluded.overage_fee, is_offered = excluded.is_offered, changed_at = excluded.changed_at`.execute(
    tx,
  )
}

/** Sells the plan no more. Those who have it keep it. False if it was not sold. */
export const withdrawPlan = async (tx: Tx, at: Date, name: PlanName): Promise<boolean> =>
  (await run(
    tx,
    sql`update plans set is_offered = false, changed_at = ${at} where tier = ${name.tier}
      and billing_period = ${name.billingPeriod} and asset = ${name.asset} and is_offered`,
  )) === 1

/** Locks the wallet's place in the order of its membership's changes until the transaction ends. */
export async function lockWallet(tx: Tx, wallet: string): Promise<void> {
  await sql`insert into membership_wallets (wallet_address) values (${wallet}) on conflict do nothing`.execute(
    tx,
  )
  await sql`select from membership_wallets where wallet_address = ${wallet} for update`.execute(tx)
}

/** Stores when the job looks at the wallet next. */
export async function saveDue(tx: Tx, wallet: string, dueAt: Date | null): Promise<void> {
  await sql`update membership_wallets set due_at = ${dueAt} where wallet_address = ${wallet}`.execute(
    tx,
  )
}

/** Wallets whose membership is due, longest first. */
export async function findDue(on: Reader, at: Date, limit: number): Promise<string[]> {
  const rows = await all<{ walletAddress: string }>(
    on,
    sql`select wallet_address from membership_wallets where due_at <= ${at} order by due_at limit ${limit}`,
  )
  return rows.map(({ walletAddress }) => walletAddress)
}

const MEMBERSHIP =
  sql.raw(`wallet_address, tier, billing_period, asset, network, price, status, anchor, months, current_period_start,
  current_period_end, counts_until, cancel_at_period_end, auto_renew, lapsed, last_payment_id, created_at, updated_at`)

export const findMembership = (on: Reader, wallet: string): Promise<Membership | undefined> =>
  one<Membership>(on, sql`select ${MEMBERSHIP} from memberships where wallet_address = ${wallet}`)

/** Stores the membership of a wallet that is locked, and answers it with what follows from it. */
export async function saveMembership(
  tx: Tx,
  m: Omit<Membership, 'countsUntil'>,
): Promise<Membership> {
  const saved = await one<Membership>(
    tx,
    sql`insert into memberships (wallet_address, tier, billing_period, asset, network, price, status, anchor, months,
      current_period_start, current_period_end, cancel_at_period_end, auto_renew, lapsed, last_payment_id, created_at,
      updated_at)
    values (${m.walletAddress}, ${m.tier}, ${m.billingPeriod}, ${m.asset}, ${m.network}, ${m.price}, ${m.status},
      ${m.anchor}, ${m.months}, ${m.currentPeriodStart}, ${m.currentPeriodEnd}, ${m.cancelAtPeriodEnd}, ${m.autoRenew},
      ${m.lapsed}, ${m.lastPaymentId}, ${m.createdAt}, ${m.updatedAt})
    on conflict (wallet_address) do update set tier = excluded.tier, billing_period = excluded.billing_period,
      asset = excluded.asset, price = excluded.price, status = excluded.status, anchor = excluded.anchor,
      months = excluded.months, current_period_start = excluded.current_period_start,
      current_period_end = excluded.current_period_end, cancel_at_period_end = excluded.cancel_at_period_end,
      auto_renew = excluded.auto_renew, lapsed = excluded.lapsed, last_payment_id = excluded.last_payment_id,
      updated_at = excluded.updated_at
    returning ${MEMBERSHIP}`,
  )
  return saved as Membership
}

export async function insertPayment(tx: Tx, p: MembershipPayment): Promise<void> {
  await sql`insert into membership_payments (id, wallet_address, tier, billing_period, anchor, months, period_start, period_end,
      amount, asset, network, source, card_id, charge_id, created_at)
    values (${p.id}, ${p.walletAddress}, ${p.tier}, ${p.billingPeriod}, ${p.anchor}, ${p.months}, ${p.periodStart},
      ${p.periodEnd}, ${p.amount}, ${p.asset}, ${p.network}, ${p.source}, ${p.cardId}, ${p.chargeId}, ${p.createdAt})`.execute(
    tx,
  )
}

/** Marks the payment of a charge whose pull a reorganization took. False if there is none. */
export const undoPayment = async (tx: Tx, at: Date, chargeId: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update membership_payments set undone_at = ${at} where charge_id = ${chargeId} and undone_at is null`,
  )) === 1

/** The end of the last period that the wallet has paid. */
export async function readPaidUntil(on: Reader, wallet: string): Promise<Date | undefined> {
  const row = await one<{ paidUntil: Date | null }>(
    on,
    sql`select max(period_end) as paid_until from membership_payments
      where wallet_address = ${wallet} and undone_at is null`,
  )
  return row?.paidUntil ?? undefined
}

/** Memberships by status. */
export const countByStatus = (
  on: Reader,
): Promise<{ status: MembershipStatus; memberships: bigint }[]> =>
  all(on, sql`select status, count(*) as memberships from memberships group by status`)

/** The standings by wallet. A wallet that never had a membership is absent. */
export async function readStandings(
  on: Reader,
  wallets: readonly string[],
  at: Date,
): Promise<Map<string, Standing>> {
  const rows = await listStandings(on, [...new Set(wallets)], at)
  return new Map(
    rows.map(({ wallet, directQuota, ...standing }) => [
      wallet,
      { ...standing, directQuota: Number(directQuota) },
    ]),
  )
}
