import { createTestClient, http } from 'viem'
import { expect, test } from 'vitest'
import { marketKit, pathOf, TERMS } from '../../../test/actors/markets/market-kit.ts'
import { ownWorld } from '../../../test/chain-faults/own-world.ts'
import { until } from '../../../test/until.ts'
import { world } from '../../../test/world.ts'
import { v4Of } from '../../chain/client/markets/contracts.ts'

test('a market goes with its card; the stream that its creator made still counts, and stays the creator’s', async () => {
  await using w = await world()
  const kit = marketKit(w)
  const [seller, buyer] = [await w.user(), await w.user({ treasury: 100 })]
  const card = await seller.card()
  const { listing } = (await seller.post('/api/listings', { card_id: card.id, price: 10 })).body
  const { hashes, token } = await kit.launch(seller, {}, card)
  // The seller made the card's one market since the buyer looked.
  const { version } = listing
  const refused = await buyer.post(`/api/listings/${listing.id}/buy`, { version })
  expect([refused.body.code, refused.body.changed]).toEqual(['listing_changed', ['market']])
  const bought = await buyer.post(`/api/listings/${listing.id}/buy`, {})
  expect([bought.status, bought.body.code ?? '']).toEqual([200, ''])

  const body = { vestingTx: hashes.vest, keepBps: TERMS.keep_bps }
  const path = pathOf(card, '/vesting-confirm')
  expect((await seller.post(path, body)).body.code).toBe('not_found')
  expect((await seller.get(pathOf(card))).status).toBe(404)
  const vested = await buyer.post(path, body)
  expect([vested.status, vested.body.code ?? '']).toEqual([200, ''])
  const { market } = (await buyer.get(pathOf(card))).body
  expect(market).toMatchObject({ token, status: 'VESTED', creator: seller.wallet })
  const { credential } = (await buyer.get(`/api/v1/credentials/${card.id}`)).body
  for (const url of [credential.onchain.crt.explorer_url, vested.body.vesting.streamUrl]) {
    const page = await w.call('GET', new URL(url).pathname)
    expect([url, page.status, page.text]).toEqual([url, 200, expect.stringContaining('<h1')])
  }
  const again = await buyer.post(pathOf(card, '/prepare'), TERMS)
  expect([again.status, again.body.code]).toEqual([409, 'market_already_live'])
  const typesOf = async (user: typeof buyer) =>
    (await user.get('/api/events?limit=100')).body.events.map(({ type }: { type: string }) => type)
  await until(
    () => typesOf(buyer),
    (seen) => expect(seen).toContain('market.vested'),
  )
  expect(await typesOf(seller)).not.toContain('market.vested')
})

test('a chain without Uniswap v4 has no markets, and says so with its id', async () => {
  await using own = await ownWorld()
  const { w } = own
  const anvil = createTestClient({ mode: 'anvil', transport: http(own.rpcUrl) })
  await anvil.setCode({ address: v4Of(w.chain.chainId)!.quoter, bytecode: '0x' })
  const user = await w.user()
  const card = await user.card()
  for (const reply of [
    await w.call('GET', '/api/crt-markets'),
    await user.post(pathOf(card, '/prepare'), TERMS),
  ]) {
    expect([reply.status, reply.body.code]).toEqual([503, 'markets_unavailable'])
    expect(reply.body.chainId).toBe(84532)
  }
})
