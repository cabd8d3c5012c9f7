/** Twenty buyers race for one card while the service kills itself at each step of the sale. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Buyer, Player, World } from '../crash/acts/moves.ts'
import { openBuyer, openWorld } from '../crash/acts/players.ts'
import { waitUntilFinal } from '../crash/check.ts'
import { insist, type Outcome, type Request } from '../crash/client.ts'
import { openStage, type Stage } from '../crash/stage.ts'
import { freshDatabase } from '../world/postgres.ts'

const BUYERS = 20
const PRICE = 100
const TEST_MS = 900_000
const FINAL_MS = 300_000
/** Each step of a sale: before, between and after its writes. A key waits 15 s after a crash, so two of them are the rule. */
const STEPS = process.env.ALL_STEPS
  ? [
      'market.locked',
      'market.paid',
      'market.moved',
      'market.before_commit',
      'market.after_commit',
      'http.before_answer',
    ]
  : ['market.moved', 'market.after_commit']

let stage: Stage
let world: World
let buyers: Buyer[]
beforeAll(async () => {
  const database = await freshDatabase()
  stage = await openStage({ blockTimeSeconds: 1, processes: 1, database })
  await stage.launch('api,worker').ready()
  world = await openWorld(stage, { players: 1, sellerTimeoutSeconds: 8 })
  buyers = await Promise.all(Array.from({ length: BUYERS }, () => openBuyer(world)))
}, TEST_MS)
afterAll(async () => {
  await world?.seller.close()
  await stage?.[Symbol.asyncDispose]()
}, TEST_MS)

const as = async (player: Pick<Buyer, 'key'>, request: Request, key?: string): Promise<Outcome> => {
  const headers = {
    authorization: `Bearer ${player.key}`,
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const outcome = await insist(stage.baseUrl, { ...request, headers }, () => false)
  if (!outcome) throw new Error('no answer')
  return outcome
}
const post = (path: string, body: unknown): Request => ({ method: 'POST', path, body })

/** A card of the seller with a link, a restricted key for it, and its listing. */
async function offer(seller: Buyer) {
  const body = async (request: Request) => (await as(seller, request)).reply.body
  const { card } = await body(post('/api/issue', { purpose: 'sold', limit_amount: 50 }))
  const link = await body(post('/api/paylinks', { card_id: card.id, amount: 1, max_uses: 0 }))
  const keyed = { name: 'x', scopes: ['cards:read'], card_ids: [card.id] }
  const { api_key: key } = await body(post('/api/keys/restricted', keyed))
  const { listing } = await body(post('/api/listings', { card_id: card.id, price: PRICE }))
  return { card, link, key, listing }
}

const balanceOf = async (player: Buyer): Promise<number> =>
  (await as(player, { method: 'GET', path: '/api/balance' })).reply.body.balances[0].available

test('twenty buyers race for a card while the service dies at each step: one owner, one payment, or nothing', {
  timeout: TEST_MS,
}, async () => {
  const [seller] = world.players as [Player]
  for (const step of STEPS) {
    const { card, link, key, listing } = await offer(seller)
    const before = await Promise.all([seller, ...buyers].map(balanceOf))
    await stage.killAll()
    const armed = stage.launch('api,worker', `${step}:1`)
    await armed.ready()
    const path = `/api/listings/${listing.id}/buy`
    const racing = buyers.map((buyer, n) =>
      as(buyer, post(path, { version: listing.version }), `${step} ${n}`),
    )
    expect(await armed.exited, step).toBe('SIGKILL')
    await stage.launch('api,worker').ready()
    const replies = (await Promise.all(racing)).map(({ reply }) => reply)
    const won = replies.flatMap(({ status }, n) => (status === 200 ? [n] : []))
    expect(won, `${step}: ${JSON.stringify(replies.map(({ body }) => body.code))}`).toHaveLength(1)
    const winner = buyers[won[0] ?? 0] as Buyer
    const [row] = await stage.query<{ wallet: string; owners: number; sales: string }>(
      `select wallet_address as wallet, owner_no as owners,
        (select count(*) from sales s where s.card_id = c.id)::text as sales from cards c where id = $1`,
      [card.id],
    )
    expect(row, step).toEqual({ wallet: winner.wallet.address, owners: 1, sales: '1' })
    const after = await Promise.all([seller, ...buyers].map(balanceOf))
    const moved = after.map((sum, n) => Math.round((sum - (before[n] ?? 0)) * 1e6) / 1e6)
    expect(moved.filter((sum) => sum !== 0).sort(), step).toEqual([-PRICE, PRICE * 0.995])
    // The seller's token and keys are dead, and the winner's token spends.
    const pay = (token: string) =>
      as(
        winner,
        post(`/api/pay/${seller.link.code}/settle`, {
          ...{ payer_card_id: card.id, payer_card_token: token },
        }),
      )
    expect((await pay(card.token)).reply.body.code, step).toBe('invalid_card_token')
    const bought = replies[won[0] ?? 0]?.body
    expect((await pay(bought.card.token)).reply.status, step).toBe(200)
    const held = await as({ ...seller, key }, { method: 'GET', path: `/api/cards/${card.id}` })
    expect([401, 404], step).toContain(held.reply.status)
    const cancelled = await as(seller, { method: 'DELETE', path: `/api/paylinks/${link.code}` })
    expect(cancelled.reply.status, step).toBe(404)
  }
  expect(await waitUntilFinal(world, FINAL_MS)).toEqual([])
  const { code, output } = await stage.command(['verify', '--json'])
  expect(code, output.slice(0, 2_000)).toBe(0)
})
