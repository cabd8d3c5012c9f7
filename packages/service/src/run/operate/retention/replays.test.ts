/** A payment of a month that left for a file is never made again, and harms no other. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  closeUnder,
  directMandate,
  openShop,
  openTerms,
  secondsFrom,
  settleBody,
  settleWith,
  signOpen,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { settle } from '../../../../test/actors/facilitator-kit.ts'
import { payloadFor, presentX402, sellByLink } from '../../../../test/actors/link-kit.ts'
import { askByPermit, permitPayer, permitShop } from '../../../../test/actors/permit2-kit.ts'
import { check, keepState } from '../../../../test/books.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type Reply, type World, world } from '../../../../test/world.ts'
import { all, one, sql } from '../../../base/db/sql.ts'
import { newId, timeOf } from '../../../base/kernel/ids.ts'
import { archiveMonth } from './archive.ts'

const DAY = 86_400
const YEAR = 400 * DAY
const folders: string[] = []
afterAll(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))))

/** Puts away the month of this settlement, five months later. */
async function putAway(w: World, id: string) {
  await w.advance(150 * DAY)
  await w.runJobs()
  await keepState(w)
  const month = timeOf('stl', id)?.toISOString().slice(0, 7) ?? ''
  const dir = await mkdtemp(join(tmpdir(), 'purser-replays-'))
  folders.push(dir)
  const made = await archiveMonth({ db: w.db, at: w.now(), eventDays: 30 }, { month, dir })
  expect(made.manifest?.settlements).toBeGreaterThan(0)
}

const count = async (w: World) => (await all(w.db.reader, sql`select id from settlements`)).length

test('a mandate that is good for a year does not pay again, and others in its batch do', async () => {
  await using w = await world({ settings: { eventDays: 30 } })
  const shop = await openShop(w, { amount: 3, link: { type: 'RECURRING', max_uses: 0 } })
  const terms = () => ({
    ...termsFor(w, shop.link, shop.card),
    expiresAt: secondsFrom(w.now(), YEAR),
  })
  const content = terms()
  const closed = await directMandate(content, shop.userKey)
  const settle = (mandate: string) => settleWith(shop.payer, settleBody(shop, mandate))
  const paid = await settle(closed)
  expect(paid.status, paid.text).toBe(201)
  expect((await settle(closed)).status).toBe(200)
  await putAway(w, paid.body.settlement_id)

  const again = await directMandate(content, shop.userKey)
  for (const replayed of [closed, again, closed]) {
    const fresh = await Promise.all(
      Array.from({ length: 4 }, () => directMandate(terms(), shop.userKey)),
    )
    const before = await count(w)
    const [refused, ...others] = await Promise.all([replayed, ...fresh].map(settle))
    expect([refused?.status, refused?.body.code], refused?.text).toEqual([422, 'mandate_id_reused'])
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await count(w)).toBe(before + 4)
  }
  expect((await check(w)).faults).toEqual([])
})

test('an open mandate has spent what was put away', async () => {
  await using w = await world({ settings: { eventDays: 30 } })
  const shop = await openShop(w, { amount: 3, link: { type: 'RECURRING', max_uses: 0 } })
  const expiresAt = secondsFrom(w.now(), YEAR)
  const open = await signOpen(
    openTerms(w, {
      ...{ shop, expiresAt, recurrence: { frequency: 'ON_DEMAND' } },
      budget: { amount: 700n, currency: 'USD' },
    }),
    shop.userKey,
  )
  const close = () => {
    const terms = { ...termsFor(w, shop.link, shop.card), expiresAt }
    return closeUnder(w, open, { terms, key: shop.agentKey })
  }
  const settle = (closed: string) =>
    settleWith(shop.payer, settleBody(shop, closed, { open_mandate: open }))
  const [first, second] = [await close(), await close()]
  const paid = await settle(first)
  expect(paid.status, paid.text).toBe(201)
  expect((await settle(second)).status).toBe(201)
  await putAway(w, paid.body.settlement_id)
  expect((await settle(first)).body.code).toBe('mandate_id_reused')
  expect((await settle(await close())).body.code).toBe('mandate_budget_exceeded')
})

