import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fleet } from '../../../../test/actors/ap2/fleet.ts'
import {
  addKey,
  directMandate,
  newKey,
  openShop,
  type Shop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { join } from '../../../../test/actors/members/meter-kit.ts'
import { pause } from '../../../../test/until.ts'
import { type World, world } from '../../../../test/world.ts'
import { type RawBuilder, sql } from '../../../base/db/sql.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { plus } from '../../../base/kernel/money.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { laneOf } from './lane.ts'
import { readMandate } from './present.ts'

let w: World
let shop: Shop
/** The lane's memory: read into where something is unknown, and forgotten where it could not decide. */
let read: { mock: { calls: unknown[] } }
let forgot: { mock: { calls: unknown[] } }[]
const countForgot = () => forgot.reduce((sum, { mock }) => sum + mock.calls.length, 0)
beforeAll(async () => {
  w = await world()
  shop = await openShop(w, { amount: 1, limit: 500, link: { type: 'RECURRING', max_uses: 0 } })
  const { cache } = laneOf(w.services)
  read = vi.spyOn(cache, 'read')
  forgot = [vi.spyOn(cache, 'forget'), vi.spyOn(cache, 'forgetAll')]
})
afterAll(() => w[Symbol.asyncDispose]())
beforeEach(() => {
  vi.clearAllMocks()
})

const mandate = () => directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
async function settle(closed: string, over: object = {}, headers: Record<string, string> = {}) {
  const { status, body } = await settleWith(shop.payer, settleBody(shop, closed, over), headers)
  return body.code ?? status
}
/** As another process, or an operator, changes a row: nothing here hears of it. */
const elsewhere = (statement: RawBuilder<unknown>) => w.write((tx) => statement.execute(tx))
const card = (change: RawBuilder<unknown>) =>
  sql`update cards set ${change} where id = ${shop.card.id}`
const link = (change: RawBuilder<unknown>) =>
  sql`update pay_links set ${change} where code = ${shop.link.code}`

test('payments and replays are decided without a read once their rows are remembered', async () => {
  const first = await mandate()
  expect(await settle(first)).toBe(201)
  // A mandate that was signed before the process began may have paid through another: that is read.
  await w.advance(2)
  vi.clearAllMocks()
  for (let i = 0; i < 5; i++) expect(await settle(await mandate())).toBe(201)
  expect(await settle(first)).toBe(200)
  expect(await settle(await mandate(), {}, { 'idempotency-key': 'remembered-1' })).toBe(201)
  expect(read.mock.calls).toHaveLength(0)
  expect(countForgot()).toBe(0)
  expect(await w.faults()).toEqual([])
})

test('what is refused is refused on rows that were read, and leaves payments as they were', async () => {
  expect(await settle(await mandate(), { card_token: `tok_${'x'.repeat(43)}` })).toBe(
    'invalid_card_token',
  )
  const late = termsFor(w, shop.link, shop.card)
  const expired = await directMandate({ ...late, expiresAt: w.now() }, shop.userKey)
  expect(await settle(expired)).toBe('mandate_expired')
  expect(await settle(await mandate())).toBe(201)
})

const category = (
  mcc: string | null,
) => sql`insert into merchant_categories (wallet_address, mcc, note, assigned_at)
  values (${shop.seller.wallet}, ${mcc}, 'test', now()) on conflict (wallet_address) do update set mcc = ${mcc}`

/** Each change between two payments: what the second is answered, and how to take the change back. */
const CHANGES: [
  what: string,
  change: () => RawBuilder<unknown>,
  answered: string,
  back: () => RawBuilder<unknown>,
][] = [
  [
    'a frozen card',
    () => card(sql`status = 'FROZEN'`),
    'card_frozen',
    () => card(sql`status = 'ACTIVE'`),
  ],
  [
    'a lower limit',
    () => card(sql`limit_amount = spent`),
    'limit_exceeded',
    () => card(sql`limit_amount = 500000000`),
  ],
  [
    'a hold',
    () => card(sql`held = limit_amount - spent`),
    'limit_exceeded',
    () => card(sql`held = 0`),
  ],
  [
    'a largest transaction',
    () => card(sql`max_transaction = 1`),
    'max_transaction_exceeded',
    () => card(sql`max_transaction = null`),
  ],
  [
    'a daily limit',
    () => card(sql`daily_limit = day_used, day_cap = day_used`),
    'daily_limit_exceeded',
    () => card(sql`daily_limit = null, day_cap = null`),
  ],
  [
    'an allowed merchant',
    () => card(sql`allowed_merchants = '{shop.example}'`),
    'merchant_not_allowed',
    () => card(sql`allowed_merchants = '{}'`),
  ],
  [
    'a cancelled link',
    () => link(sql`status = 'CANCELLED'`),
    'pay_link_cancelled',
    () => link(sql`status = 'ACTIVE'`),
  ],
  [
    'a link that ended',
    () => link(sql`expires_at = now() - interval '1 second'`),
    'pay_link_expired',
    () => link(sql`expires_at = null`),
  ],
  [
    'a link of another price',
    () => link(sql`amount = 2000000`),
    'invalid_amount',
    () => link(sql`amount = 1000000`),
  ],
]

test.each(CHANGES)(
  'a payment after %s is decided on the change',
  async (_, change, answered, back) => {
    expect(await settle(await mandate())).toBe(201)
    await elsewhere(change())
    const before = countForgot()
    expect(await settle(await mandate())).toBe(answered)
    expect(countForgot()).toBeGreaterThan(before)
    await elsewhere(back())
    expect(await settle(await mandate())).toBe(201)
  },
)

test('a token that was rotated elsewhere neither pays nor replays any more', async () => {
  const paid = await mandate()
  expect(await settle(paid)).toBe(201)
  const { token } = (await shop.payer.post(`/api/cards/${shop.card.id}/rotate-token`, {})).body.card
  expect(await settle(paid)).toBe('invalid_card_token')
  expect(await settle(await mandate())).toBe('invalid_card_token')
  shop.card.token = token
  expect(await settle(paid)).toBe(200)
  expect(await settle(await mandate())).toBe(201)
})

test('a key that was revoked elsewhere signs no more', async () => {
  const key = newKey()
  await addKey(w, shop.card.id, key, 'user')
  const sign = () => directMandate(termsFor(w, shop.link, shop.card), key)
  expect(await settle(await sign())).toBe(201)
  await elsewhere(
    sql`update ap2_card_keys set revoked_at = now() where card_id = ${shop.card.id} and kid <> ${shop.userKid}`,
  )
  expect(await settle(await sign())).toBe('mandate_key_untrusted')
  expect(await settle(await mandate())).toBe(201)
})

test("the seller's category and fee are those of the moment", async () => {
  await elsewhere(category('5734'))
  await elsewhere(card(sql`mcc_locks = '5734'`))
  expect(await settle(await mandate())).toBe(201)
  await elsewhere(category('5999'))
  expect(await settle(await mandate())).toBe('mcc_blocked')
  await elsewhere(category('5734'))
  expect(await settle(await mandate())).toBe(201)
  await elsewhere(card(sql`mcc_locks = ''`))

  const fee = async () => {
    const { body } = await settleWith(shop.payer, settleBody(shop, await mandate()))
    const { rows } = await sql<{
      fee: bigint
    }>`select fee from settlements where id = ${body.settlement_id}`.execute(w.db.reader)
    return rows[0]?.fee
  }
  const before = await fee()
  const rule = (scope: string, subject: string, flat: number | null) =>
    elsewhere(sql`insert into fee_rules (scope, subject, kind, bps, flat, effective_at)
      values (${scope}, ${subject}, 'settlement', ${flat === null ? null : 0}, ${flat}, now())`)
  await rule('wallet', shop.seller.wallet, 7)
  expect([before, await fee()]).toEqual([before, 7n])
  await rule('default', '', 6)
  expect(await fee()).toBe(7n)
  await rule('wallet', shop.seller.wallet, 9)
  expect(await fee()).toBe(9n)
  await rule('tier', 'starter', 8)
  await rule('wallet', shop.seller.wallet, null)
  expect(await fee()).toBe(6n)
  // A membership counts from its first moment, and no longer than it lasts.
  await join(w, shop.seller)
  expect(await fee()).toBe(8n)
  await elsewhere(sql`update memberships set status = 'EXPIRED'`)
  expect(await fee()).toBe(6n)
  await rule('default', '', null)
  expect(await fee()).toBe(before)
})

test("a card's first payment of a day counts the day anew", async () => {
  await elsewhere(card(sql`daily_limit = 3000000, day_cap = 3000000, day_used = 3000000`))
  expect(await settle(await mandate())).toBe('daily_limit_exceeded')
  await w.advance(86_400)
  const answered = []
  for (let i = 0; i < 4; i++) answered.push(await settle(await mandate()))
  expect(answered).toEqual([201, 201, 201, 'daily_limit_exceeded'])
  await elsewhere(card(sql`daily_limit = null, day_cap = null`))
  expect(await w.faults()).toEqual([])
})

test('a mandate that another process settled, or this one before its start, is not settled again', async () => {
  const paid = [await mandate(), await mandate()]
  for (const closed of paid) expect(await settle(closed)).toBe(201)
  await using others = await fleet(w, 1)
  const bodies = paid.map((closed) => settleBody(shop, closed))
  expect((await others.settle(shop, bodies)).map(({ status }) => status)).toEqual([200, 200])
  // Signed after both had begun: only the primary key can tell.
  const late = await directMandate(
    { ...termsFor(w, shop.link, shop.card), issuedAt: new Date(w.now().getTime() + 30_000) },
    shop.userKey,
  )
  expect(await settle(late)).toBe(201)
  const again = await others.settle(shop, [
    settleBody(shop, late),
    settleBody(shop, await mandate()),
  ])
  expect(again.map(({ status }) => status)).toEqual([200, 201])
  expect(await settle(late)).toBe(200)
  expect(await w.faults()).toEqual([])
})

test('what a batch that failed left in the memory is answered to nobody', async () => {
  // The first forgets what others changed, the second remembers.
  const remember = async () => {
    for (let i = 0; i < 2; i++) expect(await settle(await mandate())).toBe(201)
  }
  await remember()
  const { cache } = laneOf(w.services)
  const closed = await mandate()
  const presented = readMandate({ code: shop.link.code, closedMandate: closed })
  if (presented instanceof Ap2Refusal) throw presented
  const [link, card] = [cache.link(shop.link.code), cache.card(shop.card.id)]
  if (!link || !card) throw new Error('both were remembered')
  const before = await spent()
  const { mandateId, reference, mandateSdHash, closed: terms } = presented
  cache.keepMandate({
    ...{ cardId: card.id, payLinkId: link.id, settlementId: newId('stl', w.now()) },
    ...{ mandateId, reference, mandateSdHash, payeeId: terms.payee.id, ...terms.amount },
    ...{ transactionId: terms.transactionId, openId: null, fee: card.spent, createdAt: w.now() },
  })
  expect(await settle(closed)).toBe(201)
  expect((await spent()) - before).toBe(1_000_000n)
  expect(await settle(closed)).toBe(200)

  await remember()
  cache.keepCard({ ...card, spent: plus(card.spent, card.spent) })
  expect(await settle(await mandate())).toBe(201)
  expect((await spent()) - before).toBe(4_000_000n)
  expect(await w.faults()).toEqual([])
})

test('two services, the same cards and links, and changes in between: the books agree', async () => {
  await using two = await fleet(w, 2)
  const few = await shop.openLink({ max_uses: 40 })
  const body = async (of: Shop['link']) =>
    settleBody(shop, await directMandate(termsFor(w, of, shop.card), shop.userKey), {
      pay_link_code: of.code,
    })
  const bodies: object[] = []
  for (let i = 0; i < 120; i++) bodies.push(await body(i % 2 ? shop.link : few))
  const spentBefore = await spent()
  let isDone = false
  const changing = (async () => {
    for (let i = 0; !isDone; i++) {
      await elsewhere(card(i % 2 ? sql`status = 'FROZEN'` : sql`status = 'ACTIVE'`))
      await elsewhere(card(sql`max_transaction = ${i % 3 ? null : 5_000_000}`))
      await pause(15)
    }
    await elsewhere(card(sql`status = 'ACTIVE', max_transaction = null`))
  })()
  // Several waves, each whole at once, every mandate through both services. Nothing changes around the last.
  const answered: { status: number; body: any }[] = []
  for (let i = 0; i < bodies.length; i += 24) {
    isDone = i + 24 >= bodies.length
    if (isDone) await changing
    const wave = bodies.slice(i, i + 24).flatMap((one) => [one, one])
    answered.push(...(await two.settle(shop, wave)))
  }
  const settled = new Set(
    answered.filter(({ status }) => status < 300).map(({ body: { settlement_id: id } }) => id),
  )
  expect(settled.size).toBeGreaterThan(10)
  expect(answered.filter(({ status }) => status === 201)).toHaveLength(settled.size)
  expect((await spent()) - spentBefore).toBe(BigInt(settled.size) * 1_000_000n)
  const uses = (await w.call('GET', `/api/paylinks/${few.code}`)).body.uses
  expect(uses).toBeLessThanOrEqual(40)
  for (const {
    status,
    body: { code },
  } of answered)
    if (status >= 300)
      expect(['card_frozen', 'pay_link_completed', 'pay_link_busy', 'overloaded']).toContain(code)
  expect(await w.faults()).toEqual([])
})

async function spent(): Promise<bigint> {
  const { rows } = await sql<{
    spent: bigint
  }>`select spent from cards where id = ${shop.card.id}`.execute(w.db.reader)
  return rows[0]?.spent ?? 0n
}
