/** The seller in Python of `docs/paywall-api.md`, as a reader would start it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { decodePaymentResponseHeader } from '@x402/fetch'
import { expect, test } from 'vitest'
import { payByCard, payByWallet } from '../../service/test/actors/mpp-payers.ts'
import { payByX402, repeating } from './payers.ts'
import { openStage, PRICE } from './stage.ts'

const GUIDE = new URL('../../../docs/paywall-api.md', import.meta.url)
const [, PROGRAM = ''] = /^```python\n([\s\S]*?)^```$/m.exec(readFileSync(GUIDE, 'utf8')) ?? []
const GOODS = { report: 'All is well.' }

async function openShop(env: Record<string, string>, program: string) {
  const shop: ChildProcess = spawn('python3', ['-c', program], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(shop, 'exit')
  const [url] = await Promise.race([
    once(createInterface({ input: shop.stdout! }), 'line'),
    ended.then(() => Promise.reject(new Error('it ended'))),
  ])
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      shop.kill()
      await ended
    },
  }
}

test('a seller in Python takes x402, MPP by a wallet, and cards; repeats an answer, and charges no failure', async () => {
  await using stage = await openStage()
  const env = { BASE: stage.base, KEY: stage.seller.key }
  await using shop = await openShop(env, PROGRAM)
  const before = await stage.onChain()
  const { over, seen } = repeating(5)
  const bought = await payByX402(await stage.payer(), over)(shop.url)
  expect([bought.status, await bought.json()]).toEqual([200, GOODS])
  expect(decodePaymentResponseHeader(bought.headers.get('payment-response')!).success).toBe(true)
  expect(seen.answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  expect((await stage.onChain()) - before).toBe(PRICE)

  const byWallet = await payByWallet(await stage.payer())(shop.url)
  expect([byWallet.status, await byWallet.json()]).toEqual([200, GOODS])
  const card = repeating(1)
  const byCard = await payByCard(stage.base, stage.card, card.over)(shop.url)
  expect([byCard.status, await byCard.json()]).toEqual([200, GOODS])
  expect(byCard.headers.get('payment-receipt')).toBeTruthy()
  const again = await fetch(shop.url, { headers: card.seen.headers })
  expect([again.status, await again.json()]).toEqual([200, GOODS])
  const { body } = await stage.agent.post('/api/pay', {
    ...{ card_id: stage.card.id, card_token: stage.card.token },
    ...{ url: shop.url, method: 'GET', max_amount: '0.02' },
  })
  expect(body, JSON.stringify(body)).toMatchObject({ outcome: 'paid', response: { body: GOODS } })
  expect([(await stage.onChain()) - before, await stage.received()]).toEqual([2n * PRICE, 0.0199])

  const broken = PROGRAM.replace('return {"report"', 'return 1 / 0, {"report"')
  await using failing = await openShop(env, broken)
  const failed = await payByX402(await stage.payer())(failing.url)
  expect([failed.status, ((await failed.json()) as any).code]).toEqual([500, 'not_charged'])
  expect((await stage.onChain()) - before).toBe(2n * PRICE)
  const unread = await fetch(shop.url, { headers: { 'payment-signature': 'e30x' } })
  expect(unread.status).toBe(400)
})
