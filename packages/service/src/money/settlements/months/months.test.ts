/** Settlements lie in tables by month, and what the one table promised holds over all of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { type World, world } from '../../../../test/world.ts'
import { all, one, type RawBuilder, sql } from '../../../base/db/sql.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { tryLockStates, unlockStates } from '../../ledger/verify/store-states.ts'
import { hasStray, makeMonths } from './store.ts'

let w: World
let id: string
beforeAll(async () => {
  w = await world()
  const shop = await openShop(w)
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const { status, body } = await settleWith(shop.payer, settleBody(shop, closed))
  expect(status).toBe(201)
  id = body.settlement_id
})
afterAll(() => w[Symbol.asyncDispose]())

const run = (statement: RawBuilder<unknown>) => w.write((tx) => statement.execute(tx))
const tableOf = async (settlement: string) =>
  (
    await one(
      w.db.reader,
      sql<{
        name: string
      }>`select tableoid::regclass::text as name from settlements where id = ${settlement}`,
    )
  )?.name
/** The table that a settlement of this time belongs to. */
const nameOf = (at: Date) => `settlements_${at.toISOString().slice(0, 7).replace('-', '_')}`
const monthsLater = (months: number) => {
  const now = w.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 15))
}
/** Settles once more what this settlement did, with the id of another time. It moves money, but the counters do not follow. */
const again = async (at: Date, mandate: string) => {
  const next = newId('stl', at)
  await run(sql`insert into settlements select r.* from settlements s,
    jsonb_populate_record(s, jsonb_build_object('id', ${next}::text, 'batch', (select nextval('ledger_batch_ids')),
      'mandate_id', ${mandate}::text)) r where s.id = ${id}`)
  return next
}

test('the bounds of months are those of ids', async () => {
  const at = new Date('2027-03-01T00:00:00.001Z')
  const row = await one(
    w.db.reader,
    sql<{ first: string; time: Date }>`select first_settlement_id(${at}) as first,
      settlement_id_time(first_settlement_id(${at})) as time`,
  )
  expect(row?.time).toEqual(at)
  expect(newId('stl', at).startsWith(row?.first ?? 'none')).toBe(true)
})

test('a settlement lies in the table of its month, and months are made ahead of time', async () => {
  expect(await tableOf(id)).toBe(nameOf(w.now()))
  await w.write((tx) => makeMonths(tx, w.now()))
  const names = await all(
    w.db.reader,
    sql<{
      name: string
    }>`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'settlements'::regclass`,
  )
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining([0, 1, 2, 3].map((months) => nameOf(monthsLater(months)))),
  )
})

test('months are made while a check of the books writes its state', async () => {
  await w.db.together(async (on) => {
    expect(await tryLockStates(on)).toBe(true)
    await w.write((tx) => makeMonths(tx, w.now()))
    await unlockStates(on)
  })
})

test.each(['delete from', 'truncate'])(
  'nobody goes past the triggers of the whole: %s a month',
  async (act) => {
    await expect(run(sql.raw(`${act} ${nameOf(w.now())}`))).rejects.toThrow('insert only')
  },
)

test('a month takes no row but through the whole, and changes none', async () => {
  const month = sql.raw(nameOf(w.now()))
  await expect(run(sql`insert into ${month} select * from ${month}`)).rejects.toThrow('insert only')
  await expect(run(sql`update ${month} set refunded = 1`)).rejects.toThrow('insert only')
})

test('a mandate pays once, whatever month its second settlement would be in', async () => {
  const row = await one(
    w.db.reader,
    sql<{ mandateId: string }>`select mandate_id from settlements where id = ${id}`,
  )
  for (const months of [0, 1, 40])
    await expect(again(monthsLater(months), row?.mandateId ?? '')).rejects.toThrow(
      'one_payment_per_mandate',
    )
})

test('the check of the books names a mandate that could pay again', async () => {
  const forbidden = (statement: RawBuilder<unknown>) =>
    w.write(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await statement.execute(tx)
    })
  await forbidden(sql`update paid_mandates set settlement_id = settlement_id || 'x'`)
  expect(await w.faults()).toEqual([
    { check: 'facts', fault: `the mandate of settlement ${id} is not marked as paid` },
  ])
  await forbidden(sql`update paid_mandates set settlement_id = left(settlement_id, -1)`)
  expect(await w.faults()).toEqual([])
})

test('a settlement without a month is kept, and moves into its month once that is made', async () => {
  const at = monthsLater(9)
  const stray = await again(at, 'a mandate of another id')
  expect(await tableOf(stray)).toBe('settlements_rest')
  expect(await hasStray(w.db.reader)).toBe(true)
  await w.write((tx) => makeMonths(tx, at))
  expect(await tableOf(stray)).toBe(nameOf(at))
  expect(await hasStray(w.db.reader)).toBe(false)
  await expect(run(sql`delete from settlements_rest`)).rejects.toThrow('insert only')
})