test('payments on chain, a used-up link and a key with its mandate are as paid as before', async () => {
  await using w = await world({ settings: { eventDays: 30 } })
  await w.withGas()
  const shop = await openShop(w)
  const closed = await directMandate(
    { ...termsFor(w, shop.link, shop.card), expiresAt: secondsFrom(w.now(), YEAR) },
    shop.userKey,
  )
  const byMandate = () =>
    settleWith(shop.payer, settleBody(shop, closed), { 'idempotency-key': 'once' })
  const first = await byMandate()
  expect(first.status, first.text).toBe(201)
  const byCard = () =>
    w.call('POST', `/api/pay/${shop.link.code}/settle`, {
      payer_card_id: shop.card.id,
      payer_card_token: shop.card.token,
    })

  // EIP-3009 to a link, and Permit2 to a seller with an address of its own.
  const sold = await sellByLink(w, { type: 'RECURRING', max_uses: 0 })
  const payload = await payloadFor(w, await freshAccount({ usdc: 1_000_000n }), sold)
  const shown = await presentX402(w, sold.link.code, payload)
  expect(shown.status, shown.text).toBe(200)
  const permits = await permitShop(w)
  const permit = await askByPermit(await permitPayer(), permits.payTo)
  expect((await settle(permits.seller, permit.body)).body.success).toBe(true)
  const before = await permits.paid()
  await w.safe()
  await putAway(w, first.body.settlement_id)

  const kept = await count(w)
  expect((await byMandate()).status).toBeGreaterThanOrEqual(400)
  expect([(await byMandate()).status, (await byCard()).status]).toEqual([422, 410])
  const again = await presentX402(w, sold.link.code, payload)
  expect([again.status, again.body.tx_hash]).toEqual([200, shown.body.tx_hash])
  expect((await settle(permits.seller, permit.body)).body.success).toBe(false)
  expect([await count(w), await permits.paid()]).toEqual([kept, before])
  expect((await check(w)).faults).toEqual([])
})

/** Every way to ask for a payment by its id. */
const answers = async (user: { get(path: string): Promise<Reply> }, id: string) =>
  Object.fromEntries(
    await Promise.all(
      [
        `/api/payments/${id}`,
        `/api/payments/${id}/evidence`,
        `/api/settlement/status/${id}`,
        `/api/ap2/receipts/${id}`,
        `/api/receipts/${id}`,
      ].map(async (path) => {
        const { status, body } = await user.get(path)
        return [path.replace(id, 'id'), `${status} ${body.code ?? ''}`.trim()] as const
      }),
    ),
  )

test('a payment that was put away answers 410 to everybody, and so does any id of its month that is not the caller’s', async () => {
  await using w = await world({ settings: { eventDays: 30 } })
  const shop = await openShop(w, { amount: 3, link: { type: 'RECURRING', max_uses: 0 } })
  const stranger = await w.user()
  const pay = async (): Promise<string> => {
    const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
    const { body } = await settleWith(shop.payer, settleBody(shop, closed))
    expect((await shop.payer.get(`/api/ap2/receipts/${body.settlement_id}`)).status).toBe(200)
    return body.settlement_id
  }
  const [gone, kept] = [await pay(), await pay()]
  const none = newId('stl', w.now())
  const receivedOf = (id: string) =>
    one(
      w.db.reader,
      sql<{ id: string }>`select id from card_settlements_received where settlement_id = ${id}`,
    )
  const received = [await receivedOf(gone), await receivedOf(kept)].map((row) => row?.id ?? '')
  const refunded = await shop.seller.post(`/api/payments/${received[1]}/refund`, { amount: 1 })
  expect(refunded.status, refunded.text).toBe(200)
  const before = await answers(stranger, none)
  expect(new Set(Object.values(before))).toEqual(new Set(['404 not_found']))
  await putAway(w, gone)

  const archived = Object.fromEntries(
    Object.keys(before).map((path) => [path, '410 payment_archived']),
  )
  for (const user of [shop.payer, shop.seller, stranger])
    for (const id of [gone, none]) expect(await answers(user, id)).toEqual(archived)
  // A receipt is shown to whoever has its id.
  const public200 = { '/api/receipts/id': '200' }
  const whole = Object.fromEntries(Object.keys(before).map((path) => [path, '200']))
  expect(await answers(shop.payer, kept)).toEqual(whole)
  expect(await answers(shop.seller, kept)).toEqual(whole)
  expect(await answers(stranger, kept)).toEqual({ ...archived, ...public200 })
  expect(await answers(stranger, newId('stl', w.now()))).toEqual(before)

  const refund = async (user: { post(path: string): Promise<Reply> }, id: string) => {
    const { status, body } = await user.post(`/api/payments/${id}/refund`)
    return `${status} ${body.code ?? ''}`.trim()
  }
  for (const id of [gone, none, ...received.slice(0, 1)])
    expect(await refund(shop.seller, id)).toBe('410 payment_archived')
  for (const id of [gone, none, kept, ...received])
    expect(await refund(stranger, id)).toBe('410 payment_archived')
  expect(await refund(shop.seller, received[1] ?? '')).toBe('200')
})
