/** The books, checked in every way that there is, and changed as an attacker would who has the database. */
import { expect } from 'vitest'
import { type Db, sql } from '../src/base/db/sql.ts'
import { followOnce } from '../src/business/stats/follow.ts'
import { checkBooks } from '../src/links/reconcile/books/books.ts'
import { sealBooks } from '../src/money/ledger/seals/seal-books.ts'
import type { Checked, How } from '../src/money/ledger/verify/verify.ts'
import type { World } from './world.ts'

/** Each finds what was changed of the books since the state that an incremental check goes on from. */
const WAYS: Record<string, How> = {
  'on one connection': {},
  'in parts': { connections: 3, partSize: 1 },
  'from a state': { from: 'state' },
}

/** Seals the books as they are, and keeps a state from which an incremental check goes on. */
export async function keepState(w: World): Promise<void> {
  await followOnce(w.services, w.now())
  expect((await sealBooks(w.db, w.now(), { keys: w.services.checkpointKeys })).faults).toEqual([])
  expect((await check(w)).faults).toEqual([])
}

export const check = (w: World, how: How = {}): Promise<Checked> =>
  checkBooks(w.db, { keys: w.services.checkpointKeys, ...how })

/** The faults that each way finds, one a line. */
export async function reportsOf(w: World): Promise<string[]> {
  const reports: string[] = []
  for (const [name, how] of Object.entries(WAYS)) {
    const { faults } = await check(w, how)
    reports.push([name, ...faults.map(({ check, fault }) => `${check}: ${fault}`)].join('\n'))
  }
  return reports
}

/** Runs statements as an attacker who has the database. */
export const tamper = (db: Db, ...statements: string[]): Promise<void> =>
  db.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
