import { decodePaymentResponseHeader } from '@x402/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payByCard, payByWallet } from '../../service/test/actors/mpp-payers.ts'
import { payByX402, repeating } from './payers.ts'
import { ADAPTERS, GOODS, openShop, openStage, PRICE, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

describe.each(ADAPTERS)('%s', (adapter) => {
  test('one 402 carries x402 v2 and v1, MPP by both methods, and the card way', async () => {
    await using shop = await openShop(adapter, stage.purser)
    const response = await fetch(shop.url)
    const body: any = await response.json()
    expect(response.status, JSON.stringify(body)).toBe(402)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('vary')).toContain('PAYMENT-SIGNATURE')
    const v2 = JSON.parse(atob(response.headers.get('payment-required')!))
    expect(v2.accepts).toMatchObject([{ scheme: 'exact', amount: String(PRICE) }])
    expect(v2.extensions.bazaar.info.input).toEqual({ type: 'http', method: 'GET' })
    expect(response.headers.get('www-authenticate')).toMatch(/method="evm".*method="agentcard"/)
    expect(body).toMatchObject({
      code: 'payment_required',
      price: { amount: '0.01', currency: 'USDC', words: '0.01 USDC for this request' },
      x402Version: 1,
      accepts: [{ scheme: 'exact', network: 'base-sepolia', maxAmountRequired: String(PRICE) }],
      mpp: [{ method: 'evm' }, { method: 'agentcard' }],
    })
    const ways = body.ways.map((way: any) => [way.protocol, way.version ?? way.method])
    expect(ways).toEqual([
      ['x402', 2],
      ['x402', 1],
      ['mpp', 'evm'],
      ['mpp', 'agentcard'],
      ['card', undefined],
    ])
    const size = [...response.headers].reduce((sum, [k, v]) => sum + k.length + v.length + 4, 0)
    expect(size).toBeLessThan(8_192)
  })

  test('the official client of x402 buys, and has its receipt', async () => {
    await using shop = await openShop(adapter, stage.purser)
    const before = await stage.onChain()
    const payer = await stage.payer()
    const response = await payByX402(payer)(shop.url)
    expect([response.status, await response.json()]).toEqual([200, GOODS])
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
    expect(receipt).toMatchObject({ success: true, payer: payer.address })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect((await stage.onChain()) - before).toBe(PRICE)
  })

  test('mppx buys by a wallet, and by a card of the service', async () => {
    await using shop = await openShop(adapter, stage.purser)
    const before = await stage.onChain()
    const response = await payByWallet(await stage.payer())(shop.url)
    expect([response.status, await response.json()]).toEqual([200, GOODS])
    expect(response.headers.get('payment-receipt')).toBeTruthy()
    expect((await stage.onChain()) - before).toBe(PRICE)
    const received = await stage.received()
    const byCard = await payByCard(stage.base, stage.card)(shop.url)
    expect([byCard.status, await byCard.json()]).toEqual([200, GOODS])
    expect((await stage.received()) - received).toBeCloseTo(0.00995, 6)
  })

  test('of ten concurrent replays one is served, and the rest get the same answer or 409', async () => {
    let served = 0
    await using shop = await openShop(adapter, stage.purser, {
      serve: async (body) => ({ status: 200, body: JSON.stringify({ served: ++served, body }) }),
    })
    const before = await stage.onChain()
    const { over, seen } = repeating(10)
    const init = { method: 'POST', body: 'a question', headers: { 'content-type': 'text/plain' } }
    const response = await payByX402(await stage.payer(), over)(shop.url, init)
    expect(await response.json()).toEqual({ served: 1, body: 'a question' })
    expect(served).toBe(1)
    for (const answer of seen.answers)
      if (answer.status !== 200)
        expect([answer.status, ((await answer.json()) as any).code]).toEqual([
          409,
          expect.stringMatching(/^payment_(in_progress|used)$/),
        ])
    const later = await fetch(shop.url, { ...init, headers: seen.headers })
    expect([later.status, await later.json()]).toEqual([200, { served: 1, body: 'a question' }])
    const other = await fetch(shop.url, { ...init, body: 'another', headers: seen.headers })
    expect([other.status, ((await other.json()) as any).code]).toEqual([409, 'payment_used'])
    expect(served).toBe(1)
    expect((await stage.onChain()) - before).toBe(PRICE)
  })

  test('a handler that fails is not charged, and the same payment buys once it works', async () => {
    let isBroken = true
    await using shop = await openShop(adapter, stage.purser, {
      serve: async () => {
        if (!isBroken) return { status: 200, body: JSON.stringify(GOODS) }
        throw new Error('the printer is on fire')
      },
    })
    const before = await stage.onChain()
    const { over, seen } = repeating(1)
    const response = await payByX402(await stage.payer(), over)(shop.url)
    expect(response.status).toBe(500)
    expect(await stage.onChain()).toBe(before)
    isBroken = false
    const again = await fetch(shop.url, { headers: seen.headers })
    expect([again.status, await again.json()]).toEqual([200, GOODS])
    expect((await stage.onChain()) - before).toBe(PRICE)
  })
})
