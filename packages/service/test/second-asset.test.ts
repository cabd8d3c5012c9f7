import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address, Asset } from '../src/base/kernel/assets.ts'
import { randomHex } from '../src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../src/base/protocols/evm/eip3009/authorization.ts'
import { writeChallenge } from '../src/base/protocols/mpp/headers/challenge.ts'
import { railOf } from '../src/chain/client/rails.ts'
import { readAssetBalance } from '../src/chain/client/reads.ts'
import { compareAll } from '../src/links/reconcile/custody.ts'
import { watchOnce } from '../src/links/watcher/pass.ts'
import { addKey, directMandate, newKey, settleWith, termsFor } from './actors/ap2/shop.ts'
import { cardOf, issue, open, payWith, present, report } from './actors/attack-kit.ts'
import { type SignedTransfer, written } from './actors/authorizations.ts'
import { directSeller } from './actors/direct/direct-kit.ts'
import { askForToken, challengeIn, withCredential } from './actors/mpp-payers.ts'
import { newToken, sendBy } from './actors/token-kit.ts'
import { freshAccount, testChain } from './world/chain.ts'
import { type User, type World, world } from './world.ts'

/** A second asset of the service, as USDC is one: six decimals, EIP-3009, and a currency that it stands for. */
let euro: Asset
let token: Awaited<ReturnType<typeof newToken>>
let w: World
let base: string

beforeAll(async () => {
  token = await newToken({ name: 'Euro Coin', symbol: 'EURX', circle: true, held: 0n })
  const { chainId } = testChain()
  euro = {
    network: `eip155:${chainId}`,
    chainId,
    symbol: 'EURX',
    decimals: token.decimals,
    contract: token.contract,
    eip712: { name: 'Euro Coin', version: '2' },
    currency: 'EUR',
  }
  w = await world({ besides: [euro] })
  await w.withGas()
  base = await w.listen()
})

// The books and the chain agree in both, whatever the rails have moved.
afterAll(async () => {
  await w.safe()
  await watchOnce(w.services, w.now())
  await w.runJobs()
  await w.safe()
  const compared = await compareAll(w.services, w.now())
  expect(compared).toMatchObject([{ difference: 0n }, { difference: 0n }])
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const SYMBOLS = ['USDC', 'EURX'] as const
const assetNamed = (symbol: string): Asset => railOf(w.services.chain, symbol).asset

/** Sends tokens from a wallet. */
async function send(from: User['account'], symbol: string, to: Address, value: bigint) {
  const { contract } = assetNamed(symbol)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, value] })
  return sendBy(from, contract, data, w.rpcUrl)
}

/** A new account with so much of the asset. */
async function payerIn(symbol: string, value: bigint) {
  const account = await freshAccount(symbol === 'USDC' ? { usdc: value } : {})
  if (symbol !== 'USDC') await token.mint(account.address, value)
  return account
}

/** A wallet with 50 of the asset in its balance. */
async function walletIn(symbol: string): Promise<User> {
  const user = await w.user({ account: await payerIn(symbol, 50_000_000n) })
  const tx_hash = await send(user.account, symbol, w.chain.treasury.address, 50_000_000n)
  await w.safe()
  const funded = await user.post('/api/fund/verify', { tx_hash, asset: symbol })
  expect(funded.body, funded.text).toMatchObject({ status: 'confirmed', funded: 50 })
  return user
}

/** A seller with a card, and a payer with one, both in the asset. */
async function shopIn(symbol: string) {
  const [seller, payer] = [await walletIn(symbol), await walletIn(symbol)]
  const till = await issue(seller, 1, { asset: symbol })
  const card = await issue(payer, 20, { asset: symbol })
  expect(await cardOf(payer, card.id)).toMatchObject({ funding_asset: symbol, balance: 20 })
  return {
    seller,
    payer,
    till,
    card,
    received: async () => (await cardOf(seller, till.id)).received,
  }
}

