import { pino } from 'pino'
import { expect, test } from 'vitest'
import { until } from '../../../../test/until.ts'
import { alterDatabase, freshDatabase } from '../../../../test/world/postgres.ts'
import { migrate } from '../../../base/db/migrate.ts'
import { openDb } from '../../../base/db/sql.ts'
import { tryWrite } from '../../../base/db/try-write.ts'
import { Secret } from '../../../base/kernel/secrets.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { checkSettings } from './agreed-settings.ts'
import { writeNowOrLater } from './write-now-or-later.ts'

// A supervisor starts the service again and again while a disk is full: it has to say what is wrong, and to go on by itself.
test('a start on a database that takes no writes goes on, and what it has to write is written later', async () => {
  const database = await freshDatabase()
  const secrets = new Keyring([new Secret('1'.repeat(64))])
  const agreed = { here: { PURSER_NETWORK: 'eip155:8453' }, secrets }
  const before = openDb(database.url, 1)
  await checkSettings(before, new Date(), agreed)
  await before.close()
  await alterDatabase(database.url, 'set default_transaction_read_only = on')
  const db = openDb(database.url, 1)
  await using stack = new AsyncDisposableStack()
  try {
    expect(await migrate(database.url)).toEqual([])
    await checkSettings(db, new Date(), agreed)
    let written = 0
    await writeNowOrLater({ log: pino({ level: 'silent' }), stack }, async () => {
      await tryWrite(db)
      written++
    })
    expect(written).toBe(0)
    await alterDatabase(database.url, 'reset default_transaction_read_only')
    await until(() => written === 1)
    const fault = writeNowOrLater({ log: pino({ level: 'silent' }), stack }, async () => {
      throw new Error('a fault')
    })
    await expect(fault).rejects.toThrow('a fault')
  } finally {
    await db.close()
    await database.drop()
  }
})
