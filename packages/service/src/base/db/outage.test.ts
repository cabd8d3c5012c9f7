import { expect, test } from 'vitest'
import { query } from '../../../test/actors/program.ts'
import { until } from '../../../test/until.ts'
import { alterDatabase } from '../../../test/world/postgres.ts'
import { world } from '../../../test/world.ts'
import { readReadiness } from '../../run/status/checks.ts'
import { outageSentence } from './outage.ts'
import { openDb, sql } from './sql.ts'

// An outage that an administrator causes is no fault of a caller, who may ask again. It is named for the operator.
const NAMED: readonly (readonly [string, RegExp])[] = [
  ['08006', /^The database does not answer/],
  ['25006', /^The database takes no writes/],
  ['28000', /^The database refuses the role/],
  ['3D000', /^The database refuses the role/],
  ['42501', /^The database refuses the role/],
  ['53000', /^The database has reached a limit/],
  ['53100', /^The disk of the database is full/],
  ['53200', /no memory left/],
  ['53300', /^The database gives no more connections/],
  ['53400', /^The database has reached a limit/],
  ['55000', /^The database refuses the role/],
  ['55P03', /^The database took too long/],
  ['57014', /^The database took too long/],
  ['57P01', /^The database does not answer/],
  ['57P05', /^The database does not answer/],
  ['58030', /cannot read or write its files/],
  ['58P01', /cannot read or write its files/],
]

test('each class is answered 503 without a word of it, and named for the operator', async () => {
  await using w = await world()
  const { db } = w.services
  const { write } = db
  for (const [state, named] of NAMED) {
    const refuse = sql.raw(`do $$ begin raise sqlstate '${state}' using message = 'secret'; end $$`)
    db.write = (work) =>
      write(async (tx) => {
        await refuse.execute(tx)
        return work(tx)
      })
    const refused = await db.write(async () => undefined).catch((error) => error)
    expect(outageSentence(refused)).toMatch(named)
    expect(outageSentence(refused)).toContain(`(${state})`)
    const ask = { wallet_address: `0x${'1'.repeat(40)}` }
    const answer = await w.call('POST', '/api/auth/challenge', ask)
    expect(answer, state).toMatchObject({ status: 503, body: { code: 'overloaded' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.text).not.toMatch(/secret|postgres/i)
    // Answers are kept for two seconds, by the database that was asked.
    const readiness = await readReadiness({ ...w.services, db: { ...db } })
    expect(readiness).toMatchObject({
      ...{ status: 'not_ready', cards: 'unavailable' },
      checks: {
        database: { ok: true },
        writes: { ok: false, detail: expect.stringMatching(named) },
      },
    })
  }
  db.write = write
})

// A row may fit into a page that is there, where no payment does.
test('readiness tries a write that needs room on the disk, and goes on by itself once sessions may write again', async () => {
  await using w = await world()
  const db = openDb(w.databaseUrl, 2)
  const set = (what: string) => alterDatabase(w.databaseUrl, what)
  const ready = () => readReadiness({ ...w.services, db: { ...db } })
  try {
    expect((await ready()).status).toBe('ready')
    await set('set temp_file_limit = 0')
    const full = openDb(w.databaseUrl, 1)
    expect((await readReadiness({ ...w.services, db: full })).checks.writes).toMatchObject({
      ok: false,
      detail: expect.stringContaining('(53400)'),
    })
    await full.close()
    await set('reset temp_file_limit')

    await set('set default_transaction_read_only = on')
    // The sessions that are open have the old default.
    await query(
      w.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await until(ready, ({ checks }) =>
      expect(checks.writes.detail).toMatch(/^The database takes no writes.*\(25006\)\.$/),
    )
    await set('reset default_transaction_read_only')
    await until(ready, ({ status }) => expect(status).toBe('ready'))
  } finally {
    await db.close()
  }
})
