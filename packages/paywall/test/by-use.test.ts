import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { expect, test } from 'vitest'
import { ask, asset } from '../../service/test/actors/facilitator-kit.ts'
import { payByCard } from '../../service/test/actors/mpp-payers.ts'
import { approve } from '../../service/test/actors/permit2-kit.ts'
import { ownWorld } from '../../service/test/chain-faults/own-world.ts'
import { GARBAGE } from '../../service/test/faults/faulty-rpc.ts'
import { until } from '../../service/test/until.ts'
import { NETWORK, repeating } from './payers.ts'
import { openShop, openStage } from './stage.ts'

const PART = 12_300n

test('by a price upTo the official client pays what the handler says was used', async () => {
  await using stage = await openStage()
  let charge: string | undefined = '0.0123'
  const failures: unknown[] = []
  await using shop = await openShop('web', stage.purser, {
    options: { price: { upTo: '0.05' }, onError: (error) => failures.push(error) },
    serve: async () => ({
      ...{ status: 200, body: '{}' },
      headers: charge === undefined ? {} : { 'Purser-Charge': charge },
    }),
  })
  const asked: any = await (await fetch(shop.url)).json()
  expect(asked.price.words).toBe('at most 0.05 USDC, by what this request uses')
  expect(asked.mpp).toEqual([])
  const payer = await stage.payer()
  await approve(payer, asset.contract)
  const before = await stage.onChain()
  const pay = wrapFetchWithPayment(
    fetch,
    new x402Client().register(NETWORK, new UptoEvmScheme(payer)),
  )
  const response = await pay(shop.url)
  expect(response.status, await response.clone().text()).toBe(200)
  expect(response.headers.get('purser-charge')).toBeNull()
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
  expect(receipt).toMatchObject({ success: true, amount: String(PART) })
  expect((await stage.onChain()) - before).toBe(PART)
  // A handler that says nothing, or too much, is not paid, and serves nobody.
  for (charge of [undefined, '0.06', 'much']) {
    const wrong = await pay(shop.url)
    expect([wrong.status, ((await wrong.json()) as any).code]).toEqual([
      500,
      expect.stringMatching(/^(charge_missing|charge_too_high|invalid_price)$/),
    ])
  }
  expect(failures).toHaveLength(3)
  expect((await stage.onChain()) - before).toBe(PART)
})

test('without the contracts of upto a price by use is a clear error of the seller', async () => {
  await using stage = await openStage()
  const lacking = {
    POST: async (...call: [string, object]) => ({
      ...(await (stage.purser.POST as any)(...call)),
      upto_facilitator: null,
    }),
  }
  await using shop = await openShop('web', lacking as never, { options: { price: { upTo: '1' } } })
  const answer = await fetch(shop.url)
  expect([answer.status, ((await answer.json()) as any).code]).toEqual([501, 'upto_not_spoken'])
})

test('while no block comes the answer is 503 without a demand; then the same payment has its answer, once', async () => {
  await using own = await ownWorld()
  const { services } = own.w
  services.settings.facilitator = { payTo: 'any', waitMs: 300 }
  await using stage = await openStage(own.w)
  let served = 0
  await using shop = await openShop('web', stage.purser, {
    serve: async () => ({ status: 200, body: JSON.stringify({ served: ++served }) }),
  })
  const { over, seen } = repeating(1)
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(await own.payer()))
  const slow = await wrapFetchWithPayment(over, client)(shop.url)
  const said: any = await slow.json()
  expect([slow.status, said.code]).toEqual([503, 'settlement_pending'])
  expect(said.retry).toMatchObject({ same_payment: true, new_payment: false })
  expect(slow.headers.get('payment-required')).toBeNull()
  expect(Number(slow.headers.get('retry-after'))).toBeGreaterThan(0)
  services.settings.facilitator = { payTo: 'any', waitMs: 120_000 }
  await own.blocks(1)
  const again = () => fetch(shop.url, { headers: seen.headers })
  const all = await Promise.all(Array.from({ length: 5 }, again))
  for (const answer of all)
    expect([answer.status, await answer.json()]).toEqual([200, { served: 1 }])
  expect(served).toBe(1)
})

