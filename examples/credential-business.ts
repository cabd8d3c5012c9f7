// A business changes hands: a card earns by x402, AP2 and MPP, is sold, and its new owner launches a token that vests.
// Run it beside `npm start`: npx node examples/credential-business.ts
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, createPurser, PurserError } from '@purser/sdk'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Mppx } from 'mppx/client'
import { assets } from 'mppx/evm'
import { charge } from 'mppx/evm/client'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  walletActions,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { dev } from './dev.ts'

const say = (...words: unknown[]) => console.log(words.join(' '))
const chain = createTestClient({
  mode: 'anvil',
  chain: baseSepolia,
  transport: http(dev.rpc_url),
}).extend(walletActions)

/** Repeats a call until the chain is far enough for it. A public chain takes two minutes; this one mines on request. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call()
    } catch (error) {
      const isEarly = error instanceof PurserError && error.code === 'transaction_pending'
      if (!isEarly || tries === 30) throw error
      await chain.mine({ blocks: 5 })
      await sleep(500)
    }
  }
}

/** Waits until the service has seen what the chain holds. It counts a block once others stand on it. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries === 120) throw new Error(`This took too long: ${what}.`)
    await chain.mine({ blocks: 5 })
    await sleep(500)
  }
}

/** A wallet of its own with gas and USDC, signed in. `deposit` of it goes to its treasury balance. */
async function newWallet(usdc: number, deposit = 0) {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.setBalance({ address: account.address, value: 10n ** 18n })
  const demo = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
  await demo.POST('/api/dev/faucet', { body: { wallet_address: account.address, amount: usdc } })
  const apiKey = await createApiKey({ baseUrl: dev.base_url }, account)
  const purser = createPurser({ baseUrl: dev.base_url, apiKey })
  const send = (call: { to: Hex | null; data: Hex; gas?: number }) =>
    chain.sendTransaction({
      account,
      to: call.to,
      data: call.data,
      ...(call.gas ? { gas: BigInt(call.gas) } : {}),
    })
  if (deposit > 0) {
    const args = [dev.treasury, BigInt(deposit) * 1_000_000n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const tx_hash = await send({ to: dev.usdc, data })
    const body = { tx_hash, network: dev.network, asset: 'USDC' }
    await until('the deposit', async () => {
      const { status } = await purser.POST('/api/fund/verify', { body })
      return status === 'confirmed'
    })
  }
  return { account, purser, send }
}
type Wallet = Awaited<ReturnType<typeof newWallet>>

/** Three strangers pay the link, each by another protocol, with the protocols' own clients. */
async function earn(link: { url: string; code: string }): Promise<void> {
  const byX402 = await newWallet(5)
  const client = new x402Client().register(dev.network, new ExactEvmScheme(byX402.account))
  const x402 = await wrapFetchWithPayment(fetch, client)(link.url)

  const byMpp = await newWallet(5)
  const currencies = [assets.baseSepolia.USDC]
  const methods = [charge({ account: byMpp.account, currencies })]
  const mpp = await Mppx.create({ methods, polyfill: false }).fetch(link.url)

  const byAp2 = await newWallet(10, 5)
  const card = await byAp2.purser.issueCard({ purpose: 'Pays by mandate', limit_amount: 5 })
  const order = { card_id: card.id, card_token: card.token, pay_link_code: link.code }
  const { mandate } = await byAp2.purser.POST('/api/ap2/mandate', { body: order })
  const ap2 = await byAp2.purser.settleMandate(card, link.code, { closedMandate: mandate })
  say('Paid by x402:', x402.status, 'by MPP:', mpp.status, 'by AP2:', ap2.status)
}

/** The owner's wallet sends what the service prepared: the token, its vesting, a permission, the listing. */
async function launch({ purser, send }: Wallet, id: string) {
  const params = { path: { id } }
  const terms = {
    symbol: 'WTHR',
    name: 'Weather reports',
    supply: 1_000_000,
    keep_bps: 2_000,
    start_price: '0.001',
  }
  const prepared = await purser.POST('/api/cards/{id}/crt-market/prepare', { params, body: terms })
  const hashes: Record<string, string> = {}
  for (const { step, to, data, gas, description } of prepared.transactions) {
    hashes[step] = await send({ to: to as Hex | null, data: data as Hex, gas })
    say(`  ${step}: ${description}`)
  }
  const { deploy = '', list = '', vest = '' } = hashes
  const listed = { deployTx: deploy, listTx: list }
  const { market } = await patiently(() =>
    purser.POST('/api/cards/{id}/crt-market/confirm', { params, body: listed }),
  )
  const vested = { vestingTx: vest, keepBps: terms.keep_bps }
  const { vesting } = await patiently(() =>
    purser.POST('/api/cards/{id}/crt-market/vesting-confirm', { params, body: vested }),
  )
  say(`${market.symbol} is live, and ${vesting.keepBps / 100} % of it vest: ${vesting.streamUrl}`)
  return { ...prepared, token: prepared.token as Hex }
}

const ROUTER_ABI = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct Swap { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'struct How { bool takeClaims; bool settleUsingBurn; }',
  'function swap(Key key, Swap swap, How how, bytes data) payable returns (int256)',
])
/** The published `PoolSwapTest` of Uniswap v4, on the development chain. */
const ROUTER = '0x5075727365720000000000000000000000000006'
/** The prices at which a swap stops: the lowest and the highest of a pool. */
const [LOWEST, HIGHEST] = [
  4_295_128_740n,
  1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n,
]

