import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../../test/world/postgres.ts'
import { catalogueFaults } from '../../../base/db/catalogue.ts'
import { migrate, readSchema } from '../../../base/db/migrate.ts'
import { openDb } from '../../../base/db/sql.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { loadRows } from './restore.ts'
import { writeBackup } from './write.ts'

test('a restored database says what was applied to itself, not to the one that the backup was made of', async () => {
  const [before, after] = [await emptyDatabase(), await emptyDatabase()]
  try {
    await migrate(before.url, { contract: false })
    const file = join(await mkdtemp(join(tmpdir(), 'purser-form-')), 'one.backup')
    const secret = new Secret(randomHex(32).slice(2))
    await writeBackup(file, { databaseUrl: before.url, secret, chainFile: null, at: new Date() })
    await migrate(after.url)
    await loadRows(after.url, file)
    expect(await readSchema(after.url)).toEqual({ pending: [], waiting: [], newer: [] })
    const db = openDb(after.url, 1, 'requests', true)
    expect(await db.together(catalogueFaults)).toEqual([])
    await db.close()
  } finally {
    await Promise.all([before.drop(), after.drop()])
  }
})
