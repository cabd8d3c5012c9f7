import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, fillCards, fillPayments, fund } from '../../../../../bench/stage/fill-cards.ts'
import { type Database, freshDatabase } from '../../../test/world/postgres.ts'
import { all, type Db, openDb, sql } from '../../base/db/sql.ts'
import { readBatchesAfter } from '../../money/ledger/follow.ts'
import { countByCardStatement } from './store-count.ts'
import { readPlaces } from './store-progress.ts'
import { countSpendingStatement } from './store-spending.ts'

const PAYMENTS = 1_200

let database: Database
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  db = openDb(database.url, 1, 'jobs')
  const client = await connect(database.url)
  // From now on each table counts as empty.
  await client.query('vacuum analyze')
  await fillCards(client, 400)
  const [payers, sellers] = [
    { from: 1, count: 300 },
    { from: 301, count: 100 },
  ]
  await fund(client, payers, 1_000_000)
  await fillPayments(client, { payers, sellers, count: PAYMENTS, series: 1, batch: 40 })
  await client.end()
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

type Node = { Plans?: Node[] } & Record<string, number | undefined>

/** The rows that a plan's steps made and threw away. */
function rowsOf(node: Node): number {
  const per = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Join Filter']
  const own = per.reduce((sum, name) => sum + (node[name] ?? 0), 0) * (node['Actual Loops'] ?? 1)
  return (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), own)
}

// A page of 20,000 payments once took 25 s so: the plan compared each with each other.
test('a page takes so many rows a payment, though the tables were empty when they were analyzed', async () => {
  const undone = new Error('undone')
  const rows: number[] = []
  const counting = db.write(async (tx) => {
    const { batches } = await readBatchesAfter(tx, await readPlaces(tx), {
      batches: 500,
      transfers: 20_000,
    })
    for (const statement of [countByCardStatement, countSpendingStatement]) {
      const plan = await all<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        tx,
        sql`explain (analyze, format json) ${statement(batches.map(({ id }) => id))}`,
      )
      rows.push(rowsOf(Object.values(plan[0]!)[0]![0]!.Plan) / PAYMENTS)
    }
    throw undone
  })
  await expect(counting).rejects.toBe(undone)
  expect(Math.min(...rows)).toBeGreaterThan(10)
  expect(Math.max(...rows)).toBeLessThan(60)
})