async function signedIn(
  symbol: string,
  from: User['account'],
  to: Address,
  value: bigint,
): Promise<SignedTransfer> {
  const authorization = {
    ...{ from: from.address, to, value, validAfter: 0n, nonce: randomHex(32) },
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
  }
  const data = authorizationTypedData(assetNamed(symbol), authorization)
  return { authorization, signature: await from.signTypedData(data) }
}

test.each(SYMBOLS)(
  'a link in %s is paid by a card, and by no card of the other asset',
  async (symbol) => {
    const { seller, card, till, received } = await shopIn(symbol)
    const { code } = await open(seller, till, { amount: 2 })
    const paid = await payWith(w, code, card)
    expect(paid.body, paid.text).toMatchObject({
      ...{ status: 'SETTLED', asset: symbol, amount: 2, fee: 0.01 },
    })
    expect(await received()).toBe(1.99)
    const other = await shopIn(symbol === 'USDC' ? 'EURX' : 'USDC')
    const next = await open(seller, till, { amount: 2 })
    expect((await payWith(w, next.code, other.card)).body).toMatchObject({
      code: 'invalid_payment',
    })
  },
)

test.each(SYMBOLS)('a link in %s is paid by an AP2 mandate in its own currency', async (symbol) => {
  const { seller, payer, till, card, received } = await shopIn(symbol)
  const key = newKey()
  await addKey(w, card.id, key, 'user')
  const { code } = await open(seller, till, { amount: 2 })
  const link = (await w.call('GET', `/api/paylinks/${code}`)).body
  expect(link.ap2.payment_amount).toEqual({
    ...{ amount: 200, currency: assetNamed(symbol).currency },
  })
  const mandate = await directMandate(termsFor(w, link, card), key)
  const body = {
    ...{ pay_link_code: code, closed_mandate: mandate },
    card_token: card.token,
  }
  const settled = await settleWith(payer, body)
  expect(settled.body, settled.text).toMatchObject({ status: 'SETTLED', amount: 2, fee: 0.01 })
  expect(await received()).toBe(1.99)
})

test.each(SYMBOLS)('a link in %s is paid by an MPP token of a card', async (symbol) => {
  const { seller, till, card, received } = await shopIn(symbol)
  const { code } = await open(seller, till, { amount: 2 })
  const url = `${base}/pay/${code}`
  const challenge = challengeIn(await fetch(url), 'agentcard')
  expect(challenge.terms).toMatchObject({ currency: symbol.toLowerCase() })
  const { body } = await askForToken(base, card, writeChallenge(challenge))
  expect(body).toMatchObject({ amount: 2 })
  expect((await withCredential(url, body.credential)).status).toBe(200)
  expect(await received()).toBe(1.99)
})

test.each(SYMBOLS)(
  'a link in %s is paid by a signed transfer, and by a plain one',
  async (symbol) => {
    const { seller, till, received } = await shopIn(symbol)
    const payer = await payerIn(symbol, 5_000_000n)
    const link = await open(seller, till, { amount: 2, type: 'RECURRING', max_uses: 0 })
    const prepared = (await w.call('GET', `/api/pay/${link.code}/prepare`)).body
    expect(prepared.x402.accepts).toMatchObject([{ asset: assetNamed(symbol).contract }])
    const payment = await signedIn(symbol, payer, link.deposit_address, 2_000_000n)
    const shown = await present(w, link.code, payment)
    expect(shown.status, shown.text).toBe(200)
    expect(await received()).toBe(1.99)
    const hash = await send(payer, symbol, link.deposit_address, 2_000_000n)
    await w.safe()
    const reply = await report(w, link.code, hash)
    expect(reply.body, reply.text).toMatchObject({ status: 'SETTLED', asset: symbol })
    expect(await received()).toBe(3.98)
  },
)

