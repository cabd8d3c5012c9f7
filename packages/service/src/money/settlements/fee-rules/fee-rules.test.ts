/** The operator changes a fee while payments are made, on several machines. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  type Shop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { join } from '../../../../test/actors/members/meter-kit.ts'
import { handMadeSeller } from '../../../../test/sellers/x402-sellers.ts'
import { type World, world } from '../../../../test/world.ts'
import { all, type RawBuilder, sql } from '../../../base/db/sql.ts'
import { amount } from '../../../base/kernel/money.ts'
import { feesJson, feesText, setFees } from '../../../run/operate/commands/fees.ts'

let w: World
let other: World
let shop: Shop
const STANDARD = { bps: 50n, flat: amount(0n) }
beforeAll(async () => {
  w = await world()
  other = await w.machine()
  shop = await openShop(w, { amount: 1, limit: 500, link: { type: 'RECURRING', max_uses: 0 } })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

/** As `purser fees set` does it. */
const set = (...words: string[]) =>
  setFees({ db: w.db, chain: w.chain }, w.now(), { words, note: 'agreed' }, STANDARD)

/** Pays the link on this machine, and answers the fee. */
async function feeOn(machine: World): Promise<number> {
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const { status, body } = await settleWith(machine.as(shop.payer), settleBody(shop, closed))
  expect(status).toBe(201)
  return body.fee
}
const onBoth = async () => [await feeOn(w), await feeOn(other)]
const events = (wallet: string) =>
  all(
    w.db.reader,
    sql<{ data: Record<string, unknown> }>`select data from events
      where wallet_address = ${wallet} and type = 'fees.changed' order by seq`,
  )

test('a change counts from the next settlement on, on every machine that remembers the rule before', async () => {
  const { wallet } = shop.seller
  expect(await onBoth()).toEqual([0.005, 0.005])
  await set('default', 'settlement', '100')
  expect(await onBoth()).toEqual([0.01, 0.01])
  await set(wallet.toLowerCase(), 'settlement', '25', '0.01')
  expect(await onBoth()).toEqual([0.0125, 0.0125])
  await set('starter', 'settlement', '10')
  await join(w, shop.seller)
  expect(await onBoth()).toEqual([0.0125, 0.0125])
  await set(wallet, 'settlement', 'none')
  expect(await onBoth()).toEqual([0.001, 0.001])
  await set('starter', 'settlement', 'none')
  const shown = await set('default', 'settlement', 'none')
  expect(await onBoth()).toEqual([0.005, 0.005])
  expect(JSON.parse(feesJson(shown))).toMatchObject({
    configured: { bps: 50, flat: '0' },
    rules: [],
  })
  expect(shown.changes).toHaveLength(6)
  expect(feesText(shown)).toContain(`settlement  ${wallet}  25 bps + 0.01 USDC`)
  // Each change is an event, with what counts from then on.
  expect((await events(wallet)).map(({ data }) => [data.bps, data.flat])).toEqual([
    [25, 0.01],
    [10, 0],
  ])
  expect(await events(w.chain.treasury.address)).toMatchObject([
    { data: { scope: 'default', subject: '', kind: 'settlement', bps: 100 } },
    { data: { scope: 'tier', subject: 'starter', bps: 10 } },
    { data: { scope: 'tier', bps: 100 } },
    { data: { scope: 'default', bps: 50 } },
  ])
  expect(await w.faults()).toEqual([])
})

test('while fees change, every settlement has one that was set, and the books agree', async () => {
  const fees: number[] = []
  const changing = (async () => {
    for (let i = 1; i <= 8; i++) await set('default', 'settlement', String(i * 100))
  })()
  for (let i = 0; i < 8; i++) fees.push(...(await Promise.all([feeOn(w), feeOn(other)])))
  await changing
  const allowed = [0.005, ...Array.from({ length: 8 }, (_, i) => (i + 1) / 100)]
  expect(fees.filter((fee) => !allowed.includes(fee))).toEqual([])
  expect(await onBoth()).toEqual([0.08, 0.08])
  await set('default', 'settlement', 'none')
  expect(await w.faults()).toEqual([])
})

