import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { query } from '../../../../test/actors/program.ts'
import { emptyDatabase } from '../../../../test/world/postgres.ts'
import { migrate } from '../../../base/db/migrate.ts'
import { inSchema } from '../../../base/db/pool/schema.ts'
import { openDb } from '../../../base/db/sql.ts'
import { followedClock } from '../../../base/kernel/clock.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { readConfig } from '../../config/config.ts'
import { DEV_VAULT } from '../../embedded/dev/credentials.ts'
import { DEV_MARKET, DEV_REVENUE } from '../../embedded/dev/market.ts'
import { backUp } from '../commands/backup/backup.ts'
import { restore, restoredText } from '../commands/backup/restore.ts'
import { verifyBackup } from '../commands/backup/verify.ts'
import type { Host } from '../host.ts'
import { checkDatabase } from '../processes/database.ts'
import { alone } from './alone.ts'

// A node that refuses connections, so that every question to the chain fails.
const NO_CHAIN = 'http://127.0.0.1:1'
const SETTINGS = {
  PURSER_RPC_URL: NO_CHAIN,
  PURSER_OPERATOR_KEY: randomHex(32),
  PURSER_RELAYER_KEYS: randomHex(32),
  PURSER_SECRET: randomHex(32).slice(2),
  PURSER_CREDENTIAL_VAULT: DEV_VAULT,
  PURSER_CREDENTIAL_MARKET: DEV_MARKET,
  PURSER_REVENUE_ADDRESS: DEV_REVENUE,
  PUBLIC_URL: 'https://pay.example.com',
}
const host: Host = {
  ...{ fetch, clock: followedClock(), env: SETTINGS, pid: process.pid, program: 'node' },
  print: () => undefined,
  complain: () => undefined,
}

let folder: string
let file: string
let target: Awaited<ReturnType<typeof emptyDatabase>>
const configOf = (DATABASE_URL: string, more = {}) =>
  readConfig({ ...SETTINGS, DATABASE_URL, PURSER_DATA_DIR: join(folder, 'none'), ...more })
const restored = () => restore(configOf(target.url), host, { file, isReplacing: false })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-restore-'))
  file = join(folder, 'one.backup')
  const [source, made] = await Promise.all([emptyDatabase(), emptyDatabase()])
  target = made
  try {
    await migrate(source.url)
    await query(source.url, `insert into credential_owners values ('0xours')`)
    await backUp(configOf(source.url), host, file)
  } finally {
    await source.drop()
  }
})
afterEach(async () => {
  await target.drop()
  await rm(folder, { recursive: true })
})

test('rows that are there are no failure: what a silent chain left undone is said, and the command goes on', async () => {
  const first = await restored()
  expect(first).toMatchObject({ rows_since: null, missing_sales: null })
  expect(first.sales_fault).toMatch(/chain|RPC|answer/i)
  expect(restoredText(first)).toContain(`npx purser sales find --since ${first.made_at}`)

  const again = await restored()
  expect(again).toMatchObject({ rows: first.rows, rows_since: expect.any(String) })
  expect(restoredText(again)).toContain(' by an earlier try: ')
  expect(await query(target.url, 'select * from credential_owners')).toHaveLength(1)
  const acts = await query(
    target.url,
    `select act from audit_acts where act = 'database.restored' or act = 'backup.begun' order by 1`,
  )
  expect(acts.map(({ act }) => act)).toEqual(['backup.begun', 'database.restored'])
  expect(await query(target.url, 'select 1 from restored_backup')).toHaveLength(1)
})

test('rows that cannot be put there leave nothing behind, and the next try has them', async () => {
  await migrate(target.url)
  const isFull = 'check (wallet_address is null) not valid'
  await query(target.url, `alter table credential_owners add constraint is_full ${isFull}`)
  await expect(restored()).rejects.toThrow(/is_full.* None of the rows is in the database: run the/)
  expect(await query(target.url, 'select 1 from restored_backup')).toEqual([])
  await query(target.url, 'alter table credential_owners drop constraint is_full')
  expect(await restored()).toMatchObject({ rows_since: null })
})