/** A stranger buys tokens for `dollars`. */
async function buyTokens(pool: Awaited<ReturnType<typeof launch>>, dollars: number) {
  const { token, fee, tick_spacing: tickSpacing } = pool
  const trader = await newWallet(dollars)
  const amount = BigInt(dollars) * 1_000_000n
  const approval = { abi: erc20Abi, functionName: 'approve', args: [ROUTER, amount] } as const
  await trader.send({ to: dev.usdc, data: encodeFunctionData(approval) })
  const isFirst = BigInt(dev.usdc) < BigInt(token)
  const [currency0, currency1] = isFirst ? [dev.usdc, token] : [token, dev.usdc]
  const key = { currency0, currency1, fee, tickSpacing, hooks: zeroAddress }
  const limit = isFirst ? LOWEST : HIGHEST
  const swap = { zeroForOne: isFirst, amountSpecified: -amount, sqrtPriceLimitX96: limit }
  const how = { takeClaims: false, settleUsingBurn: false }
  const call = { abi: ROUTER_ABI, functionName: 'swap', args: [key, swap, how, '0x'] } as const
  await trader.send({ to: ROUTER, data: encodeFunctionData(call) })
}

const seller = await newWallet(20, 10)
const business = await seller.purser.issueCard({ purpose: 'Weather reports', limit_amount: 5 })
const { id } = business
const link = await seller.purser.createPayLink({
  card_id: id,
  amount: '0.50',
  memo: 'A report',
  type: 'RECURRING',
  max_uses: 0,
})
await earn(link)

/** The business as everybody with a key sees it. */
const credential = async (asked: Wallet) => {
  const params = { params: { path: { ref: id } } }
  return (await asked.purser.GET('/api/v1/credentials/{ref}', params)).credential
}
await until(
  'the figures',
  async () => (await credential(seller)).performance.payments_lifetime === 3,
)
const buyer = await newWallet(60, 50)
const { performance, trust } = await credential(buyer)
say(
  `It earned ${performance.revenue_lifetime} USDC by ${performance.distinct_protocols} protocols from ${trust.payers} payers.`,
)

const { listing } = await seller.purser.POST('/api/listings', { body: { card_id: id, price: 40 } })
const shown = await buyer.purser.GET('/api/listings', {
  params: { query: { sort: 'revenue_desc' } },
})
say(`Listed for ${listing.price} USDC, one of ${shown.total}.`)
const bought = await buyer.purser.POST('/api/listings/{id}/buy', {
  params: { path: { id: listing.id } },
  body: {},
})
// A card that is sold on chain is shown once the chain has sold it.
if (!('card' in bought)) throw new Error('This card is sold in the books, so it is there at once.')
say(`Bought: it is ${bought.listing.status}, and the card holds ${bought.card.balance} USDC.`)
const refused = await seller.purser
  .pay(business, { url: link.url, method: 'GET' })
  .catch((error: PurserError) => error.code)
say("The seller's old token:", refused)

say('The new owner launches a token:')
const pool = await launch(buyer, id)
await buyTokens(pool, 100)
const market = async () =>
  await buyer.purser.GET('/api/crt-markets/{token}', { params: { path: { token: pool.token } } })
await until('the swap', async () => ((await market()).liquidity.usdc ?? 0) > 0)
const { spot, liquidity, warnings } = await market()
say(
  `Somebody bought for 100 USDC: the pool holds ${liquidity.usdc} USDC, a token costs ${spot.value}.`,
)
for (const warning of warnings) say(' ', warning)

const { holdings, total_value_usdc } = await buyer.purser.GET('/api/holdings')
for (const { where, amount, symbol } of holdings) say(`  ${where}: ${amount} ${symbol}`)
say(`The new owner holds ${total_value_usdc} USDC in all.`)
const { onchain } = await credential(buyer)
say('The credential says:', JSON.stringify(onchain.crt))
