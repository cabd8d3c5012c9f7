import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { open, payWith } from '../../../../test/actors/attack-kit.ts'
import { holdByHand, settleByHand } from '../../../../test/actors/payments-by-hand.ts'
import { agree, days, monthly, openBilling } from '../../../../test/billing/kit.ts'
import { randomOf } from '../../../../test/crash/rounds.ts'
import { officialSeller, type Seller } from '../../../../test/sellers/x402-sellers.ts'
import { type Card, type User, type World, world } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'
import { CARD_RAILS } from '../../../base/protocols/rails.ts'

let w: World
let seller: Seller
let shop: User
beforeAll(async () => {
  w = await world()
  seller = await officialSeller({ price: '$0.01' })
  shop = await w.user({ treasury: 10 })
})
afterAll(async () => {
  await seller[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

const at = (card: Pick<Card, 'id'>) => `/api/cards/${card.id}/controls/draft`
const put = async (user: User, card: Card, rules: object) => {
  const made = await user.send('PUT', at(card), rules)
  expect(made.status, made.text).toBe(200)
  return made.body.draft as { id: string }
}
const decisionsOf = async (user: User, card: Card) =>
  (await user.get(`/api/cards/${card.id}/decisions?limit=100`)).body.decisions as any[]
const restrictedKey = async (user: User, scopes: string[], more: object = {}): Promise<string> =>
  (await user.post('/api/keys/restricted', { name: 'agent', scopes, ...more })).body.api_key
const linkOf = async (amount = 1) =>
  (await open(shop, await shop.card({ limit: 1 }), { amount, type: 'RECURRING', max_uses: 0 })).code

test('the verdict of a draft is recorded on every rail', async () => {
  const user = await w.user({ treasury: 100 })
  const card = await user.card({ limit: 20, max_transaction: 3 })
  const draft = await put(user, card, { max_transaction: 0.5 })
  expect((await payWith(w, await linkOf(), card)).status).toBe(200)
  expect((await payWith(w, await linkOf(4), card)).status).toBe(403)
  const url = { card_id: card.id, card_token: card.token, url: seller.url, body: {} }
  expect((await user.post('/api/pay', url)).body.outcome).toBe('paid')
  const stream = { card_id: card.id, card_token: card.token, budget: 2, tick_amount: 0.1 }
  const till = await shop.card({ limit: 1 })
  const opened = await user.post('/api/mpp/stream/open', { ...stream, receiver_card_id: till.id })
  expect(opened.status, opened.text).toBe(200)
  const decided = (await decisionsOf(user, card)).toReversed()
  expect(decided.map((one) => [one.protocol, one.rule, one.draft])).toEqual([
    ['card', 'within_limits', { id: draft.id, verdict: 'max_transaction_exceeded' }],
    ['card', 'max_transaction_exceeded', { id: draft.id, verdict: 'max_transaction_exceeded' }],
    ['x402', 'within_limits', { id: draft.id, verdict: 'allowed' }],
    ['mpp', 'within_limits', { id: draft.id, verdict: 'max_transaction_exceeded' }],
  ])
  const shown = (await user.get(at(card))).body
  expect(shown).toMatchObject({
    draft: { id: draft.id, rules: { max_transaction: 0.5 }, changed: [] },
    summary: {
      decisions: { payments: 4 },
      both_allowed: { payments: 1, amount: 0.01005 },
      both_declined: { payments: 1, amount: 4 },
      newly_allowed: { payments: 0, amount: 0 },
      newly_declined: { payments: 2, amount: 3 },
      truncated: false,
    },
  })
  expect(shown.summary.differing.map((one: any) => [one.rule, one.would_be])).toEqual([
    ['within_limits', 'max_transaction_exceeded'],
    ['within_limits', 'max_transaction_exceeded'],
  ])
  expect(await w.faults()).toEqual([])
})

const NONE = { asset: 'USDC', draft: null, summary: null }

const RULES = { daily_limit: 300, hourly_limit: 200, max_transaction: 1.5 }
const DRAFT = { daily_limit: 100, max_transaction: 1, allowed_merchants: ['*.shop.example'] }

/** Two cards of the same rules, of which the second has a draft. */
async function twins(user: User) {
  const [plain, drafted] = [
    await user.card({ limit: 600, ...RULES }),
    await user.card({ limit: 600, ...RULES }),
  ]
  const draft = await put(user, drafted, DRAFT)
  return { cards: [plain, drafted] as const, draft }
}

/** A thousand payments from the next midnight on, in ten batches of one moment each. Amounts are up to 2 USDC. */
function someBatches(seed: number) {
  const random = randomOf(seed)
  const start = new Date(w.now()).setUTCHours(24, 0, 0, 0)
  return Array.from({ length: 10 }, (_, batch) => {
    const when = new Date(start + batch * 600_000)
    return Array.from({ length: 100 }, () => ({
      at: when,
      units: BigInt(1 + Math.floor(random() * 2_000_000)),
      wallet: shop.wallet,
      mcc: null,
    }))
  })
}

test('a draft of a child judges below the cards above it and the caps, on each way that money leaves', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 20, max_transaction: 2 })
  const order = { purpose: 'slice', limit_amount: 9, max_transaction: 1 }
  const child = (await user.post(`/api/cards/${root.id}/children`, order)).body.card as Card
  await put(user, child, { max_transaction: 5 })
  const says = async () => (await decisionsOf(user, child))[0].draft.verdict
  const [two, three] = [await linkOf(2), await linkOf(3)]
  expect((await payWith(w, three, child)).body.code).toBe('max_transaction_exceeded')
  expect(await says()).toBe('max_transaction_exceeded')
  expect((await payWith(w, two, child)).body.code).toBe('max_transaction_exceeded')
  expect(await says()).toBe('allowed')
  await user.send('PATCH', '/api/limits', { daily_limit: 1 })
  expect((await payWith(w, two, child)).body.code).toBe('max_transaction_exceeded')
  expect(await says()).toBe('wallet_cap_exceeded')
  const asked = {
    ...{ card_id: child.id, card_token: child.token },
    url: seller.url,
    method: 'GET',
  }
  await user.post('/api/pay', asked)
  expect(await says()).toBe('allowed')
  await user.send('PATCH', '/api/limits', { daily_limit: 0.011 })
  await user.post('/api/pay', asked)
  expect(await says()).toBe('wallet_cap_exceeded')
})

