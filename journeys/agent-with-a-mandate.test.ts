import { expect, test } from 'vitest'
import {
  closeMandate,
  createAgentKey,
  createApiKey,
  createPurser,
  loadAgentKey,
  openMandate,
  verifyReceipt,
} from '../packages/sdk/src/purser.ts'
import { freshAccount } from '../packages/service/test/world/chain.ts'
import { world } from '../packages/service/test/world.ts'

// A household: the owner lets an agent order coffee, at most ten a week. The agent runs in another process and keeps
// its key in a file. In the end the owner revokes the mandate.
test('an owner lets an agent buy within a budget, the agent does until it is spent, and the owner ends it', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  const owner = await freshAccount()
  await w.credit(owner.address, 50_000_000n)
  const apiKey = await createApiKey({ baseUrl }, owner)
  const purser = createPurser({ baseUrl, apiKey })
  const card = await purser.issueCard({ purpose: 'coffee', limit_amount: 20 })

  const barista = await freshAccount()
  await w.credit(barista.address, 1_000_000n)
  const bar = createPurser({ baseUrl, apiKey: await createApiKey({ baseUrl }, barista) })
  const till = await bar.issueCard({ purpose: 'bar', limit_amount: 1 })
  const espresso = await bar.createPayLink({ card_id: till.id, amount: '2.50', max_uses: 0 })
  const cash = await bar.createPayLink({
    card_id: till.id,
    amount: '2.50',
    accepted_protocols: ['x402'],
  })

  // As the owner.
  const [user, stored] = [await createAgentKey(), (await createAgentKey()).privateJwk]
  await purser.POST('/api/ap2/keys', {
    body: { card_id: card.id, card_token: card.token, jwk: user.publicJwk, role: 'user' },
  })
  const { ap2 } = await purser.GET('/api/paylinks/{code}', {
    params: { path: { code: espresso.code } },
  })
  const open = await openMandate({
    key: user,
    cardId: card.id,
    agentKey: (await loadAgentKey(stored)).publicJwk,
    currency: 'USD',
    maxAmount: 300,
    budget: 1000,
    recurrence: { frequency: 'ON_DEMAND' },
    payees: [{ id: barista.address, name: 'The bar' }, ...(ap2 ? [ap2.payee] : [])],
    expiresInSeconds: 7 * 24 * 3600,
  })

  // As the agent.
  const agent = { key: await loadAgentKey(stored), openMandate: open.mandate }
  for (let cup = 0; cup < 3; cup++)
    expect(await purser.payByMandate(card, espresso.code, agent)).toMatchObject({
      status: 'SETTLED',
      amount: 2.5,
    })
  if (!ap2) throw new Error('the link takes no AP2')
  const fourth = await closeMandate({ ...agent, link: ap2, cardId: card.id })
  const paid = await purser.settleMandate(card, espresso.code, fourth)
  // The answer was lost: settling the same mandate again moves no money.
  expect(await purser.settleMandate(card, espresso.code, fourth)).toEqual({
    ...paid,
    status: 'ALREADY_SETTLED',
  })
  await expect(purser.payByMandate(card, espresso.code, agent)).rejects.toMatchObject({
    status: 422,
    code: 'mandate_budget_exceeded',
  })
  await expect(purser.payByMandate(card, cash.code, agent)).rejects.toMatchObject({
    code: 'protocol_not_accepted',
  })

  // The bar has its money and can prove the payment; the owner sees where it went, and ends it.
  expect(
    (await bar.GET('/api/cards/{id}', { params: { path: { id: till.id } } })).card.balance,
  ).toBe(10.95)
  const { receipt } = await bar.GET('/api/ap2/receipts/{settlement_id}', {
    params: { path: { settlement_id: paid.settlement_id } },
  })
  const jwks = await bar.GET('/api/ap2/.well-known/jwks.json')
  expect(await verifyReceipt(receipt, jwks, fourth)).toMatchObject({ status: 'Success' })
  const { mandates } = await purser.GET('/api/ap2/mandates/{card_id}', {
    params: { path: { card_id: card.id }, query: { kind: 'open' } },
  })
  expect(mandates).toMatchObject([
    { mandate_id: open.mandateId, spent: 10, budget: 10, uses: 4, status: 'USED' },
  ])
  await purser.POST('/api/ap2/mandates/{mandate_id}/revoke', {
    params: { path: { mandate_id: open.mandateId } },
    body: {},
  })
  await expect(purser.payByMandate(card, espresso.code, agent)).rejects.toMatchObject({
    code: 'mandate_revoked',
  })
  expect(await w.faults()).toEqual([])
})
