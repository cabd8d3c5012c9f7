/** The list of what becomes of everything that names a card, held against the schema. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const FATES = ['moves', 'dies', 'stays', 'has ended']

// A new table that a sale forgets would leave its seller a right to the card, or take from its buyer what was bought.
test('every table with the id of a card says what a sale does to it', async () => {
  const tables = await all<{ name: string }>(
    w.db.reader,
    sql`select distinct c.table_name as name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      join pg_class p on p.oid = to_regclass(c.table_name) and not p.relispartition
      where t.table_type = 'BASE TABLE' and c.table_schema = 'public' and c.column_name ~ 'card_ids?$' order by 1`,
  )
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([a-z ]+) \| (.+) \|$/gm)]
  expect(rows.map(([, name]) => name).sort()).toEqual(tables.map(({ name }) => name))
  for (const [, name, fate] of rows) expect(FATES, name).toContain(fate)
})