test.each(CARD_RAILS)(
  'a thousand settlements by %s are decided as without a draft, and each has its verdict',
  async (rail) => {
    const user = await w.user()
    const { cards, draft } = await twins(user)
    const said: string[][] = [[], []]
    for (const batch of someBatches(7))
      for (const [i, { id }] of cards.entries())
        said[i]?.push(
          ...(await settleByHand(
            w,
            id,
            batch.map((one) => ({ ...one, rail })),
          )),
        )
    expect(said[1]).toEqual(said[0])
    expect(new Set(said[0])).toEqual(
      new Set(['ok', 'max_transaction_exceeded', 'hourly_limit_exceeded', 'daily_limit_exceeded']),
    )
    expect(said[0]).toHaveLength(1000)
    const { summary } = (await w.call('GET', at(cards[1]), undefined, { key: user.key })).body
    expect(await countsOf(cards[1], draft.id)).toEqual({ all: 1000n, judged: 1000n })
    expect(summary.not_judged.payments).toBe(0)
    expect(await countsOf(cards[0], draft.id)).toEqual({ all: 1000n, judged: 0n })
  },
)

test('a thousand holds are decided as without a draft, and each has its verdict', async () => {
  const user = await w.user()
  const { cards, draft } = await twins(user)
  const said: string[][] = [[], []]
  for (const payment of someBatches(8).flat())
    for (const [i, { id }] of cards.entries()) {
      const held = await holdByHand(w, id, { ...payment, rail: 'x402' })
      said[i]?.push(typeof held === 'string' ? held : 'ok')
    }
  expect(said[1]).toEqual(said[0])
  expect(new Set(said[0]).size).toBeGreaterThan(2)
  expect(await countsOf(cards[1], draft.id)).toEqual({ all: 1000n, judged: 1000n })
})

async function countsOf(card: Card, draftId: string) {
  const [row] = (
    await w.write((tx) =>
      sql`select count(*) as all, count(*) filter (where draft_id = ${draftId} and draft_says <> 'not_judged') as judged
        from card_decisions where card_id = ${card.id}`.execute(tx),
    )
  ).rows
  return row
}

