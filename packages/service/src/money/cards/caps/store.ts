import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import { columnOf } from '../../../base/db/values.ts'
import { perLimit } from '../../../base/kernel/card-limits.ts'
import { type Cap, type CapLimits, minuteOf, windowsAt } from './cap.ts'

const LIMIT_FIELDS = [
  ...Object.keys(perLimit('field', () => null)),
  'rollingLimit',
  'maxPaymentsPerMinute',
] as (keyof CapLimits)[]
const COLUMNS = sql.raw(
  [
    'subject',
    ...LIMIT_FIELDS.map(columnOf),
    ...Object.keys(perLimit('window', () => null)),
    ...Object.keys(perLimit('usedName', () => null)),
    'days',
    'minute',
    'minute_payments',
  ].join(', '),
)

const bySubject = (caps: Cap[]): Map<string, Cap> => new Map(caps.map((cap) => [cap.subject, cap]))

/** The caps of these subjects, without a lock. Asks nothing for none. */
export const readCaps = async (
  on: Reader,
  subjects: readonly string[],
): Promise<Map<string, Cap>> =>
  subjects.length === 0
    ? new Map()
    : bySubject(
        await all<Cap>(
          on,
          sql`select ${COLUMNS} from spending_caps where subject = any(${subjects}::text[])`,
        ),
      )

/** As `readCaps`, locked in one order. The cards under them are locked before. */
export const lockCaps = async (tx: Tx, subjects: readonly string[]): Promise<Map<string, Cap>> =>
  subjects.length === 0
    ? new Map()
    : bySubject(
        await all<Cap>(
          tx,
          sql`select ${COLUMNS} from spending_caps where subject = any(${subjects}::text[]) order by subject for update`,
        ),
      )

export const findCap = (on: Reader, subject: string): Promise<Cap | undefined> =>
  one<Cap>(on, sql`select ${COLUMNS} from spending_caps where subject = ${subject}`)

/**
 * The statement that counts payments on the caps of their cards. If a cap allows fewer by now, the transaction runs again. What
 * they take off the cards, the database counts with the cards' counters. Undefined for no caps.
 */
export function countPaymentsStatement(
  at: Date,
  payments: ReadonlyMap<string, number>,
): RawBuilder<unknown> | undefined {
  if (payments.size === 0) return undefined
  const minute = minuteOf(at)
  return sql`with counted as (
      update spending_caps c set minute = greatest(c.minute, ${minute}),
          minute_payments = v.n + case when c.minute < ${minute} then 0 else c.minute_payments end
        from unnest(${[...payments.keys()]}::text[], ${[...payments.values()]}::integer[]) as v (subject, n)
        where c.subject = v.subject returning c.minute_payments > c.max_payments_per_minute as is_over)
    select refuse_stale(exists (select from counted where is_over))`
}

/** The statement of `lockCaps`, for a batch that changes the cards next. Undefined for none. */
export const lockCapsStatement = (subjects: readonly string[]): RawBuilder<unknown> | undefined =>
  subjects.length === 0
    ? undefined
    : sql`select from spending_caps where subject = any(${[...subjects]}::text[]) order by subject for update`

/** Begins to count for a wallet, or for a key and the cards that it names. Does nothing if it counts already. */
export async function beginCap(
  tx: Tx,
  at: Date,
  of: {
    subject: string
    walletAddress: string
    cardIds: readonly string[] | null
    network: string
    asset: string
  },
): Promise<void> {
  await sql`select begin_cap_of(${of.subject}, ${of.walletAddress}, ${of.cardIds}::text[], ${of.network}, ${of.asset},
    ${windowsAt(at)}::text[])`.execute(tx)
}

export async function saveLimits(
  tx: Tx,
  subject: string,
  change: Partial<CapLimits>,
): Promise<void> {
  const set = LIMIT_FIELDS.filter((field) => field in change).map(
    (field) => sql`${sql.ref(columnOf(field))} = ${change[field]}`,
  )
  if (set.length > 0)
    await sql`update spending_caps set ${sql.join(set)} where subject = ${subject}`.execute(tx)
}
