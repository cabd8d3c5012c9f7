import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fencesFor, settingsIn } from '../../../../test/operate/fences.ts'
import { ownPort } from '../../../../test/run/own-port.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { type RunningPostgres, startPostgres } from '../../../run/embedded/postgres/postgres.ts'
import { all, isLost, openDb, openPool, sql } from '../sql.ts'
import { openClient } from './client.ts'
import { placesOf, readHosts, withoutPassword } from './hosts.ts'

test.each([
  ['postgres://u:p@a:5432/n', ['postgres://u:p@a:5432/n'], false],
  ['postgres://u:p@a:1,b:2/n', ['postgres://u:p@a:1/n', 'postgres://u:p@b:2/n'], true],
  [
    'postgresql://u@a,b/n?sslmode=require&target_session_attrs=read-write',
    ['postgresql://u@a/n?sslmode=require', 'postgresql://u@b/n?sslmode=require'],
    true,
  ],
  ['postgres://a/n?target_session_attrs=primary&x=1', ['postgres://a/n?x=1'], true],
  ['postgres://u:p@s,s@a,b/n', ['postgres://u:p@s,s@a/n', 'postgres://u:p@s,s@b/n'], true],
])('%s names its servers', (text, urls, mustAsk) => {
  expect(readHosts(text)).toEqual({ urls, mustAsk })
})

test.each([
  'mysql://a/n',
  'postgres:///n',
  'postgres://a,,b/n',
  'postgres://a:x,b/n',
  'postgres://a,b/n?target_session_attrs=standby',
])('%s is no address', (text) => {
  expect(readHosts(text)).toBeUndefined()
})

test('the places of an address have no password', () => {
  expect(placesOf('postgres://u:secret@a:5432,b:5433/n')).toBe('a:5432 or b:5433')
})

test.each([
  ['postgres://u:p@ss@a:5432/n', 'postgres://u@a:5432/n'],
  ['postgres://u:p:w@a,b:1/n?x=1&password=p', 'postgres://u@a,b:1/n?x=1'],
  ['postgres://u@a/n?password=p&x=1', 'postgres://u@a/n?x=1'],
  ['postgres://a/n@m', 'postgres://a/n@m'],
])('%s is shown without its password', (text, shown) => {
  expect(withoutPassword(text)).toBe(shown)
})

let other: RunningPostgres
let folder: string
let hosts: string[]
let both: (first: 'writes' | 'read-only') => string
let drop: () => Promise<void>

// A second server that takes no writes, with the user, password and database of the first.
beforeAll(async () => {
  const database = await freshDatabase()
  drop = database.drop
  const url = new URL(database.url)
  folder = await mkdtemp(join(tmpdir(), 'purser-reach-'))
  other = await startPostgres({ dataDir: join(folder, 'postgres'), port: await ownPort() })
  const client = await openClient(other.url)
  await client.query(`do $$ begin if not exists (select from pg_roles where rolname = '${url.username}') then
    create role ${url.username} login superuser; end if; end $$`)
  await client.query(`alter role ${url.username} password '${url.password}'`)
  await client.query(`create database ${url.pathname.slice(1)}`)
  await client.query(
    `alter database ${url.pathname.slice(1)} set default_transaction_read_only = on`,
  )
  await client.end()
  hosts = [url.host, new URL(other.url).host]
  both = (first) => {
    const order = first === 'writes' ? hosts : hosts.toReversed()
    return database.url.replace(url.host, order.join(','))
  }
})
afterAll(async () => {
  await other.stop()
  await rm(folder, { recursive: true, force: true })
  await drop()
})

test.each(['writes', 'read-only'] as const)(
  'of two servers the one that takes writes is used: %s first',
  async (first) => {
    const url = both(first)
    const db = openDb(url, 2)
    const pool = openPool(url, 1)
    const client = await openClient(url)
    const asked = `select current_setting('transaction_read_only') as answer`
    try {
      const [row] = await db.write((tx) => all(tx, sql.raw<{ answer: string }>(asked)))
      expect(row?.answer).toBe('off')
      for (const on of [pool, client]) expect((await on.query(asked)).rows[0].answer).toBe('off')
    } finally {
      await Promise.all([db.close(), pool.end(), client.end()])
    }
  },
)

// One was promoted by accident, and nobody can tell which: what it takes is thrown away later.
test('of two servers that both take writes none is used, and one with two names is one', async () => {
  const url = both('writes')
  const [first = '', second = ''] = readHosts(url)?.urls ?? []
  const { host, pathname } = new URL(first)
  const writes = async (how: 'on' | 'off') => {
    const client = await openClient(second.replace(pathname, '/postgres'))
    await client.query(
      `alter database ${pathname.slice(1)} set default_transaction_read_only = ${how}`,
    )
    await client.end()
  }
  const db = openDb(url, 1)
  await writes('off')
  try {
    const error = await sql`select 1`.execute(db.reader).catch((caught) => caught)
    expect(String(error)).toContain('Several servers of the address take writes')
    expect(isLost(error)).toBe(true)
  } finally {
    await writes('on')
  }
  const twice = await openClient(url.replace(/@[^/]*\//, `@${host},${host}/`))
  try {
    await all(db.reader, sql`select 1`)
    await twice.query('select 1')
  } finally {
    await Promise.all([db.close(), twice.end()])
  }
})

test('without a server that takes writes the loss is said, and a caller may try again', async () => {
  const [, second = ''] = readHosts(both('writes'))?.urls ?? []
  const db = openDb(`${second}?target_session_attrs=read-write`, 1)
  try {
    const error = await sql`select 1`.execute(db.reader).catch((caught) => caught)
    expect(String(error)).toContain('takes writes')
    expect(isLost(error)).toBe(true)
  } finally {
    await db.close()
  }
})

test('the address that the page for operators shows leads to the server that takes writes', async () => {
  const page = fencesFor('packages/service/src/base/db/pool/reach.test.ts')
  const [settings = {}] = page
    .take('postgres-ha.md', 'By haproxy, or by the driver')
    .map(settingsIn)
  expect(page.left()).toEqual([])
  const { username, password, pathname } = new URL(readHosts(both('writes'))?.urls[0] ?? '')
  const [first, second] = hosts
  // The first of three members is dead.
  const url = `${settings.DATABASE_URL}`
    .replace('purser:password@', `${username}:${password}@`)
    .replace('a:5432,b:5432,c:5432', `127.0.0.1:${await ownPort()},${second},${first}`)
    .replace('/purser?', `${pathname}?`)
  const client = await openClient(url)
  try {
    const { rows } = await client.query(`select current_setting('transaction_read_only') as answer`)
    expect(rows[0].answer).toBe('off')
  } finally {
    await client.end()
  }
})
