import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from '../../../test/actors/members/meter-kit.ts'
import { newToken } from '../../../test/actors/token-kit.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

type Line = {
  where: string
  ref: string
  contract: string
  amount: number | null
  amount_atomic: string | null
  value_usdc: number | null
}
const read = async (user: User, query = '') => (await user.get(`/api/holdings${query}`)).body

async function readAll(user: User, limit: number): Promise<Line[]> {
  const lines: Line[] = []
  let after = ''
  for (;;) {
    const page = await read(user, `?limit=${limit}${after}`)
    lines.push(...page.holdings)
    if (!page.has_more) {
      expect(page.next_after).toBe(null)
      return lines
    }
    after = `&after=${page.next_after}`
  }
}

/** Sums of the ledger for the wallet, by kind of account, read without the room's own statements. */
async function ledgerOf({ wallet }: User): Promise<Record<string, bigint>> {
  const rows = await all<{ kind: string; sum: bigint }>(
    w.db.reader,
    sql`select kind, sum(posted)::numeric as sum from ledger_accounts where owner = ${wallet}
      or owner in (select id from cards where wallet_address = ${wallet}) group by kind`,
  )
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, BigInt(sum)]))
}

const sumOf = (lines: Line[], where: string) =>
  lines
    .filter((line) => line.where === where)
    .reduce((sum, l) => sum + BigInt(l.amount_atomic ?? ''), 0n)

test('a wallet sees its balance, its cards and what it has on chain, and what that is worth', async () => {
  const user = await w.user({ treasury: 10, usdc: 3 })
  const card = await user.card({ limit: 4 })
  const answer = await read(user)
  const usdc = { network: 'eip155:84532', asset: 'USDC', symbol: 'USDC', decimals: 6 }
  const worth = { contract: w.chain.asset.contract, price_source: 'par', price_at: null }
  const line = (where: string, ref: string, amount: number) => ({
    ...usdc,
    ...worth,
    where,
    ref,
    amount,
    amount_atomic: String(amount * 1e6),
    value_usdc: amount,
  })
  expect(answer).toEqual({
    holdings: [
      line('treasury', user.wallet, 10),
      line('card', card.id, 4),
      line('wallet', user.wallet, 3),
    ],
    total_value_usdc: 17,
    has_more: false,
    next_after: null,
  })
})

test('a registered token is shown in its own units, and is worth nothing that we know', async () => {
  const user = await w.user()
  const token = await newToken({ symbol: 'DOLLAR', name: 'Dollar', decimals: 18 })
  await token.mint(user.account.address, 5n * 10n ** 17n)
  expect((await user.get('/api/holdings')).body.holdings).toEqual([])
  const body = { network: 'eip155:84532', address: token.contract }
  expect((await user.post('/api/tokens', body)).status).toBe(200)
  const answer = await read(user)
  // Its name promises a dollar, and that is worth nothing: the asset is its address.
  expect(answer).toMatchObject({
    holdings: [
      {
        asset: token.contract,
        symbol: 'DOLLAR',
        where: 'wallet',
        amount: 0.5,
        amount_atomic: '500000000000000000',
        value_usdc: null,
        price_source: null,
      },
    ],
    total_value_usdc: 0,
  })
})

test('ledger lines add up to the ledger to the unit, held money included, whatever was done and however it is paged', async () => {
  const user = await w.user({ treasury: 100 })
  await join(w, user)
  await user.post('/api/fees/topup', { amount: 1.234567 })
  await user.post('/api/membership/auto-renew', { tier: 'starter', periods: 1 })
  for (let i = 0; i < 7; i++) {
    const card = await user.card({ limit: Number((2.000_001 + i).toFixed(6)) })
    if (i % 3 === 0) {
      const order = { card_id: card.id, card_token: card.token, budget: 1.5, tick_amount: 0.1 }
      expect((await user.post('/api/mpp/stream/open', order)).status).toBe(200)
    }
    if (i % 3 === 1) await user.post(`/api/cards/${card.id}/claim`, { token: card.token })
    if (i === 5) await user.post(`/api/cards/${card.id}/cancel`, {})
  }
  await user.post('/api/withdraw', { amount: 5, network: 'eip155:84532', asset: 'USDC' })
  const ledger = await ledgerOf(user)
  expect(ledger.fee_meter).toBe(1_234_567n)
  for (const limit of [1, 2, 3, 100]) {
    const lines = await readAll(user, limit)
    expect(sumOf(lines, 'treasury')).toBe(ledger.treasury)
    expect(sumOf(lines, 'fee_meter')).toBe(ledger.fee_meter)
    expect(sumOf(lines, 'card')).toBe((ledger.card ?? 0n) + (ledger.autopay ?? 0n))
    expect(new Set(lines.map((l) => `${l.where} ${l.ref} ${l.contract}`)).size).toBe(lines.length)
  }
})

test('a restricted key sees the cards that it names, and another wallet’s card is no place to go on', async () => {
  const [user, other] = [await w.user({ treasury: 1 }), await w.user()]
  const [one, two] = [await user.card(), await user.card()]
  const theirs = await other.card()
  const made = await user.post('/api/keys/restricted', {
    name: 'one',
    scopes: ['treasury:read'],
    card_ids: [one.id],
  })
  const { body } = await user.get('/api/holdings', { key: made.body.api_key })
  expect(body.holdings.map(({ where, ref }: Line) => [where, ref])).toEqual([
    ['treasury', user.wallet],
    ['card', one.id],
  ])
  for (const id of [theirs.id, 'card_1', `card_${'0'.repeat(26)}`])
    expect((await user.get(`/api/holdings?after=${id}`)).status).toBe(400)
  const rest = await user.get(`/api/holdings?after=${two.id}`, { key: made.body.api_key })
  expect(rest.status).toBe(400)
  const cards = await user.post('/api/keys/restricted', { name: 'two', scopes: ['cards:read'] })
  expect((await user.get('/api/holdings', { key: cards.body.api_key })).status).toBe(403)
})
