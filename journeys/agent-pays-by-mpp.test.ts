import { expect, test } from 'vitest'
import { createApiKey, createPurser, PurserError } from '../packages/sdk/src/purser.ts'
import { officialMppSeller } from '../packages/service/test/sellers/mpp-sellers.ts'
import { freshAccount } from '../packages/service/test/world/chain.ts'
import { world } from '../packages/service/test/world.ts'

// This agent knows nothing of chains or protocols. It asks for the price of a stranger's API, buys from it, buys from a
// shop of this service, and then reads the shop's feed, paying for each message.
test('an agent buys by MPP from a stranger and from a shop here, and pays a feed tick by tick', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  await using stranger = await officialMppSeller({ price: '0.02' })
  const [company, owner] = [await freshAccount(), await freshAccount()]
  await w.credit(company.address, 30_000_000n)
  await w.credit(owner.address, 10_000n)
  const purser = createPurser({ baseUrl, apiKey: await createApiKey({ baseUrl }, company) })
  const shop = createPurser({ baseUrl, apiKey: await createApiKey({ baseUrl }, owner) })
  const agent = await purser.issueCard({ purpose: 'research agent', limit_amount: 20 })
  const till = await shop.issueCard({ purpose: 'till', limit_amount: 0.01 })

  const { capabilities } = await purser.GET('/api/mpp/discover', {
    params: { query: { url: stranger.url } },
  })
  expect(capabilities.evm).toMatchObject({ payable: true, offers: [{ amount: 0.02 }] })
  const bought = await purser.pay(agent, {
    ...{ url: stranger.url, method: 'GET', protocol: 'mpp', max_amount: 0.03 },
  })
  expect(bought).toMatchObject({
    ...{ outcome: 'paid', protocol: 'mpp', merchant_amount: 0.02, platform_fee: 0.0001 },
    response: { status: 200, body: { report: 42 } },
  })

  const tea = await shop.createPayLink({ card_id: till.id, amount: 0.9, memo: 'tea' })
  const brewed = await purser.pay(agent, { url: tea.url, method: 'GET' })
  expect(brewed).toMatchObject({
    ...{ outcome: 'paid', protocol: 'mpp', amount_debited: 0.9, platform_fee: 0.0045 },
    settlement: { status: 'SETTLED', tx_hash: null },
  })

  const credentials = { card_id: agent.id, card_token: agent.token as string }
  const { session_id } = await purser.POST('/api/mpp/session', {
    body: { ...credentials, merchant: 'feed.example' },
  })
  const { id } = await purser.POST('/api/mpp/stream/open', {
    body: {
      ...{ ...credentials, session_id, receiver_card_id: till.id },
      ...{ budget: 0.1, tick_amount: 0.03 },
    },
  })
  const tick = () =>
    purser.POST('/api/mpp/stream/tick', { body: { ...credentials, stream_id: id } })
  for (const remaining of [0.07, 0.04, 0.01]) expect((await tick()).remaining).toBe(remaining)
  const refused = await tick().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(PurserError)
  expect(refused).toMatchObject({ status: 403, code: 'stream_budget_exceeded' })
  // Either side may end it; both get the same answer.
  expect(await shop.POST('/api/mpp/stream/close', { body: { stream_id: id } })).toEqual({
    ...{ final_amount: 0.09, status: 'CLOSED' },
  })
  const seen = await purser.GET('/api/mpp/stream/{id}', { params: { path: { id } } })
  expect(seen).toMatchObject({ status: 'CLOSED', total_ticked: 0.09, merchant: 'feed.example' })

  const spent = []
  for await (const each of purser.listTransactions(agent.id))
    spent.push([each.amount, each.protocol])
  expect(spent).toEqual([
    [0.09, 'mpp'],
    [0.9, 'mpp'],
    [0.0201, 'mpp'],
  ])
  const earned = await shop.GET('/api/cards/{id}', { params: { path: { id: till.id } } })
  expect(earned.card.received).toBe(0.98505)
  expect(await w.faults()).toEqual([])
})
