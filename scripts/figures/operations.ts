import { writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../packages/service/test/actors/ap2/shop.ts'
import { buy, offerCard } from '../../packages/service/test/market/kit.ts'
import { officialSeller } from '../../packages/service/test/sellers/x402-sellers.ts'
import { type Reply, world } from '../../packages/service/test/world.ts'
import type { Entry } from './instrument.ts'

/** The functions that each operation entered, in order. */
const paths: Record<string, Entry[]> = {}
const recorder = globalThis as { enter?: (file: string, at: number, within: number[]) => void }

test('an AP2 mandate settles a link', async () => {
  await using w = await world()
  const shop = await openShop(w)
  const terms = termsFor(w, shop.link, shop.card)
  const body = settleBody(shop, await directMandate(terms, shop.userKey))
  const reply = await recorded('ap2 settle', () => settleWith(shop.payer, body))
  expect(reply.status, reply.text).toBe(201)
})

test('a card pays an x402 seller', async () => {
  await using w = await world()
  await using seller = await officialSeller({ price: '$0.01' })
  const user = await w.user({ treasury: 10 })
  const card = await user.card()
  const body = { card_id: card.id, card_token: card.token, url: seller.url }
  const reply = await recorded('pay by x402', () => user.post('/api/pay', body))
  expect(reply.status, reply.text).toBe(200)
})

test('a card is bought on the marketplace', async () => {
  await using w = await world()
  const { listing } = await offerCard(w)
  const buyer = await w.user({ treasury: 100 })
  const reply = await recorded('marketplace buy', () => buy(buyer, listing))
  expect(reply.status, reply.text).toBe(200)
})

test('a deposit is credited by its hash', async () => {
  await using w = await world()
  const user = await w.user({ usdc: 50 })
  const tx_hash = await w.transfer(user.account, w.chain.treasury.address, 20_000_000n)
  await w.safe()
  const reply = await recorded('deposit by hash', () => user.post('/api/fund/verify', { tx_hash }))
  expect(reply.body, reply.text).toMatchObject({ status: 'confirmed' })
})

afterAll(() => {
  const { FIGURES_TO } = process.env
  if (FIGURES_TO) writeFileSync(FIGURES_TO, JSON.stringify(paths))
})

async function recorded(name: string, run: () => Promise<Reply>): Promise<Reply> {
  const entries: Entry[] = []
  paths[name] = entries
  Error.stackTraceLimit = 40
  recorder.enter = (file, at, within) => entries.push({ file, at, within, caller: callerFile() })
  try {
    return await run()
  } finally {
    delete recorder.enter
  }
}

/** Our file that called the reporting function. */
function callerFile(): string | undefined {
  const frames = (new Error().stack ?? '').split('\n').slice(1)
  const ours = frames.flatMap(
    (frame) => /(packages\/[\w-]+\/src\/[\w/.-]+\.ts)/.exec(frame)?.[1] ?? [],
  )
  return ours[1]
}
