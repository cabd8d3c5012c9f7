import type { Stage } from '../stage.ts'

/**
 * Lets the agreement's present period end: all its dates, and those of its open mandate, move a day into the past. Does
 * nothing if it has not made exactly `charges`, or is due already: so it can be repeated after a lost connection.
 */
export const passDay = (stage: Stage, { id, charges }: { id: string; charges: number }) =>
  stage.batch(`
    set local session_replication_role = replica;
    update ap2_open_mandates o set first_at = o.first_at - interval '1 day', last_at = o.last_at - interval '1 day'
      from agreements a where a.open_id = o.open_id and ${IDLE(id, charges)};
    update agreements a set anchor = anchor - interval '1 day', last_charge_at = last_charge_at - interval '1 day',
      next_charge_at = next_charge_at - interval '1 day', next_attempt_at = next_attempt_at - interval '1 day'
      where ${IDLE(id, charges)};
    ${runsNow('charge_agreements')}`)

const IDLE = (id: string, charges: number) =>
  `a.id = '${id}' and a.charges_made = ${charges} and a.status = 'ACTIVE' and a.next_attempt_at > now()`

/** Runs a job of the timetable now. */
export const runsNow = (task: string): string =>
  `select graphile_worker.add_job('${task}', '{}'::json, job_key => 'timetable:${task}');`

/**
 * Lets the present month of a wallet's membership end: the membership, its payments and its auto-renew move a month into
 * the past. Does nothing unless the wallet has paid exactly `periods` and the last one is not over.
 */
export const passMonth = (stage: Stage, { wallet, periods }: { wallet: string; periods: number }) =>
  stage.batch(`
    create temporary table moved on commit drop as
      select m.wallet_address, m.months, m.anchor - interval '1 month' as anchor from memberships m
      where m.wallet_address = '${wallet}' and m.status = 'ACTIVE' and m.current_period_end > now()
        and (select count(*) from membership_payments p where p.wallet_address = m.wallet_address) = ${periods};
    set local session_replication_role = replica;
    update membership_payments p set anchor = n.anchor, months = n.month, period_start = months_after(n.anchor, n.month),
        period_end = months_after(n.anchor, n.month + 1)
      from (select q.id, moved.anchor, (row_number() over (order by q.id) - 1)::integer as month
        from membership_payments q join moved using (wallet_address)) n where n.id = p.id;
    update agreements a set next_charge_at = n.due, next_attempt_at = n.due
      from (select *, months_after(anchor, months + 1) as due from moved) n
      where a.payer_wallet = n.wallet_address and a.purpose = 'membership' and a.status = 'ACTIVE';
    set local session_replication_role = origin;
    alter table memberships disable trigger keep_membership;
    update memberships m set anchor = n.anchor, current_period_start = months_after(n.anchor, n.months),
        current_period_end = months_after(n.anchor, n.months + 1)
      from moved n where n.wallet_address = m.wallet_address;
    alter table memberships enable trigger keep_membership;
    update membership_wallets w set due_at = m.current_period_end
      from moved n, memberships m where n.wallet_address = w.wallet_address and m.wallet_address = w.wallet_address;
    ${runsNow('find_due_memberships')}`)