test('AP2 settles on remembered rows, and a draft that comes or goes counts from the next mandate on', async () => {
  await using other = await world()
  const s = await openShop(other, { amount: 1, link: { type: 'RECURRING', max_uses: 0 } })
  const settle = async () => {
    const closed = await directMandate(termsFor(other, s.link, s.card), s.userKey)
    expect((await settleWith(s.payer, settleBody(s, closed))).status).toBe(201)
  }
  await settle()
  await settle()
  const draft = await put(s.payer, s.card as Card, { max_transaction: 0.5 })
  await settle()
  await settle()
  expect((await s.payer.send('DELETE', at(s.card))).status).toBe(200)
  await settle()
  const verdict = { id: draft.id, verdict: 'max_transaction_exceeded' }
  const decided = (await decisionsOf(s.payer, s.card as Card)).map((one) => one.draft)
  expect(decided.toReversed()).toEqual([null, null, verdict, verdict, null])
})

test('charges of an agreement and payments over MPP have the verdict of the draft', async () => {
  await using other = await world()
  const b = await openBilling(other)
  const draft = await put(b.payer, b.card, { max_transaction: 5 })
  await agree(b.payer, b.card, monthly(b.link))
  await days(other, 32)
  const url = `${await other.listen()}/pay/${await b.newLink(4, { accepted_protocols: ['mpp'] })}`
  const ask = { card_id: b.card.id, card_token: b.card.token, url, method: 'GET' }
  const paid = await b.payer.post('/api/pay', ask)
  expect(paid.body.outcome, paid.text).toBe('paid')
  const decided = (await decisionsOf(b.payer, b.card)).toReversed()
  expect(decided.map((one) => [one.protocol, one.draft])).toEqual([
    ['ap2', { id: draft.id, verdict: 'max_transaction_exceeded' }],
    ['ap2', { id: draft.id, verdict: 'max_transaction_exceeded' }],
    ['mpp', { id: draft.id, verdict: 'allowed' }],
  ])
})

test('a draft that does not read stops no payment', async () => {
  const user = await w.user()
  const card = await user.card({ limit: 20 })
  const { id } = await put(user, card, { daily_limit: 1 })
  for (const rules of [`{"daily_limit": "many"}`, `{"allowed_merchants": [1]}`, '7', 'null']) {
    await w.write((tx) =>
      run(
        tx,
        sql`update cards set draft = draft || jsonb_build_object('rules', ${rules}::jsonb) where id = ${card.id}`,
      ),
    )
    expect((await payWith(w, await linkOf(), card)).status).toBe(200)
    expect((await decisionsOf(user, card))[0].draft).toEqual({ id, verdict: 'not_judged' })
    expect(await user.post(`${at(card)}/apply`, {})).toMatchObject({ status: 409 })
  }
  const { summary } = (await user.get(at(card))).body
  expect(summary).toMatchObject({ not_judged: { payments: 4 }, newly_declined: { payments: 0 } })
})

test('a draft becomes the active rules whole, and not over rules that were changed meanwhile', async () => {
  const user = await w.user()
  const card = await user.card({ limit: 20, max_transaction: 3 })
  await put(user, card, { daily_limit: 5, allowed_merchants: ['shop.example'] })
  await user.send('PATCH', `/api/cards/${card.id}/controls`, {
    max_transaction: 2,
    mcc_locks: '5734',
  })
  const refused = await user.post(`${at(card)}/apply`, {})
  expect(refused.body, refused.text).toMatchObject({
    code: 'draft_outdated',
    changed: ['mcc_locks', 'max_transaction'],
  })
  expect((await user.post(`${at(card)}/apply`, { over: ['mcc_locks'] })).body.changed).toEqual([
    'max_transaction',
  ])
  expect((await user.post(`${at(card)}/apply`, { over: ['colour'] })).body).toMatchObject({
    code: 'invalid_field',
    param: 'over',
  })
  const over = ['mcc_locks', 'max_transaction']
  const applied = await user.post(`${at(card)}/apply`, { over })
  expect(applied.body.card, applied.text).toMatchObject({
    ...{ daily_limit: 5, allowed_merchants: ['shop.example'] },
    ...{ max_transaction: 2, mcc_locks: '5734' },
  })
  expect((await user.get(at(card))).body).toEqual(NONE)
  expect((await user.post(`${at(card)}/apply`, {})).status).toBe(404)
})

