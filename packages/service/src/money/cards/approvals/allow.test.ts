import { afterAll, beforeAll, expect, test } from 'vitest'
import { open, payWith } from '../../../../test/actors/attack-kit.ts'
import { type Card, type User, type World, world } from '../../../../test/world.ts'

let w: World
let shop: User
let code: string
beforeAll(async () => {
  w = await world()
  shop = await w.user({ treasury: 10 })
  code = (await open(shop, await shop.card({ limit: 1 }), { max_uses: 0 })).code
})
afterAll(() => w[Symbol.asyncDispose]())

const decisionsOf = async (user: User, { id }: Card) =>
  (await user.get(`/api/cards/${id}/decisions`)).body.decisions
type Decision = { id: string; allowed: boolean }
const allow = (user: User, id: string, body: object) =>
  user.post(`/api/decisions/${id}/allow`, body)

/** A card that has declined a payment of 1 USDC, with the decision. */
async function declined(controls: Record<string, unknown>) {
  const user = await w.user()
  const card = await user.card(controls)
  const refused = await payWith(w, code, card)
  expect(refused.status).toBe(403)
  const [decision] = await decisionsOf(user, card)
  expect(decision.allowed).toBe(false)
  if (refused.body.code !== 'approval_required') expect(refused.body.decision_id).toBe(decision.id)
  return { user, card, decision }
}

test.each([
  [{ max_transaction: 0.5 }, 'max_transaction', 1],
  [{ daily_limit: 0.5 }, 'daily_limit', 1],
  [{ approval_above: 0.5 }, 'approval_above', 1],
])(
  'a decline by %j is allowed once, or its limit raised to what passes',
  async (controls, limit, to) => {
    const { user, card, decision } = await declined(controls)
    expect(decision.remedies).toMatchObject([
      {
        action: 'allow_once',
        method: 'POST',
        path: `/api/decisions/${decision.id}/allow`,
        body: { once: true },
      },
      { action: 'raise_limit', limit, to, body: { limit: true } },
    ])
    const once = await allow(user, decision.id, { once: true })
    expect(once.status, once.text).toBe(200)
    expect(once.body.approval).toMatchObject({
      status: 'APPROVED',
      kind: 'allowed_once',
      amount: 1,
    })
    // Allowing it again is the same grant.
    const again = await allow(user, decision.id, { once: true })
    expect(again.body.approval.id).toBe(once.body.approval.id)
    expect((await payWith(w, code, card)).status).toBe(200)
    expect((await payWith(w, code, card)).status).toBe(403)
    expect((await allow(user, decision.id, { once: true })).body.approval.status).toBe('USED')
    expect((await payWith(w, code, card)).status).toBe(403)
    const latest = (await decisionsOf(user, card)).find((one: Decision) => !one.allowed)
    const raised = await allow(user, latest.id, { limit: true })
    expect(raised.status, raised.text).toBe(200)
    expect(raised.body.raised.limit).toBe(limit)
    expect((await payWith(w, code, card)).status).toBe(200)
    expect(await w.faults()).toEqual([])
  },
)

test('a payee is allowed for good', async () => {
  const { user, card, decision } = await declined({ allowed_merchants: ['api.example'] })
  expect(decision.remedies).toMatchObject([
    { action: 'allow_once' },
    { action: 'allow_payee', payee: shop.wallet },
  ])
  const allowed = await allow(user, decision.id, { payee: true })
  expect(allowed.body.card.allowed_merchants).toEqual(['api.example', shop.wallet])
  expect((await payWith(w, code, card)).status).toBe(200)
  expect((await payWith(w, code, card)).status).toBe(200)
})

test('a payee that is paid for the first time is allowed for good', async () => {
  const { user, card, decision } = await declined({ approval_first_merchant: true })
  expect(decision.remedies).toMatchObject([
    { action: 'allow_once' },
    { action: 'allow_payee', payee: shop.wallet },
  ])
  expect((await allow(user, decision.id, { payee: true })).status).toBe(200)
  expect((await payWith(w, code, card)).status).toBe(200)
})

