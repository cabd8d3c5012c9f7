/** A month of settlements leaves for a file: the books stay in order, and whatever is done to the file or to the rows is named. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { check, keepState, reportsOf, tamper } from '../../../../test/books.ts'
import { type World, world } from '../../../../test/world.ts'
import { all, one, sql } from '../../../base/db/sql.ts'
import { timeOf } from '../../../base/kernel/ids.ts'
import { collectFaults } from '../../../money/ledger/fault.ts'
import { archiveMonth, planMonth } from './archive.ts'
import { filesOf } from './archive-file.ts'
import { checkArchive } from './check-archive.ts'
import { exportArchive } from './export-archive.ts'

const DAY = 86_400
const MEMO = '=1+1, "tea"'
const folders: string[] = []
afterAll(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))))

/** Two payments by mandate and one by card that is refunded in part, five months ago. */
async function stage() {
  const w = await world({ settings: { eventDays: 30 } })
  const shop = await openShop(w, {
    amount: 3,
    link: { type: 'RECURRING', max_uses: 0, memo: MEMO },
  })
  const pay = async () => {
    const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
    const settle = () => settleWith(shop.payer, settleBody(shop, closed))
    const paid = await settle()
    expect(paid.status, paid.text).toBe(201)
    return { id: paid.body.settlement_id as string, settle }
  }
  const [first, second, third] = [await pay(), await pay(), await pay()]
  const received = await one(
    w.db.reader,
    sql<{ id: string }>`select id from card_settlements_received where settlement_id = ${third.id}`,
  )
  const refunded = await shop.seller.post(`/api/payments/${received?.id}/refund`, { amount: 1 })
  expect(refunded.status, refunded.text).toBeLessThan(300)
  await w.advance(150 * DAY)
  await w.runJobs()
  await keepState(w)
  const month = timeOf('stl', first.id)?.toISOString().slice(0, 7) ?? ''
  const dir = await mkdtemp(join(tmpdir(), 'purser-archive-'))
  folders.push(dir)
  const put = (eventDays: number | null = 30) =>
    archiveMonth({ db: w.db, at: w.now(), eventDays }, { month, dir })
  const read = async () => {
    const { note, faults } = collectFaults()
    const rows = await w.db.together((on) => checkArchive(on, dir, note))
    return { rows, faults: faults.map(({ fault }) => fault).join('\n') }
  }
  return { w, shop, first, second, third, month, dir, put, read, paths: filesOf(dir, month) }
}

const settled = (w: World) =>
  all<{ id: string }>(w.db.reader, sql`select id from settlements order by id`)

test('a month leaves whole but for what was refunded, the books stay in order, and the file is read again', async () => {
  const { w, shop, first, third, put, read, month, paths } = await stage()
  await using _w = w
  const before = await check(w)
  const { manifest } = await put()
  expect(manifest).toMatchObject({ month, settlements: 2, batches: 2 })
  expect(await settled(w)).toEqual([{ id: third.id }])
  expect(await read()).toEqual({ rows: 2, faults: '' })
  expect(JSON.parse(await readFile(paths.manifest, 'utf8'))).toEqual(manifest)
  for (const report of await reportsOf(w)) expect(report).not.toContain(':')
  expect(await w.faults()).toEqual([])
  expect((await check(w)).transfers).toBe(before.transfers)

  // A second run finds it done, and the mandate stays paid.
  expect(await put()).toMatchObject({ wasDone: true, manifest: { settlements: 2 } })
  const gone = await shop.seller.post(`/api/payments/txn_${first.id.slice(4)}/refund`)
  expect([gone.status, gone.body.code]).toEqual([410, 'payment_archived'])
  const again = await first.settle()
  expect(again.status).toBeGreaterThanOrEqual(400)
  expect(again.status).toBeLessThan(500)
  // The database refuses a second settlement of it by this row (`months.test.ts`).
  const paid = await all<{ id: string }>(
    w.db.reader,
    sql`select settlement_id as id from paid_mandates order by 1`,
  )
  expect(paid.map(({ id }) => id)).toEqual(expect.arrayContaining([first.id, third.id]))
  expect(await settled(w)).toEqual([{ id: third.id }])
})

test('the payments of a month that was put away are exported, all or those of one name', async () => {
  const { w, shop, first, second, third, put, month, dir, paths } = await stage()
  await using _w = w
  const read = async (of?: string, asJson = true) => {
    const parts: string[] = []
    await w.db.together(async (on) => {
      for await (const part of exportArchive(on, { month, dir, of }, asJson)) parts.push(part)
    })
    return parts.join('\n')
  }
  const rowsOf = async (of?: string) =>
    (await read(of))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  await expect(read()).rejects.toThrow(`${month} was not put away`)
  const seen = await shop.payer.get(`/api/payments/txn_${first.id.slice(4)}`)
  await put()
  const [payment, ...others] = await rowsOf()
  expect(others.map(({ settlement_id }) => settlement_id)).toEqual([second.id])
  const { id, created_at, amount, asset, network } = seen.body.payment
  expect(payment).toMatchObject({
    ...{ settlement_id: first.id, sent_id: id, created_at, asset, network },
    ...{ protocol: 'ap2', amount: String(amount), payer_wallet: shop.payer.wallet },
    ...{ payer_card_id: shop.card.id, receiver_wallet: shop.seller.wallet },
  })
  expect(Number(payment.net_amount)).toBe(amount - Number(payment.fee))
  expect(payment.fee).toMatch(/^0\.\d+$/)
  for (const name of [payment.received_id, payment.mandate_id, first.id, id])
    expect(await rowsOf(name)).toEqual([payment])
  for (const name of [shop.card.id, shop.payer.wallet, shop.seller.wallet, payment.pay_link_code])
    expect(await rowsOf(name)).toEqual([payment, ...others])
  expect(await rowsOf(shop.payer.wallet.toLowerCase())).toEqual([payment, ...others])
  // Refunded, so it stayed.
  expect(await rowsOf(third.id)).toEqual([])

  const [head = '', line = ''] = (await read(first.id, false)).split('\n')
  expect(head.split(',')).toEqual(Object.keys(payment))
  expect(line).toContain(`,"'=1+1, ""tea""",`)

  const rows = await readFile(paths.rows)
  await writeFile(paths.rows, rows.subarray(1))
  await expect(read()).rejects.toThrow(
    'is not as it was written: its SHA-256 differs. Bring a copy',
  )
  await rm(paths.rows)
  await expect(read()).rejects.toThrow(`${paths.rows} is missing`)
})