// A role's search_path, and a service of another data folder, once hid the tables and the service from the command.
test('a database that a service works on or has worked on is left alone, wherever it runs', async () => {
  const own = inSchema(target.url, 'elsewhere')
  await migrate(own)
  await query(own, `insert into elsewhere.chain_identity values ('eip155:84532', 'genesis 0x1')`)
  await expect(restored()).rejects.toThrow('The database is in use already: name a new one')
  const service = openDb(own, 1)
  await service.together(async () => {
    await expect(restored()).rejects.toThrow('A service or another restore works on this database')
    await query(
      own,
      `insert into elsewhere.machines (id, host, pid, version, roles, processes)
         values ('mch_${'0'.repeat(26)}', 'pay-2', 77, '0.1.0', '{api}', 1)`,
    )
    const running = 'The service runs on this database, on pay-2 as process 77: stop it first.'
    await expect(restored()).rejects.toThrow(running)
  })
  await service.close()
  // As a service behind a pooler in transaction mode, whose connections hold nothing.
  await expect(restored()).rejects.toThrow('on pay-2 as process 77')
})

test('jobs of another program are left in the queue that they share with us', async () => {
  await migrate(target.url)
  await query(target.url, `select graphile_worker.add_job('of_the_shop', '{"order": 7}')`)
  await expect(restored()).rejects.toThrow('has jobs already, of another program')
  const jobs = 'select task_identifier as task from graphile_worker.jobs'
  expect(await query(target.url, jobs)).toEqual([{ task: 'of_the_shop' }])
})

test('a server that the service could not work on is refused before a table is made', async () => {
  const admin = inject('postgresUrl')
  const name = `latin_${randomHex(4).slice(2)}`
  await query(admin, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href
  try {
    const filled = restore(configOf(url), host, { file, isReplacing: false })
    await expect(filled).rejects.toThrow('has the encoding LATIN1')
    const ours = `select from pg_class where relnamespace = 'public'::regnamespace`
    expect(await query(url, ours)).toEqual([])
  } finally {
    await query(admin, `drop database ${name}`)
  }
})

const KEYS = {
  PURSER_BACKUP_RECIPIENT: 'age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj',
  PURSER_BACKUP_IDENTITY:
    'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX',
}
const OTHER_KEY = 'AGE-SECRET-KEY-1XQTLHMDML4JXX4HLEM7RPAR2HNF64Y8FVUHL3292T4W8KDWEGVRSNCQKY5'

test('an encrypted backup is checked and restored with its key alone', async () => {
  const { rows } = await restored()
  const secret = join(folder, 'secret.backup')
  const { PURSER_BACKUP_RECIPIENT, PURSER_BACKUP_IDENTITY } = KEYS
  await backUp(configOf(target.url, { PURSER_BACKUP_RECIPIENT }), host, secret)
  expect(String((await readFile(secret)).subarray(0, 21))).toBe('age-encryption.org/v1')
  const verified = (more: object) => verifyBackup(configOf(target.url, more), host, secret)
  await expect(verified({})).rejects.toThrow('is encrypted: set PURSER_BACKUP_IDENTITY to the key')
  await expect(verified({ PURSER_BACKUP_IDENTITY: OTHER_KEY })).rejects.toThrow(
    'is encrypted for another key than PURSER_BACKUP_IDENTITY',
  )
  const whole = {
    is_encrypted: true,
    version: configOf(target.url).version,
    is_of_this_version: true,
  }
  expect(await verified({ PURSER_BACKUP_IDENTITY })).toMatchObject(whole)
  expect(await verifyBackup(configOf(target.url), host, file)).toMatchObject({
    rows,
    is_encrypted: false,
  })

  const other = await emptyDatabase()
  try {
    const config = configOf(other.url, { PURSER_BACKUP_IDENTITY })
    await restore(config, host, { file: secret, isReplacing: false })
    expect(await query(other.url, 'select * from credential_owners')).toHaveLength(1)
  } finally {
    await other.drop()
  }
})

test('while a restore fills a database, services and commands hear to wait', async () => {
  const db = openDb(target.url, 2, 'verify')
  await alone(db, async () => {
    const { database } = configOf(target.url)
    if (database.kind !== 'url') throw new Error('the test has a database of its own')
    await expect(checkDatabase(database)).rejects.toThrow('A restore fills this database: wait')
  })
  await db.close()
})