test('no grant moves money that is not there, or that of a card that may not spend', async () => {
  const poor = await declined({ limit: 0.4 })
  expect(poor.decision.remedies).toMatchObject([{ action: 'fund', amount: 0.6 }])
  const refused = await allow(poor.user, poor.decision.id, { once: true })
  expect(refused.body.code).toBe('invalid_state')
  const capped = await declined({ max_transaction: 0.5 })
  await allow(capped.user, capped.decision.id, { once: true })
  await capped.user.post(`/api/cards/${capped.card.id}/freeze`)
  expect((await payWith(w, code, capped.card)).body.code).toBe('card_frozen')
  const [frozen] = await decisionsOf(capped.user, capped.card)
  expect(frozen.remedies).toMatchObject([
    { action: 'unfreeze', path: `/api/cards/${capped.card.id}/unfreeze` },
  ])
  await capped.user.post(`/api/cards/${capped.card.id}/unfreeze`)
  expect((await payWith(w, code, capped.card)).status).toBe(200)
})

test('only the owner allows: with the scope, and for changed controls with theirs', async () => {
  const { user, card, decision } = await declined({ max_transaction: 0.5 })
  const stranger = await w.user()
  expect((await allow(stranger, decision.id, { once: true })).status).toBe(404)
  const keyFor = async (scopes: string[]) =>
    (await user.post('/api/keys/restricted', { name: 'agent', scopes })).body.api_key
  const spender = await keyFor(['payments:write', 'cards:write', 'controls:write'])
  const approver = await keyFor(['approvals:write'])
  const by = (key: string, body: object) =>
    user.post(`/api/decisions/${decision.id}/allow`, body, { key })
  expect((await by(spender, { once: true })).body.code).toBe('forbidden_scope')
  expect((await by(approver, { limit: true })).body.code).toBe('forbidden_scope')
  expect((await by(approver, { payee: true })).body.code).toBe('forbidden_scope')
  expect((await by(approver, {})).body.code).toBe('missing_field')
  expect((await by(approver, { once: true, limit: true })).body.code).toBe('missing_field')
  expect((await by(approver, { once: true })).status).toBe(200)
  expect((await payWith(w, code, card)).status).toBe(200)
})

// A key for a child that waived the limits of the card above would change what it may not.
test('a key for a child lets nothing pass that a card above refuses or asks about', async () => {
  const user = await w.user()
  const root = await user.card({ limit: 10, daily_limit: 0.5 })
  const order = { purpose: 'child', limit_amount: 5, max_transaction: 0.4, daily_limit: 0.5 }
  const child: Card = (await user.post(`/api/cards/${root.id}/children`, order)).body.card
  const keyOf = async (ids: string[]) =>
    (
      await user.post('/api/keys/restricted', {
        ...{ name: 'lead', scopes: ['approvals:write', 'controls:write'], card_ids: ids },
      })
    ).body.api_key
  const [own, both] = [await keyOf([child.id]), await keyOf([root.id, child.id])]
  const allowBy = (key: string, id: string) =>
    user.post(`/api/decisions/${id}/allow`, { once: true }, { key })

  const refused = await payWith(w, code, child)
  expect(refused.body.code).toBe('max_transaction_exceeded')
  expect((await allowBy(own, refused.body.decision_id)).status).toBe(200)
  // Its word passes the child's own limits, and no more.
  const above = await payWith(w, code, child)
  expect(above.body.code).toBe('daily_limit_exceeded')
  expect((await allowBy(own, above.body.decision_id)).body.code).toBe('forbidden_scope')
  expect((await allowBy(both, above.body.decision_id)).status).toBe(200)
  expect((await payWith(w, code, child)).status).toBe(200)

  const change = { daily_limit: null, approval_above: 0.5 }
  await user.send('PATCH', `/api/cards/${root.id}/controls`, change)
  const none = { daily_limit: null, max_transaction: null }
  await user.send('PATCH', `/api/cards/${child.id}/controls`, none)
  const asked = await payWith(w, code, child)
  expect(asked.body.code).toBe('approval_required')
  const approveBy = (key: string) =>
    user.post(`/api/approvals/${asked.body.approval_id}/approve`, undefined, { key })
  expect((await approveBy(own)).body.code).toBe('forbidden_scope')
  expect((await approveBy(both)).status).toBe(200)
  expect((await payWith(w, code, child)).status).toBe(200)
  expect(await w.faults()).toEqual([])
})