test('payments go on afterwards, and every way of checking adds them up', async () => {
  const { w, shop, put } = await stage()
  await using _w = w
  await put()
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  expect((await settleWith(shop.payer, settleBody(shop, closed))).status).toBe(201)
  await keepState(w)
  for (const report of await reportsOf(w)) expect(report).not.toContain(':')
})

test('a month that is too young, or that the feed still shows, stays', async () => {
  const { w, put, month, dir } = await stage()
  await using _w = w
  await expect(put(null)).rejects.toThrow('The feed still shows')
  await expect(put(400)).rejects.toThrow('The feed still shows')
  const young = w.now().toISOString().slice(0, 7)
  const order = { month: young, dir }
  await expect(archiveMonth({ db: w.db, at: w.now(), eventDays: 1 }, order)).rejects.toThrow(
    'is too young',
  )
  expect((await settled(w)).length, month).toBe(3)
})

test('a dry run says what would leave, and changes nothing', async () => {
  const { w, put, month, dir } = await stage()
  await using _w = w
  const plan = (eventDays: number | null = 30) =>
    planMonth({ db: w.db, at: w.now(), eventDays }, month)
  await expect(plan(400)).rejects.toThrow('The feed still shows')
  const planned = await plan()
  expect(planned).toMatchObject({ plan: { month, settlements: 2, batches: 2, stay: 1 } })
  expect((await settled(w)).length).toBe(3)
  expect(await readdir(dir)).toEqual([])
  expect((await check(w)).faults).toEqual([])
  const { manifest } = await put()
  expect(manifest).toMatchObject('plan' in planned ? { sums: planned.plan.sums } : {})
  expect(await plan()).toMatchObject({ wasDone: { wasDone: true, manifest: { settlements: 2 } } })
})

test('a month with another byte does not leave', async () => {
  const { w, put, month } = await stage()
  await using _w = w
  await tamper(w.db, `update settlements set amount = amount + 1 where refunded = 0`)
  await expect(put()).rejects.toThrow('Nothing was put away')
  await expect(planMonth({ db: w.db, at: w.now(), eventDays: 30 }, month)).rejects.toThrow(
    'Nothing was put away',
  )
  expect((await settled(w)).length).toBe(3)
})

const FORGED: [what: string, statements: string[], fault: RegExp][] = [
  [
    'a sum of an archived month',
    [
      `update archived_pages set content = regexp_replace(content, '"gained":(\\d+)', '"gained":1\\1') where tally = 'verify_sums'`,
    ],
    /archive: the sums or batches of \S+ are not those/,
  ],
  [
    'a range of batches',
    [`update archived_batches set last = last + 1`],
    /archive: the sums or batches of/,
  ],
  [
    'the row of the month',
    [`update archived_months set settlements = settlements + 1`],
    /seals: archived_months \S+ was changed/,
  ],
  [
    'all that was written down of it',
    [`delete from archived_pages`, `delete from archived_batches`, `delete from archived_months`],
    /hash_chain: .* a transfer was altered, added or removed[\s\S]*seals: archived_months \S+ was sealed and is missing/,
  ],
  [
    'another settlement, deleted by hand',
    [`delete from settlements`],
    /hash_chain: .* a transfer was altered, added or removed/,
  ],
]
test('verify names what was changed of an archived month, and rows that were deleted without one', async () => {
  const { w, put } = await stage()
  await using _w = w
  await put()
  await keepState(w)
  for (const [what, statements, fault] of FORGED) {
    await using other = await (await w.backup()).restore()
    await tamper(other.db, ...statements)
    const { faults } = await check(other)
    expect(faults.map(({ check, fault }) => `${check}: ${fault}`).join('\n'), what).toMatch(fault)
  }
})

test('a changed byte, a missing file and a swapped manifest are named', async () => {
  const { w, put, read, paths } = await stage()
  await using _w = w
  await put()
  const [rows, manifest] = [await readFile(paths.rows), await readFile(paths.manifest)]
  const bent = Buffer.from(rows)
  bent[bent.length >> 1]! ^= 1
  await writeFile(paths.rows, bent)
  expect((await read()).faults).toContain('is not as it was written')
  await rm(paths.rows)
  expect((await read()).faults).toContain(`${paths.rows} is missing`)
  await writeFile(paths.rows, rows)
  await writeFile(paths.manifest, manifest.toString().replace('"batches": 2', '"batches": 1'))
  expect((await read()).faults).toContain('is not the manifest that')
  await rm(paths.manifest)
  expect((await read()).faults).toContain(`${paths.manifest} is missing`)
  await writeFile(paths.manifest, manifest)
  expect((await read()).faults).toBe('')
})
