import { HTTPFacilitatorClient } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import * as bazaar from '@x402/extensions/bazaar'
import * as identifiers from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readAssetBalance } from '../packages/service/src/chain/client/reads.ts'
import { cardOf, issue } from '../packages/service/test/actors/attack-kit.ts'
import { look } from '../packages/service/test/sellers/bazaar-kit.ts'
import { DESCRIBED_SHOPS, EXTENSIONS, type ExtensionName } from './extensions.ts'
import { DESCRIPTION, type DescribedShop, openDescribedShop } from './parties/described-shops.ts'
import { openWallet } from './parties/payers.ts'
import { GOODS, NETWORK, PRICE } from './parties/servers.ts'
import { expectBooksToMatch, openStage, type Stage } from './stage.ts'

const TEST_MS = 900_000

let stage: Stage
beforeAll(async () => {
  // The official client logs the extension responses here.
  vi.spyOn(console, 'log').mockReturnValue()
  stage = await openStage()
}, TEST_MS)
afterAll(async () => {
  vi.restoreAllMocks()
  await stage[Symbol.asyncDispose]()
})

/** A shop, the bazaar that lists it, and clients. */
async function openScene(name: (typeof DESCRIBED_SHOPS)[number]) {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const shop = await openDescribedShop(name, { facilitator: stage.facilitators.purser, payTo })
  const client = new HTTPFacilitatorClient({ url: `${stage.baseUrl}/api/x402` })
  const { account } = await openWallet(stage.w)
  return {
    ...{ shop, payTo, market: bazaar.withBazaar(client).extensions.bazaar },
    /** Buys by `@x402/fetch`, with this identifier or without one. */
    async buy(identifier: string | undefined) {
      const payer = new x402Client().register(NETWORK, new ExactEvmScheme(account))
      if (identifier !== undefined)
        payer.onBeforePaymentCreation(async ({ paymentRequired: { extensions = {} } }) => {
          identifiers.appendPaymentIdentifierToExtensions(extensions, identifier)
        })
      const answer = await wrapFetchWithPayment(fetch, payer)(`${shop.url}?unit=celsius`)
      return { status: answer.status, body: await answer.json() }
    },
    paid: () => readAssetBalance(stage.w.chain, payTo),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}
type Scene = Awaited<ReturnType<typeof openScene>>

const served = { status: 200, body: GOODS }
const listed = ({ shop }: Scene) => `${new URL(shop.url).origin}/weather/:day`

async function soldOnce(scene: Scene): Promise<DescribedShop['settled'][number]> {
  expect(await scene.buy(identifiers.generatePaymentId())).toEqual(served)
  expect(await scene.paid()).toBe(PRICE)
  const [sold, ...more] = scene.shop.settled
  expect(more).toEqual([])
  if (!sold) throw new Error('nothing was settled')
  return sold
}

const CASES: Record<ExtensionName, (scene: Scene) => Promise<void>> = {
  async 'bazaar, unpaid'({ shop, payTo, market }) {
    expect((await fetch(shop.url)).status).toBe(402)
    expect((await market.listResources({ payTo })).items).toEqual([])
  },

  async 'bazaar, listed'(scene) {
    const { payment } = await soldOnce(scene)
    const { payTo, market } = scene
    expect((await market.listResources({ payTo })).items).toEqual([])
    await look(stage.w)
    for (const more of [
      { type: 'http', limit: 1, offset: 0 },
      { scheme: 'exact', network: NETWORK, extensions: 'bazaar' },
    ]) {
      const { items, pagination } = await market.listResources({ payTo, ...more })
      expect(pagination).toEqual({ limit: more.limit ?? 20, offset: 0, total: 1 })
      const [item] = items
      expect(item).toMatchObject({ resource: listed(scene), type: 'http', x402Version: 2 })
      expect(item).toMatchObject({ description: DESCRIPTION, mimeType: 'application/json' })
      expect(item?.accepts).toEqual([payment.accepted])
      // The package's own reading of the payment.
      const discovered = bazaar.extractDiscoveryInfo(payment, payment.accepted)
      expect(discovered).toMatchObject({ resourceUrl: listed(scene), method: 'GET' })
      const shown = item?.extensions?.bazaar as Parameters<typeof bazaar.validateAndExtract>[0]
      expect(bazaar.validateAndExtract(shown)).toEqual({
        valid: true,
        info: discovered?.discoveryInfo,
      })
    }
    for (const other of [{ type: 'mcp' }, { scheme: 'upto' }, { network: 'eip155:8453' }])
      expect((await market.listResources({ payTo, ...other })).items).toEqual([])
    expect((await market.listResources({ payTo, offset: 1 })).items).toEqual([])
  },

  async 'bazaar, searched'(scene) {
    await soldOnce(scene)
    await look(stage.w)
    const { payTo, market } = scene
    const { resources } = await market.search({ query: 'the weather of a day', payTo })
    expect(resources.map(({ resource }) => resource)).toEqual([listed(scene)])
    expect((await market.search({ query: 'shoes', payTo, limit: 5 })).resources).toEqual([])
  },

  async 'bazaar, reported'(scene) {
    const { responses } = await soldOnce(scene)
    expect(responses).toEqual({ bazaar: { status: 'processing' } })
  },

  async 'payment-identifier, shown'({ buy, payTo }) {
    const identifier = identifiers.generatePaymentId('order_')
    expect(await buy(identifier)).toEqual(served)
    const { settlements } = (await stage.seller.get('/api/x402/settlements?limit=5')).body
    expect(settlements).toContainEqual(
      expect.objectContaining({ pay_to: payTo, payment_identifier: identifier }),
    )
  },

  async 'payment-identifier, required'({ buy, paid, shop }) {
    expect((await buy(undefined)).status).toBe(402)
    expect(await paid()).toBe(0n)
    expect(shop.settled).toEqual([])
  },

  async 'payment-identifier, of our payer'({ shop, paid }) {
    const agent = await stage.w.user({ treasury: 5 })
    const card = await issue(agent, 1)
    const ask = { card_id: card.id, card_token: card.token, url: shop.url, method: 'GET' }
    const pay = () =>
      agent.post('/api/pay', ask, { headers: { 'idempotency-key': `order ${card.id}` } })
    const answers = [await pay(), await pay()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await paid()).toBe(PRICE)
    expect(await cardOf(agent, card.id)).toMatchObject({ spent: 0.01005, held: 0 })
    const [first, ...more] = shop.settled.map(({ payment }) =>
      identifiers.extractAndValidatePaymentIdentifier(payment),
    )
    expect(more).toEqual([])
    expect(first).toMatchObject({ id: expect.any(String), validation: { valid: true } })
  },
}

const names = Object.keys(EXTENSIONS) as ExtensionName[]
describe.each(DESCRIBED_SHOPS)('a seller of %s', (shop) => {
  test.each(names)('%s', { timeout: TEST_MS }, async (name) => {
    await using scene = await openScene(shop)
    await CASES[name](scene)
    expect(await stage.w.faults()).toEqual([])
  })
})

test(
  'when all is final, the treasury holds on chain what the books say, to the unit',
  { timeout: TEST_MS },
  () => expectBooksToMatch(stage),
)