test('the payer of a URL pays the fee of its own wallet, and the public pages show the default', async () => {
  await using seller = await handMadeSeller({ amount: 1_000_000n, serve: () => undefined })
  const simulate = async () => {
    const { id, token } = shop.card
    const asked = { card_id: id, card_token: token, url: seller.url, method: 'GET' }
    const { status, body } = await shop.payer.post('/api/pay/simulate', asked)
    expect(status).toBe(200)
    return body.platform_fee
  }
  expect(await simulate()).toBe(0.005)
  await set(shop.payer.wallet, 'payment', '0', '0.002')
  await set('default', 'settlement', '75', '0.001')
  expect(await simulate()).toBe(0.002)
  expect((await w.call('GET', '/api/config')).body.fees).toEqual({ bps: 75, flat: 0.001 })
  const { settlement } = (await w.call('GET', '/api/status')).body.protocols
  expect(settlement.fee).toMatchObject({ bps: 75, flat: 0.001 })
})

test('a stream keeps the fee of its opening, since its budget is on hold from then on', async () => {
  const { card, payer, sellerCard, seller } = shop
  const of = { card_id: card.id, card_token: card.token }
  const asked = { ...of, budget: 1, tick_amount: 0.5, receiver_card_id: sellerCard.id }
  await set(seller.wallet, 'settlement', '1000')
  const { id } = (await payer.post('/api/mpp/stream/open', asked)).body
  await set(seller.wallet, 'settlement', '0')
  await payer.post('/api/mpp/stream/tick', { ...of, stream_id: id })
  expect((await payer.post('/api/mpp/stream/close', { stream_id: id })).status).toBe(200)
  const [received] = (await seller.get(`/api/payments?card_id=${sellerCard.id}&limit=1`)).body
    .payments
  expect(received).toMatchObject({ protocol: 'mpp', amount: 0.45, fee: 0.05 })
  await set(seller.wallet, 'settlement', 'none')
})

test.each([
  [['nobody', 'settlement', '10'], 'nobody who has a fee'],
  [['0x12', 'settlement', '10'], 'The wallet'],
  [['default', 'gift', '10'], 'Unknown fee kind'],
  [['default', 'settlement', '10001'], 'basis points'],
  [['default', 'settlement', '-1'], 'basis points'],
  [['default', 'settlement', '1.5'], 'basis points'],
  [['default', 'settlement', '10', '-1'], 'flat fee'],
  [['default', 'settlement', '10', '0.0000001'], 'decimals'],
  [['default', 'settlement', '10', '1', 'x'], 'mean'],
  [['growth', 'direct_overage', '10'], 'flat fee'],
  [['growth', 'sale', 'none'], 'no such rule'],
])('an order such as %j is refused with a sentence', async (words, sentence) => {
  await expect(set(...words)).rejects.toThrow(sentence)
})

test('the database takes new rules only, and the seals find one that was changed', async () => {
  await set('growth', 'direct_overage', '0', '0.03')
  const refused = (statement: RawBuilder<unknown>) =>
    expect(w.write((tx) => statement.execute(tx))).rejects.toThrow()
  await refused(sql`update fee_rules set flat = 1`)
  await refused(sql`delete from fee_rules`)
  const insert = (scope: string, subject: string, kind: string, bps: number | null) =>
    refused(sql`insert into fee_rules (scope, subject, kind, bps, flat, effective_at)
      values (${scope}, ${subject}, ${kind}, ${bps}, 1, now())`)
  await insert('default', 'starter', 'sale', 1)
  await insert('tier', 'gold', 'sale', 1)
  await insert('wallet', 'me', 'sale', 1)
  await insert('default', '', 'sale', 10_001)
  await insert('default', '', 'sale', null)
  await insert('default', '', 'direct_overage', 1)
  expect(await w.faults()).toEqual([])
  await w.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update fee_rules set flat = 1 where subject = 'growth'`.execute(tx)
  })
  expect(await w.faults()).toMatchObject([{ check: 'seals' }])
})