test.each(SYMBOLS)('a DIRECT seller is paid in %s by a signed transfer', async (symbol) => {
  const s = await directSeller(w)
  const link = await s.open({ amount: 2, asset: symbol })
  const payer = await payerIn(symbol, 5_000_000n)
  const payment = await signedIn(symbol, payer, s.wallet, 2_000_000n)
  const shown = await present(w, link.code, payment)
  expect(shown.status, shown.text).toBe(200)
  expect(await readAssetBalance(railOf(w.services.chain, symbol), s.wallet)).toBe(2_000_000n)
})

test.each(SYMBOLS)('the facilitator settles %s for another seller', async (symbol) => {
  const seller = await w.user()
  const payer = await payerIn(symbol, 5_000_000n)
  const to = (await freshAccount()).address
  const { contract, eip712, network } = assetNamed(symbol)
  const { authorization, signature } = await signedIn(symbol, payer, to, 10_000n)
  const paymentRequirements = {
    ...{ scheme: 'exact', network, amount: '10000', asset: contract, payTo: to },
    ...{ maxTimeoutSeconds: 60, extra: eip712 },
  }
  const settled = await seller.post('/api/x402/settle', {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://seller.example/report' },
      accepted: paymentRequirements,
      payload: { signature, authorization: written(authorization) },
    },
    paymentRequirements,
  })
  expect(settled.body, settled.text).toMatchObject({ success: true, payer: payer.address })
  expect(await readAssetBalance(railOf(w.services.chain, symbol), to)).toBe(10_000n)
})

test.each(SYMBOLS)('a stream in %s pays by the tick', async (symbol) => {
  const { payer, till, card, received } = await shopIn(symbol)
  const access = { card_id: card.id, card_token: card.token }
  const opened = await payer.post('/api/mpp/stream/open', {
    ...access,
    ...{ budget: 4, tick_amount: 2, receiver_card_id: till.id },
  })
  expect(opened.status, opened.text).toBe(200)
  const { id: stream_id } = opened.body
  const ticked = await payer.post('/api/mpp/stream/tick', { ...access, stream_id })
  expect(ticked.body, ticked.text).toMatchObject({ total_ticked: 2, remaining: 2 })
  const closed = await payer.post('/api/mpp/stream/close', { stream_id })
  expect(closed.body, closed.text).toMatchObject({ final_amount: 2 })
  expect(await received()).toBe(1.99)
})

test.each(SYMBOLS)(
  'a balance in %s is withdrawn, and a card gives its money back',
  async (symbol) => {
    const user = await walletIn(symbol)
    const card = await issue(user, 20, { asset: symbol })
    const funded = await user.post(`/api/cards/${card.id}/fund`, { amount: 5 })
    expect(funded.body, funded.text).toMatchObject({ added: 5, new_limit: 25 })
    expect((await user.post(`/api/cards/${card.id}/cancel`)).body.card).toMatchObject({
      balance: 0,
    })
    const to = (await freshAccount()).address
    const asked = await user.post('/api/withdraw', { amount: 10, asset: symbol, to_address: to })
    expect(asked.body, asked.text).toMatchObject({ status: 'PROCESSING' })
    const rail = railOf(w.services.chain, symbol)
    const paid = await w.workUntil(
      () => readAssetBalance(rail, to),
      (value) => value > 0n,
    )
    expect(paid).toBe(9_950_000n)
    const { balances } = (await user.get('/api/balance')).body
    expect(balances.find(({ asset }: { asset: string }) => asset === symbol).available).toBe(40)
  },
)

// A payment that stays in USDC takes nothing from a card of another asset.
test('a card in EURX pays no URL that asks for USDC', async () => {
  const { payer, card } = await shopIn('EURX')
  const usdc = await shopIn('USDC')
  const { code } = await open(usdc.seller, usdc.till, { amount: 2 })
  const paid = await payer.post('/api/pay', {
    ...{ card_id: card.id, card_token: card.token, url: `${base}/pay/${code}` },
  })
  expect([paid.status, paid.body.code], paid.text).toEqual([422, 'no_payable_option'])
  expect(await cardOf(payer, card.id)).toMatchObject({ balance: 20, held: 0 })
})
