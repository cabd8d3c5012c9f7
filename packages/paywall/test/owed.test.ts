import { createPurser, type PayOutcome } from '@purser/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, issue } from '../../service/test/actors/attack-kit.ts'
import type { PaywallOptions } from '../src/options.ts'
import { paywall } from '../src/paywall.ts'
import { KEPT_MAX } from '../src/seal.ts'
import { listen, listener, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

/** The ways in which a card pays. A seller without a card is paid on chain alone. */
const RAILS = [
  ['x402 on chain', { protocol: 'x402', isByCard: false }],
  ['MPP on chain', { protocol: 'mpp', isByCard: false }],
  ['a card in the books', { protocol: 'mpp', isByCard: true }],
] as const
type Rail = (typeof RAILS)[number][1]

/**
 * A shop whose handler fails as long as the test says so, behind a network that loses the next answers of the service after it
 * has done the work, and an agent's card that buys there under one key.
 */
async function scene(
  { protocol, isByCard }: Rail,
  more: Partial<PaywallOptions> = {},
  retries = 0,
) {
  const { w, agent, base, till } = stage
  const seller = isByCard ? stage.seller : await w.user({ treasury: 1 })
  const state = { failures: 0, isThrowing: false, served: 0, lost: 0, goods: '', isCut: false }
  const relay = await listen(
    listener(async (request) => {
      const { pathname } = new URL(request.url)
      if (state.isCut && pathname.endsWith('/release')) return new Response(null, { status: 502 })
      const answer = await fetch(new Request(base + pathname, request))
      const isLost = state.lost > 0 && pathname.endsWith('/settle')
      if (!isLost) return answer
      state.lost -= 1
      return new Response('<html>', { status: 502 })
    }),
  )
  const origin = new URL(relay.url).origin
  const purser = createPurser({ baseUrl: origin, apiKey: seller.key, retries })
  const options = { price: '0.01', ...(isByCard && { card: till.id }), ...more }
  const shop = await listen(
    listener(
      paywall(
        purser,
        options,
      )(() => {
        state.served += 1
        if (state.isThrowing) throw new Error('The shelf is empty.')
        return state.served <= state.failures
          ? Response.json({ code: 'no' }, { status: 503 })
          : Response.json({ report: state.served, goods: state.goods })
      }),
    ),
  )
  const card = await issue(agent, 1)
  const payer = createPurser({ baseUrl: base, apiKey: agent.key, retries: 0 })
  const order = { url: shop.url, method: 'GET', protocol } as const
  const paying = { id: card.id, token: card.token }
  return {
    state,
    buy: (): Promise<PayOutcome> => payer.pay(paying, order, { idempotencyKey: card.id }),
    async money() {
      const { spent, held } = await cardOf(agent, card.id)
      return { spent, held }
    },
    async [Symbol.asyncDispose]() {
      await shop[Symbol.asyncDispose]()
      await relay[Symbol.asyncDispose]()
    },
  }
}

// Each 503 says when to ask again, so each call of the service presents the payment twice.
test.each(RAILS)(
  'a handler that fails once the money is taken owes its answer to the same key: %s',
  async (_, rail) => {
    await using s = await scene(rail, { settle: 'before' })
    s.state.failures = 4
    const first = await s.buy()
    expect(first).toMatchObject({ outcome: 'seller_failed', response: { status: 503 } })
    expect(await s.buy()).toMatchObject({ outcome: 'seller_failed', response: { status: 503 } })
    const third = await s.buy()
    expect(third).toMatchObject({ outcome: 'paid', response: { body: { report: 5 } } })
    expect(third.transaction_id).toBe(first.transaction_id)
    // From here on the key keeps the goods.
    expect(await s.buy()).toEqual(third)
    expect(s.state.served).toBe(5)
    expect(await s.money()).toEqual({ spent: third.amount_debited, held: 0 })
  },
)

test.each(RAILS)(
  'a seller that did not hear that it was paid serves the same key later, an answer that nobody keeps too: %s',
  async (_, rail) => {
    await using s = await scene(rail)
    s.state.goods = 'x'.repeat(KEPT_MAX)
    s.state.lost = 2
    const first = await s.buy()
    expect(first).toMatchObject({
      outcome: 'seller_failed',
      response: { body: { code: 'payment_service_unavailable', retry: { same_payment: true } } },
    })
    expect(await s.buy()).toMatchObject({
      outcome: 'paid',
      transaction_id: first.transaction_id,
      response: { body: { report: 3 } },
    })
    expect(await s.money()).toEqual({ spent: first.amount_debited, held: 0 })
  },
)

test('a seller that can say nothing to the service for a while gives the answer that is kept there', async () => {
  await using s = await scene(RAILS[0][1])
  Object.assign(s.state, { lost: 1, isCut: true })
  // Asked again within seconds, as its 503 says.
  expect(await s.buy()).toMatchObject({ outcome: 'paid', response: { body: { report: 1 } } })
})

test.each(['before', 'after'] as const)(
  'a call of the service whose answer was lost is repeated, and the goods are given: settle %s',
  async (settle) => {
    await using s = await scene(RAILS[0][1], { settle }, 2)
    Object.assign(s.state, { lost: 1, goods: 'x'.repeat(KEPT_MAX) })
    expect(await s.buy()).toMatchObject({ outcome: 'paid', response: { body: { report: 1 } } })
  },
)

test('a handler that throws gives a card of the service its money back at once, and its key buys again', async () => {
  await using s = await scene(RAILS[2][1])
  s.state.isThrowing = true
  expect(await s.buy()).toMatchObject({ outcome: 'not_charged', response: { status: 500 } })
  expect(await s.money()).toEqual({ spent: 0, held: 0 })
  s.state.isThrowing = false
  const bought = await s.buy()
  expect(bought).toMatchObject({ outcome: 'paid', response: { body: { report: 2 } } })
  expect(await s.money()).toEqual({ spent: bought.amount_debited, held: 0 })
  expect(await stage.w.faults()).toEqual([])
})

test('a handler that fails once is asked again within seconds, by a payment on chain that waits for it', async () => {
  await using s = await scene(RAILS[0][1])
  s.state.failures = 1
  expect(await s.buy()).toMatchObject({ outcome: 'paid', response: { body: { report: 2 } } })
})
