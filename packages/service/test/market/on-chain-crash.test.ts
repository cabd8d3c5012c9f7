/** Two buyers race for each card on chain while the service kills itself at each step of the sale. */

import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IDENTITY_REGISTRIES } from '../../src/chain/client/public/contracts.ts'
import { registryAbi } from '../actors/identity/identities.ts'
import { runsNow } from '../crash/acts/dates.ts'
import { type Move, type Player, untilSo, type World } from '../crash/acts/moves.ts'
import { offerOnChain, PRICE, purchaseOf, saleAside } from '../crash/acts/on-chain-sale.ts'
import { openWorld } from '../crash/acts/players.ts'
import { balanceOf } from '../crash/chain-wallet.ts'
import { verifyBooks, waitUntilFinal } from '../crash/check.ts'
import { insist } from '../crash/client.ts'
import { CHAIN_ID, openStage, type Stage } from '../crash/stage.ts'
import { freshDatabase } from '../world/postgres.ts'

const TEST_MS = 900_000
const FINAL_MS = 300_000
/** Accepted, and nothing begun; signed, and not broadcast; done on chain, and not in the books. */
const STEPS = ['market.accepted', 'chain.after_store', 'market.before_end']
const MORE = process.env.ALL_STEPS ? ['chain.after_broadcast', 'market.after_end'] : []
/** Sales that the books do not know, as after the restore of a backup: seen; the card frozen; the sale theirs again. */
const MISSING = ['market.missing_found', 'market.missing_frozen', 'market.missing_adopted']

let stage: Stage
let world: World
beforeAll(async () => {
  const database = await freshDatabase()
  stage = await openStage({ blockTimeSeconds: 1, processes: 1, database })
  await stage.launch('api,worker').ready()
  world = await openWorld(stage, { players: 3, sellerTimeoutSeconds: 8 })
  // A new service follows figures from its first full minute on.
  await stage.batch(runsNow('keep_stats_following'))
}, TEST_MS)
afterAll(async () => {
  await world?.seller.close()
  await stage?.[Symbol.asyncDispose]()
}, TEST_MS)

const isOver = () => false
/** Buys, again and again until there is an answer. */
async function buy(move: Move, listingId: string): Promise<number> {
  const headers = { authorization: `Bearer ${move.other.key}` }
  const request = { ...(await purchaseOf(move, listingId)), headers }
  const outcome = await insist(stage.baseUrl, request, isOver)
  return outcome?.reply.status ?? 0
}
const walletsOf = (players: Player[]) =>
  Promise.all(players.map(({ wallet }) => balanceOf(stage.rpcUrl, wallet.address)))

type Sold = { id: string; owners: number; wallet: string; handed: number; state: string }
const readSold = (): Promise<Sold[]> =>
  stage.query<Sold>(
    `select c.id, c.owner_no as owners, c.wallet_address as wallet, s.state,
      (select count(*)::int from card_handovers h where h.card_id = c.id) as handed
      from sales s join cards c on c.id = s.card_id join listings l on l.id = s.listing_id
      where l.status = 'SOLD' and l.buyer = c.wallet_address and c.status = 'ACTIVE' order by c.id`,
  )

async function ownerOnChain(cardId: string): Promise<string> {
  const [row] = await stage.query<{ token: string }>(
    'select token_id::text as token from identities where card_id = $1',
    [cardId],
  )
  return createPublicClient({ transport: http(stage.rpcUrl) }).readContract({
    address: IDENTITY_REGISTRIES[`eip155:${CHAIN_ID}`]!,
    abi: registryAbi,
    functionName: 'ownerOf',
    args: [BigInt(row?.token ?? 0)],
  })
}

test('a card that is sold on chain while the service dies at each step has one owner and one payment', {
  timeout: TEST_MS,
}, async () => {
  const [player, ...buyers] = world.players as [Player, ...Player[]]
  const moves = buyers.map((other): Move => ({ world, player, other, isOver }))
  const steps = [...STEPS, ...MORE]
  const all = [...steps, ...MISSING]
  const offers = await Promise.all(all.map(() => offerOnChain(moves[0] as Move)))
  const aside = await Promise.all(
    offers.slice(steps.length).map((offer) => saleAside(moves[0] as Move, offer.listingId)),
  )
  const before = await walletsOf(world.players)
  const since = new Date().toISOString()
  await stage.killAll()
  const racing: Promise<number[]>[] = []
  // Each start also recovers what the death before it left.
  for (const [i, step] of steps.entries()) {
    const armed = stage.launch('api,worker', `${step}:1`)
    await Promise.race([armed.ready(), armed.exited])
    const { listingId } = offers[i] as (typeof offers)[number]
    racing.push(Promise.all(moves.map((move) => buy(move, listingId))))
    expect(await armed.exited, step).toBe('SIGKILL')
  }
  const find = ['sales', 'find', '--since', since]
  for (const [i, step] of MISSING.entries()) {
    await aside[i]?.()
    expect((await stage.command(find, `${step}:1`)).code, step).toBe('SIGKILL')
  }
  await stage.launch('api,worker').ready()
  const { code, output } = await stage.command(find)
  expect(code, output).toBe(0)
  for (const statuses of await Promise.all(racing)) expect(statuses).toContain(409)
  await untilSo({ isOver }, async () => (await readSold()).length === all.length)
  // All that follows a sale takes longer than the sale.
  if (MORE.length > 0) expect(await waitUntilFinal(world, FINAL_MS)).toEqual([])
  const sold = await readSold()
  expect(sold.map(({ id }) => id)).toEqual(offers.map(({ id }) => id).sort())
  for (const { id, wallet, ...row } of sold) {
    expect(row).toEqual({ owners: 1, handed: 1, state: 'done' })
    expect(await ownerOnChain(id)).toBe(wallet)
  }
  const after = await walletsOf(world.players)
  const moved = after.map((sum, n) => sum - (before[n] ?? 0n))
  const price = BigInt(PRICE) * 1_000_000n
  const bought = buyers.map(
    (buyer) => BigInt(sold.filter(({ wallet }) => wallet === buyer.wallet.address).length) * price,
  )
  const count = BigInt(all.length)
  expect(moved).toEqual([(count * price * 995n) / 1_000n, ...bought.map((sum) => -sum)])
  expect(await verifyBooks(world)).toEqual([])
})