test('while the chain cannot be asked the answer is 503 without a demand; then the same payment is served', async () => {
  await using own = await ownWorld({ nodes: 1 })
  await using stage = await openStage(own.w)
  await using shop = await openShop('web', stage.purser)
  const { over, seen } = repeating(1)
  const inTheDark = (async (...call: Parameters<typeof fetch>) => {
    if (new Request(...call).headers.has('payment-signature')) own.nodes[0]?.fault(() => GARBAGE)
    return over(...call)
  }) as typeof fetch
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(await own.payer()))
  const dark = await wrapFetchWithPayment(inTheDark, client)(shop.url)
  const said: any = await dark.json()
  expect([dark.status, said.code]).toEqual([503, 'payment_not_checked'])
  expect(said.retry).toMatchObject({ same_payment: true, new_payment: false })
  expect(dark.headers.get('payment-required')).toBeNull()
  own.nodes[0]?.fault(undefined)
  const served = await own.during(fetch(shop.url, { headers: seen.headers }))
  expect(served.status, await served.text()).toBe(200)
})

test('a payment whose handler died with its process is still good when its claim has ended', async () => {
  await using own = await ownWorld()
  await using stage = await openStage(own.w)
  let runs = 0
  await using shop = await openShop('web', stage.purser, {
    serve: () =>
      ++runs === 1 ? new Promise(() => undefined) : Promise.resolve({ status: 200, body: '{}' }),
  })
  const { over, seen } = repeating(1)
  const client = new x402Client().register(NETWORK, new ExactEvmScheme(await own.payer()))
  void wrapFetchWithPayment(over, client)(shop.url).catch(() => undefined)
  await until(() => runs === 1)
  const again = () => fetch(shop.url, { headers: seen.headers })
  const busy: any = await (await again()).json()
  expect(busy.code).toBe('payment_in_progress')
  await own.w.advance(121)
  await own.call('evm_increaseTime', 121)
  await own.blocks(1)
  const served = await own.during(again())
  expect([served.status, runs], await served.text()).toEqual([200, 2])
})

test('a card that is frozen after it agreed pays nothing, and ten replays of one that pays are served once', async () => {
  await using stage = await openStage()
  let served = 0
  await using shop = await openShop('web', stage.purser, {
    serve: async () => ({ status: 200, body: JSON.stringify({ served: ++served }) }),
  })
  const { over, seen } = repeating(10)
  const response = await payByCard(stage.base, stage.card, over)(shop.url)
  expect(await response.json()).toEqual({ served: 1 })
  expect(seen.answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  expect(await stage.received()).toBeCloseTo(0.00995, 6)
  const later = await fetch(shop.url, { headers: seen.headers })
  expect([later.status, await later.json(), served]).toEqual([200, { served: 1 }, 1])
  const freezing = (async (input: Request, init?: RequestInit) => {
    const request = new Request(input, init)
    if (request.headers.has('authorization'))
      await stage.agent.post(`/api/cards/${stage.card.id}/freeze`, {})
    return fetch(request)
  }) as typeof fetch
  const frozen = await payByCard(stage.base, stage.card, freezing)(shop.url)
  expect([frozen.status, served]).toEqual([402, 2])
  expect(((await frozen.json()) as any).reason).toBe('card_frozen')
  expect(await stage.received()).toBeCloseTo(0.00995, 6)
})

test('a client of x402 v1 reads its offer in the body, and buys', async () => {
  await using stage = await openStage()
  await using shop = await openShop('express', stage.purser)
  const [offer] = ((await (await fetch(shop.url)).json()) as any).accepts
  const { paymentPayload } = await ask(await stage.payer(), offer.payTo)
  const { payload } = paymentPayload
  const v1 = { x402Version: 1, scheme: offer.scheme, network: offer.network, payload }
  const headers = { 'x-payment': btoa(JSON.stringify(v1)) }
  const bought = await fetch(shop.url, { headers })
  expect(bought.status, await bought.clone().text()).toBe(200)
  const receipt = JSON.parse(atob(bought.headers.get('x-payment-response')!))
  expect(receipt).toMatchObject({ success: true, network: 'base-sepolia' })
  const again = await fetch(shop.url, { headers })
  expect([again.status, ((await again.json()) as any).code]).toEqual([409, 'payment_used'])
})
