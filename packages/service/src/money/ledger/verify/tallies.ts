import { all, type Db, type RawBuilder, type Reader, sql } from '../../../base/db/sql.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'

/**
 * A temporary table of sums that is filled while transfers are walked. `had` is a row in it and `excluded` one that is added:
 * `merge` makes one of two with the same key, in any order.
 */
export type Tally = {
  name: string
  /** The types of the columns that identify a row. */
  key: Readonly<Record<string, string>>
  values: Readonly<Record<string, { type: string; merge: string }>>
}

/** So many rows are read, kept and merged at once. */
const LINES = 2_000

export const summed = (type: string, column: string) => ({
  type,
  merge: `had.${column} + excluded.${column}`,
})

/** The beginning of a statement that adds rows to the tally. It ends in `merged`. */
export const into = ({ name, key, values }: Tally): RawBuilder<unknown> =>
  sql.raw(
    `insert into pg_temp.${name} as had (${[...Object.keys(key), ...Object.keys(values)].join(', ')})`,
  )

export const merged = ({ key, values }: Tally): RawBuilder<unknown> =>
  sql.raw(
    `on conflict (${Object.keys(key).join(', ')}) do update set ${Object.entries(values)
      .map(([column, { merge }]) => `${column} = ${merge}`)
      .join(', ')}`,
  )

/** Runs `work` on a connection that has these tallies, empty. */
export const withTallies = <T>(
  db: Db,
  tallies: readonly Tally[],
  work: (on: Reader) => Promise<T>,
): Promise<T> =>
  db.together(async (on) => {
    await dropTallies(on, tallies)
    for (const { name, key, values } of tallies) {
      const columns = [
        ...Object.entries(key).map(([column, type]) => `${column} ${type}`),
        ...Object.entries(values).map(([column, { type }]) => `${column} ${type}`),
      ]
      await sql`create temp table ${sql.raw(name)} (${sql.raw(columns.join(', '))},
        primary key (${sql.raw(Object.keys(key).join(', '))}))`.execute(on)
    }
    try {
      return await work(on)
    } finally {
      await dropTallies(on, tallies)
    }
  })

async function dropTallies(on: Reader, tallies: readonly Tally[]): Promise<void> {
  const names = tallies.map(({ name }) => `pg_temp.${name}`).join(', ')
  await sql`drop table if exists ${sql.raw(names)}`.execute(on)
}

export async function emptyTallies(on: Reader, tallies: readonly Tally[]): Promise<void> {
  for (const { name } of tallies) await sql`delete from pg_temp.${sql.raw(name)}`.execute(on)
}

/** All rows of the tally in the order of its key, as JSON arrays of some thousand rows. */
export async function* readPages(
  on: Reader,
  { name, key }: Tally,
): AsyncGenerator<{ content: string; lines: number }> {
  const keys = Object.keys(key)
  const order = sql.raw(keys.join(', '))
  for (let after = sql``; ; ) {
    const rows = await all(
      on,
      sql<{ line: string }>`select row_to_json(t)::text as line
        from (select * from pg_temp.${sql.raw(name)} ${after} order by ${order} limit ${LINES}) t order by ${order}`,
    )
    if (rows.length > 0)
      yield { content: `[${rows.map(({ line }) => line).join(',\n')}]`, lines: rows.length }
    if (rows.length < LINES) return
    const last = JSON.parse(rows.at(-1)?.line ?? '{}')
    after = sql`where (${order}) > (${sql.join(
      Object.entries(key).map(
        ([column, type]) => sql`${String(last[column])}::text::${sql.raw(type)}`,
      ),
    )})`
  }
}

/** Adds such a page to the tally. */
export async function addPage(on: Reader, tally: Tally, content: string): Promise<void> {
  const type = sql.raw(`pg_temp.${tally.name}`)
  await sql`${into(tally)} select * from json_populate_recordset(null::${type}, ${content}::json) ${merged(tally)}`.execute(
    on,
  )
}

/** A digest of what the tallies hold. Pages of tallies that were defined in another way mean something else. */
export const shapeOf = (tallies: readonly Tally[]): Buffer => sha256(JSON.stringify(tallies))
