import { expect, test } from 'vitest'
import { alterDatabase, emptyDatabase } from '../../../../test/world/postgres.ts'
import { migrate } from '../migrate.ts'
import { openDb, openPool, sql } from '../sql.ts'
import { openClient } from './client.ts'

/** Settings that a role or a database may be given by others who use the server, with those that each session needs. */
const GIVEN = {
  synchronous_commit: ['off', 'on'],
  DateStyle: ["'SQL, DMY'", 'ISO, DMY'],
  IntervalStyle: ['sql_standard', 'postgres'],
  TimeZone: ["'America/New_York'", 'UTC'],
  bytea_output: ['escape', 'hex'],
  client_min_messages: ['error', 'notice'],
  default_transaction_isolation: ['serializable', 'read committed'],
  extra_float_digits: ['-10', '1'],
  idle_session_timeout: ["'3s'", '0'],
  standard_conforming_strings: ['off', 'on'],
  search_path: ['nowhere', 'public'],
  transaction_timeout: ["'300ms'", '0'],
  // Each pool has its own.
  statement_timeout: ["'300ms'", undefined],
  lock_timeout: ["'300ms'", undefined],
  idle_in_transaction_session_timeout: ["'300ms'", undefined],
} as const
const SHOW = `select json_object_agg(name, setting) as all from unnest(array['${Object.keys(GIVEN).join("','")}']) name,
  current_setting(name) setting`

// With IntervalStyle each key was "not valid"; with synchronous_commit an answered payment was gone after a crash.
test('whatever a database is given, each connection has what the service needs', async () => {
  const database = await emptyDatabase()
  const needed = Object.fromEntries(
    Object.entries(GIVEN).flatMap(([name, [, value]]) => (value ? [[name, value]] : [])),
  )
  try {
    for (const [name, [value]] of Object.entries(GIVEN))
      await alterDatabase(database.url, `set ${name} = ${value}`)
    await migrate(database.url)
    const client = await openClient(database.url)
    const pools = (['requests', 'jobs', 'queue', 'verify', 'replica', 'probe'] as const).map(
      (purpose) => openPool(database.url, 1, { purpose }),
    )
    const shared = openDb(database.url, 1, 'requests', true)
    try {
      for (const one of [client, ...pools]) {
        const [row] = (await one.query(SHOW)).rows
        expect(row.all).toMatchObject(needed)
        expect(row.all.statement_timeout).not.toBe('300ms')
      }
      const [row] = (
        await shared.write((tx) => sql.raw<{ all: Record<string, string> }>(SHOW).execute(tx))
      ).rows
      expect(row?.all).toMatchObject({ ...needed, statement_timeout: '8s' })
    } finally {
      await Promise.all([client.end(), shared.close(), ...pools.map((pool) => pool.end())])
    }
    await alterDatabase(database.url, 'set synchronous_commit = remote_apply')
    const stronger = await openClient(database.url)
    expect((await stronger.query('show synchronous_commit')).rows[0].synchronous_commit).toBe(
      'remote_apply',
    )
    await stronger.end()
  } finally {
    await database.drop()
  }
})