test('of a draft applied while the rules are changed, one is first, and the other knows', async () => {
  const user = await w.user()
  for (let round = 0; round < 10; round++) {
    const card = await user.card({ daily_limit: 3 })
    await put(user, card, { daily_limit: 5 })
    const [applied] = await Promise.all([
      user.post(`${at(card)}/apply`, {}),
      user.send('PATCH', `/api/cards/${card.id}/controls`, { daily_limit: 2 }),
    ])
    const { daily_limit } = (await user.get(`/api/cards/${card.id}`)).body.card
    // The change came last, or first: then the draft was not applied over it.
    expect([200, 409]).toContain(applied.status)
    expect(daily_limit).toBe(2)
  }
})

test('a draft is of its card, its wallet and its keys', async () => {
  const [user, other] = [await w.user(), await w.user()]
  const [card, second] = [await user.card(), await user.card()]
  await put(user, card, { daily_limit: 1 })
  const backtest = `/api/cards/${card.id}/controls/backtest`
  const calls = [
    ['GET', at(card)],
    ['PUT', at(card), {}],
    ['DELETE', at(card)],
    ['POST', `${at(card)}/apply`, {}],
    ['POST', backtest, { controls: {} }],
  ] as const
  for (const [method, path, body] of calls)
    expect(await other.send(method, path, body)).toMatchObject({ status: 404 })
  const elsewhere = await restrictedKey(user, ['cards:read', 'controls:write'], {
    card_ids: [second.id],
  })
  for (const [method, path, body] of calls)
    expect(await user.send(method, path, body, { key: elsewhere })).toMatchObject({ status: 404 })
  const agent = await restrictedKey(user, ['cards:read', 'cards:write', 'payments:write'])
  const statuses = []
  for (const [method, path, body] of calls)
    statuses.push((await user.send(method, path, body, { key: agent })).status)
  expect(statuses).toEqual([200, 403, 403, 403, 200])
})

test('a draft ends with its owner, and what it said stays with them', async () => {
  const [user, buyer] = [await w.user(), await w.user()]
  const card = await user.card({ limit: 5 })
  await put(user, card, { max_transaction: 0.5 })
  expect((await payWith(w, await linkOf(), card)).status).toBe(200)
  const moved = await user.post(`/api/cards/${card.id}/transfer`, { to_wallet: buyer.wallet })
  expect(moved.status, moved.text).toBe(200)
  expect((await buyer.get(at(card))).body).toEqual(NONE)
  expect(await decisionsOf(buyer, card)).toEqual([])
  const past = await buyer.post(`/api/cards/${card.id}/controls/backtest`, { controls: {} })
  expect(past.body).toMatchObject({ decisions: 0, read_until: null })
})

test('what an owner approved is approved in a backtest, and a draft that asks more is said to ask', async () => {
  const user = await w.user()
  const card = await user.card({ limit: 20, approval_above: 1.5 })
  const code = await linkOf(2)
  expect((await payWith(w, code, card)).body.code).toBe('approval_required')
  const [approval] = (await user.get('/api/approvals?status=PENDING')).body.approvals
  await user.post(`/api/approvals/${approval.id}/approve`)
  await w.advance(1)
  expect((await payWith(w, code, card)).status).toBe(200)
  await w.advance(1)
  expect((await payWith(w, await linkOf(1), card)).status).toBe(200)
  const test = async (controls?: object) =>
    (await user.post(`/api/cards/${card.id}/controls/backtest`, { controls })).body
  expect((await decisionsOf(user, card)).map(({ rule }) => rule)).toEqual([
    ...['within_limits', 'approved', 'approval_required'],
  ])
  expect(await test({})).toMatchObject({ decisions: 3, differing: [], not_judged: { payments: 0 } })
  expect((await test({ approval_above: 0.5 })).differing).toMatchObject([
    { rule: 'within_limits', would_be: 'approval_required' },
  ])
  expect((await test({ approval_above: null })).differing).toMatchObject([
    { rule: 'approval_required', would_be: 'allowed' },
  ])
  expect((await test()).code).toBe('not_found')
  await put(user, card, { max_transaction: 1.5 })
  expect(await test()).toMatchObject({
    rules: { max_transaction: 1.5, approval_above: 1.5 },
    newly_declined: { payments: 1, amount: 2 },
    reasons: [{ rule: 'max_transaction_exceeded', window: null, payments: 2, amount: 4 }],
  })
})
