import { all, type Reader, run, sql, type Tx } from '../db/sql.ts'

/** A sealed value with what its row is known by. */
export type SealedValue = { key: string[]; sealed: Buffer; context: string }
export type Resealed = { key: string[]; before: Buffer; after: Buffer }

/** A column whose values are sealed by a key of the service's secret. */
export type SealedColumn = {
  /** In words, many of them. */
  what: string
  /** The purpose of the key that seals it. */
  purpose: string
  /** The next values in the order of the key, after this one. */
  page(on: Reader, after: readonly string[] | undefined, most: number): Promise<SealedValue[]>
  /** Writes what is still as it was read. Returns how many that are. */
  save(tx: Tx, rows: readonly Resealed[]): Promise<number>
}

/** A column by its names. The context of a value is made of the columns `of`, the key if they are not given. */
export function sealedColumn(about: {
  what: string
  purpose: string
  table: string
  key: readonly string[]
  column: string
  of?: readonly string[]
  context(...values: string[]): string
}): SealedColumn {
  const { what, purpose, key, of = key } = about
  const table = sql.table(about.table)
  const column = sql.ref(about.column)
  const keys = sql.join(key.map((name) => sql.ref(name)))
  return {
    what,
    purpose,
    async page(on, after, most) {
      const later = after && sql` and (${keys}) > (${sql.join(after)})`
      const rows = await all<{ key: string[]; of: string[]; sealed: Buffer }>(
        on,
        sql`select array[${keys}] as key, array[${sql.join(of.map((name) => sql.ref(name)))}] as of, ${column} as sealed
          from ${table} where ${column} is not null${later ?? sql``} order by ${keys} limit ${most}`,
      )
      return rows.map((row) => ({ ...row, context: about.context(...row.of) }))
    },
    async save(tx, rows) {
      const given = sql.join(key.map((_, i) => sql`${rows.map((row) => row.key[i])}::text[]`))
      const names = sql.join([...key.keys()].map((i) => sql.ref(`k${i}`)))
      // Rows are locked in the order of their key, as everywhere.
      await run(
        tx,
        sql`select from ${table} where (${keys}) in (select * from unnest(${given})) order by ${keys} for no key update`,
      )
      return run(
        tx,
        sql`update ${table} set ${column} = given.after
          from unnest(${given}, ${rows.map((row) => row.before)}::bytea[], ${rows.map((row) => row.after)}::bytea[])
            as given (${names}, before, after)
          where (${keys}) = (${names}) and ${column} = given.before`,
      )
    },
  }
}
