import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { schemaText } from '../../../../../scripts/schema/text.ts'
import { freshDatabase } from '../../../test/world/postgres.ts'
import { openDb } from './sql.ts'

test('schema.sql shows the schema that the migrations make', async () => {
  const committed = await readFile(new URL('./schema.sql', import.meta.url), 'utf8')
  const database = await freshDatabase()
  const db = openDb(database.url, 1)
  try {
    const text = await schemaText(db.reader)
    expect(text, 'run `npm run schema` and commit schema.sql with the migration').toBe(committed)
  } finally {
    await db.close()
    await database.drop()
  }
})

test('docs/scaling.md names each function that reads a transition table, and how many triggers do not', async () => {
  const schema = await readFile(new URL('./schema.sql', import.meta.url), 'utf8')
  const page = await readFile(new URL('../../../../../docs/scaling.md', import.meta.url), 'utf8')
  const triggers = schema.split('\n').filter((line) => /^create .*for each statement/.test(line))
  const others = triggers.filter((line) => !line.includes('refuse_change()'))
  const named = [...(/obstacle: ([^.]*)\./.exec(page)?.[1] ?? '').matchAll(/`(\w+)`/g)]
  const functions = others.map((line) => /execute function (\w+)/.exec(line)?.[1])
  expect(named.map(([, name]) => name).sort()).toEqual([...new Set(functions)].sort())
  expect(others.every((line) => line.includes('referencing'))).toBe(true)
  expect(Math.round((5 * (triggers.length - others.length)) / triggers.length)).toBe(4)
})
