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
