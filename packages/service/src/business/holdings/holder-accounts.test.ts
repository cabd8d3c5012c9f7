import { encodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { carried, mintedCard, moveToken } from '../../../test/actors/identity/identities.ts'
import { marketKit, TOKEN } from '../../../test/actors/markets/market-kit.ts'
import { newToken } from '../../../test/actors/token-kit.ts'
import { testChain } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { one, sql } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { mine, mintUsdc } from '../../run/embedded/dev/chain.ts'
import { DEV_SWAP_ROUTER } from '../../run/embedded/dev/markets.ts'

type Line = Record<'where' | 'ref' | 'contract', string> & {
  amount_atomic: string
  value_usdc: number | null
  price_source: string | null
  price_at: string | null
}
const read = async (user: User) => (await user.get('/api/holdings')).body
const ledgerSum = (lines: Line[]): bigint =>
  lines
    .filter(({ where }) => ['treasury', 'card', 'fee_meter'].includes(where))
    .reduce((sum, { amount_atomic }) => sum + BigInt(amount_atomic), 0n)

/** All that the ledger keeps for the wallet, read without the room's own statements. */
const ledgerOf = async (w: World, { wallet }: User): Promise<bigint> =>
  BigInt(
    (await one<{ sum: bigint }>(
      w.db.reader,
      sql`select sum(posted)::numeric as sum from ledger_accounts where owner = ${wallet}
        or owner in (select id from cards where wallet_address = ${wallet})`,
    ))!.sum,
  )

/** A dollar buys some of the token, which goes to the account. Returns how much. */
async function sendCardToken(w: World, token: Address, prepared: never, to: Address) {
  const kit = marketKit(w)
  const trader = await kit.trader(token)
  const usdc = w.chain.asset.contract
  const swap = kit.swapData(kit.keyOf(prepared), { in: usdc, amount: 1_000_000n })
  await kit.send(trader, { to: DEV_SWAP_ROUTER, data: swap })
  const bought = await kit.balanceOf(token, trader.address)
  const args = [to, bought] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await kit.send(trader, { to: token, data })
  return bought
}

test('the account of an identity token is its owner’s: USDC, a registered token and a card’s token, each at its price', async () => {
  await using w = await world({ identities: true })
  const { seller, row } = await mintedCard(w)
  const holder = row.holderAddress!
  const { rpcUrl, chainId } = testChain()
  await mintUsdc({ rpcUrl, chainId, to: holder, amount: 2_500_001n })
  await mine({ rpcUrl, blocks: 1 })
  const plain = await newToken({ symbol: 'PLAIN', name: 'Plain', decimals: 8 })
  await plain.mint(holder, 7n)
  const body = { network: 'eip155:84532', address: plain.contract }
  expect((await seller.post('/api/tokens', body)).status).toBe(200)
  const { token, prepared } = await marketKit(w).launch(seller, { keep_bps: 0 })
  const bought = await sendCardToken(w, token, prepared as never, holder)

  const answer = await read(seller)
  const lines: Line[] = answer.holdings.filter(({ where }: Line) => where === 'holder')
  expect(lines.every(({ ref }) => ref === holder)).toBe(true)
  const of = (contract: string) => lines.find((line) => line.contract === contract)
  expect(of(w.chain.asset.contract)).toMatchObject({
    ...{ amount_atomic: '2500001', value_usdc: 2.500001, price_source: 'par', price_at: null },
  })
  expect(of(plain.contract)).toMatchObject({
    ...{ amount_atomic: '7', value_usdc: null, price_source: null, price_at: null },
  })
  const held = of(token)!
  expect(held).toMatchObject({ amount_atomic: String(bought), price_source: 'pool_twap' })
  expect(new Date(held.price_at!).getTime()).toBeLessThanOrEqual(w.now().getTime())
  expect(held.value_usdc! / (Number(bought) / Number(TOKEN))).toBeCloseTo(0.001, 4)
  expect(lines).toHaveLength(3)

  expect(ledgerSum(answer.holdings)).toBe(await ledgerOf(w, seller))
  const units = answer.holdings.reduce(
    (sum: bigint, { value_usdc: value }: Line) => sum + BigInt(Math.round((value ?? 0) * 1e6)),
    0n,
  )
  expect(BigInt(Math.round(answer.total_value_usdc * 1e6))).toBe(units)
  // Others see none of it, and without the chain only the ledger is left.
  expect((await read(await w.user())).holdings).toEqual([])
  const on = { rpcUrl, rpcUrls: ['http://127.0.0.1:1'], mine: async () => {} }
  await using dark = await w.machine({ on })
  const blind = (await dark.call('GET', '/api/holdings', undefined, { key: seller.key })).body
  expect(blind.chain).toBe('unavailable')
  expect(new Set(blind.holdings.map(({ where }: Line) => where))).toEqual(
    new Set(['treasury', 'card']),
  )
  expect(ledgerSum(blind.holdings)).toBe(await ledgerOf(w, seller))
})

test('what is in the account is no holding once somebody else has the token', async () => {
  await using w = await world({ identities: true })
  const { seller, id, row } = await mintedCard(w)
  const { rpcUrl, chainId } = testChain()
  await mintUsdc({ rpcUrl, chainId, to: row.holderAddress!, amount: 5n })
  await mine({ rpcUrl, blocks: 1 })
  const holders = async () =>
    (await read(seller)).holdings.filter(({ where }: Line) => where === 'holder').length
  expect(await holders()).toBe(1)
  await seller.post(`/api/cards/${id}/identity/withdraw`)
  await carried(w, id)
  expect(await holders()).toBe(1)
  const thief = await w.user()
  const to = thief.account.address
  await moveToken(w, { from: seller.account, to, tokenId: row.tokenId! })
  expect(await carried(w, id)).toMatchObject({ state: 'DETACHED' })
  expect(await holders()).toBe(0)
})
