import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { expect, test } from 'vitest'
import { createApiKey, createPurser, PurserError } from '../packages/sdk/src/purser.ts'
import { officialSeller } from '../packages/service/test/sellers/x402-sellers.ts'
import { freshAccount } from '../packages/service/test/world/chain.ts'
import { world } from '../packages/service/test/world.ts'

// A whole working day: a company funds an agent, the agent buys a report from a stranger's API and tea by a link, a
// stranger pays the shop with an x402 client, and the shop takes its earnings home.
test('an agent is funded, buys by x402 and by link; a shop is paid by both and takes its earnings home', async () => {
  await using w = await world()
  await w.withGas()
  const baseUrl = await w.listen()
  await using api = await officialSeller({ price: '$0.02' })

  const company = await freshAccount({ usdc: 100_000_000n })
  const purser = createPurser({ baseUrl, apiKey: await createApiKey({ baseUrl }, company) })
  const tx_hash = await w.transfer(company, w.chain.treasury.address, 60_000_000n)
  await w.safe()
  const funded = await purser.POST('/api/fund/verify', { body: { tx_hash } })
  expect(funded).toMatchObject({ status: 'confirmed', funded: 60, balance: { available: 60 } })

  const agent = await purser.issueCard({
    purpose: 'research agent',
    limit_amount: 20,
    daily_limit: 10,
  })
  const bought = await purser.pay(agent, { url: api.url, method: 'GET', max_amount: 0.05 })
  expect(bought).toMatchObject({
    outcome: 'paid',
    merchant_amount: 0.02,
    platform_fee: 0.0001,
    protocol: 'x402',
  })
  expect((await purser.settlement(bought.transaction_id as string)).status).toBe('SETTLED')

  const owner = await freshAccount()
  const shop = createPurser({ baseUrl, apiKey: await createApiKey({ baseUrl }, owner) })
  const till = await purserTill(shop, w, owner.address)
  const tea = await shop.createPayLink({ card_id: till.id, amount: 0.9, memo: 'tea', max_uses: 0 })
  const paid = await purser.POST('/api/pay/{code}/settle', {
    params: { path: { code: tea.code } },
    body: { protocol: 'card', payer_card_id: agent.id, payer_card_token: agent.token },
  })
  expect(paid).toMatchObject({ status: 'SETTLED', amount: 0.9, fee: 0.0045, net_amount: 0.8955 })

  const stranger = await freshAccount({ usdc: 5_000_000n })
  const client = new x402Client().register('eip155:84532', new ExactEvmScheme(stranger))
  const byX402 = await wrapFetchWithPayment(fetch, client)(tea.url)
  expect(byX402.status).toBe(200)

  await purser.POST('/api/cards/{id}/freeze', { params: { path: { id: agent.id } } })
  const refused = await purser
    .pay(agent, { url: api.url, method: 'GET' })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(PurserError)
  expect(refused).toMatchObject({ status: 403, code: 'card_frozen' })

  const claimed = await shop.POST('/api/cards/{id}/claim', {
    params: { path: { id: till.id } },
    body: { token: till.token },
  })
  expect(claimed.claimed).toBe(1.791)
  const seen = []
  for await (const transaction of purser.listTransactions(agent.id)) seen.push(transaction.protocol)
  expect(seen).toEqual(['card', 'x402'])
  expect(await w.faults()).toEqual([])
})

/** A card that only receives, with the smallest possible limit. */
async function purserTill(
  shop: ReturnType<typeof createPurser>,
  w: Awaited<ReturnType<typeof world>>,
  wallet: string,
) {
  await w.credit(wallet, 10_000n)
  return shop.issueCard({ purpose: 'till', limit_amount: 0.01 })
}
