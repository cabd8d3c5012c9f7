// Writes schema.sql, which shows the schema that the migrations make.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../packages/service/src/base/db/migrate.ts'
import { openDb } from '../../packages/service/src/base/db/sql.ts'
import { startPostgres } from '../../packages/service/src/run/embedded/postgres/postgres.ts'
import { schemaText } from './text.ts'

const SCHEMA = new URL('../../packages/service/src/base/db/schema.sql', import.meta.url)

const folder = await mkdtemp(join(tmpdir(), 'purser-schema-'))
try {
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), isThrowaway: true })
  try {
    await migrate(postgres.url)
    const db = openDb(postgres.url, 1)
    await writeFile(SCHEMA, await schemaText(db.reader).finally(db.close))
  } finally {
    await postgres.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
