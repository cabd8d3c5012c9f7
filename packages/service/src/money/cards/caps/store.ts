import { all, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import { columnOf } from '../../../base/db/values.ts'
import { perLimit } from '../../../base/kernel/card-limits.ts'
import { type Cap, type CapLimits, capTells, minuteOf, windowsAt } from './cap.ts'

const LIMIT_FIELDS = [
  ...Object.keys(perLimit('field', () => null)),
  'rollingLimit',
  'maxPaymentsPerMinute',
] as (keyof CapLimits)[]
const COUNTERS = [
  ...Object.keys(perLimit('window', () => null)),
  ...Object.keys(perLimit('usedName', () => null)),
  ...['days', 'minute', 'minute_payments', 'counted_to'],
]
const COLUMNS = sql.raw(
  ['subject', ...LIMIT_FIELDS.map(columnOf), ...COUNTERS].map((name) => `c.${name}`).join(', '),
)

const bySubject = (caps: readonly Cap[]): Map<string, Cap> =>
  new Map(caps.map((cap) => [cap.subject, cap]))

/** The caps of these subjects as they are, without a lock. Asks nothing for none. */
export const readCaps = async (
  on: Reader,
  subjects: readonly string[],
): Promise<Map<string, Cap>> =>
  subjects.length === 0
    ? new Map()
    : bySubject(
        await all<Cap>(
          on,
          sql`select ${COLUMNS} from spending_caps c where c.subject = any(${subjects}::text[])`,
        ),
      )

/** As `readCaps`, with the counters of `at`. */
export async function readCapsAt(
  on: Reader,
  at: Date,
  subjects: readonly string[],
): Promise<Map<string, Cap>> {
  const caps = await readCaps(on, subjects)
  const outdated = outdatedOf(caps, at)
  if (outdated.length === 0) return caps
  const counted = await all<Cap>(
    on,
    sql`select ${COLUMNS} from spending_caps k cross join lateral counted_cap(k, ${at}::timestamptz) c
      where k.subject = any(${outdated}::text[])`,
  )
  return new Map([...caps, ...bySubject(counted)])
}

/** As `readCapsAt`, locked in one order. The cards under them are locked before. */
export async function lockCaps(
  tx: Tx,
  at: Date,
  subjects: readonly string[],
): Promise<Map<string, Cap>> {
  if (subjects.length === 0) return new Map()
  const caps = bySubject(
    await all<Cap>(
      tx,
      sql`select ${COLUMNS} from spending_caps c where c.subject = any(${subjects}::text[]) order by c.subject for update`,
    ),
  )
  const outdated = outdatedOf(caps, at)
  if (outdated.length === 0) return caps
  const counted = await all<Cap>(
    tx,
    sql`update spending_caps c set (${sql.raw(COUNTERS.join())}) =
        (select ${sql.raw(COUNTERS.map((name) => `n.${name}`).join())} from counted_cap(c, ${at}::timestamptz) n)
      where c.subject = any(${outdated}::text[]) returning ${COLUMNS}`,
  )
  return new Map([...caps, ...bySubject(counted)])
}

const outdatedOf = (caps: ReadonlyMap<string, Cap>, at: Date): string[] =>
  [...caps.values()].filter((cap) => !capTells(cap, at)).map(({ subject }) => subject)

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
      update spending_caps c set minute = ${minute}, counted_to = greatest(b.counted_to, ${minute}),
          minute_payments = v.n + case b.minute when ${minute} then b.minute_payments else 0 end
        from unnest(${[...payments.keys()]}::text[], ${[...payments.values()]}::integer[]) as v (subject, n)
          join spending_caps b on b.subject = v.subject
        where c.subject = v.subject returning c.max_payments_per_minute is not null and (
          c.minute_payments > c.max_payments_per_minute or b.minute <> ${minute} and b.counted_to >= ${minute}) as is_over)
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
