import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../parties/servers.ts'
import { transfersTo } from '../parties/transfers.ts'
import { openStage, type Stage } from '../stage.ts'
import { playAt } from './at-url.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

// As `npm run battery -- --url` runs it: over HTTP alone, with an API key.
test('the modes can be played at any seller, and leave the wallet what they did not spend', async () => {
  const { w, baseUrl } = stage
  const facilitator = stage.facilitators['@x402/core']
  const agent = await w.user({ treasury: 1 })
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  await using shop = await openShop('@x402/express', { facilitator, payTo })
  const seller = { baseUrl, apiKey: agent.key, url: shop.url, maxAmount: '0.02' }
  const measured = await playAt(seller)
  expect(measured.length).toBeGreaterThan(15)
  for (const one of measured) expect(one).toEqual({ ...one, transfers: 1, heard: 'paid' })
  expect(new Set(measured.map(({ mode }) => mode)).size).toBe(13)
  expect(await transfersTo(stage.rpcUrl, payTo)).toHaveLength(measured.length)
  const { body } = await agent.get('/api/balance')
  expect(body.balances).toMatchObject([{ available: 1 - measured.length * 0.01005 }])
})
