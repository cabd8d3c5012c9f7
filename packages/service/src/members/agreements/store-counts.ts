import { all, type Reader, sql } from '../../base/db/sql.ts'
import { firstId } from '../../base/kernel/ids.ts'
import type { Agreement, AgreementStatus, Charge } from './agreement.ts'

type Purpose = Agreement['purpose']

/** Live agreements by purpose and status. */
export const countLive = (
  on: Reader,
): Promise<{ purpose: Purpose; status: AgreementStatus; agreements: bigint }[]> =>
  all(
    on,
    sql`select purpose, status, count(*) as agreements from agreements
      where status in ('ACTIVE', 'PAST_DUE', 'PAUSED') group by purpose, status`,
  )

/** Agreements that a job should have looked at by now. */
export const countDue = (
  on: Reader,
  at: Date,
): Promise<{ purpose: Purpose; agreements: bigint }[]> =>
  all(
    on,
    sql`select purpose, count(*) as agreements from agreements where next_attempt_at <= ${at} group by purpose`,
  )

/** Charges that were made since, by their outcome so far. */
export const countCharges = (
  on: Reader,
  since: Date,
): Promise<{ status: Charge['status']; charges: bigint }[]> =>
  all(
    on,
    sql`select status, count(*) as charges from agreement_charges where id >= ${firstId('chg', since)} group by status`,
  )
