import { type Address, createWalletClient, getAddress, http, type PrivateKeyAccount } from 'viem'
import { expect, test } from 'vitest'
import walletArtifact from '../../../../contracts/build/FickleWallet.json' with { type: 'json' }
import { newContract } from '../../../../contracts/token.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { erc20Abi } from '../../src/base/protocols/evm/eip3009/abi.ts'
import { waitSeconds } from '../../src/chain/relay/gas/reserve.ts'
import { mine, mintUsdc } from '../../src/run/embedded/dev/chain.ts'
import { issue, open, present, signed } from '../actors/attack-kit.ts'
import { depositBody } from '../actors/authorizations.ts'
import { ask, newAddress, PRICE, settle, shop } from '../actors/facilitator-kit.ts'
import { askByPermit, permitPayer, permitShop } from '../actors/permit2-kit.ts'
import { newToken } from '../actors/token-kit.ts'
import { ownWorld } from '../chain-faults/own-world.ts'
import { until } from '../until.ts'
import { freshAccount } from '../world/chain.ts'
import { type User, type World, world } from '../world.ts'
import { carriedBy } from './gas-kit.ts'

const DEAR = 50_000_000_000n

/** A contract that pays by its owner's signature in simulations only. */
async function fickle(w: World) {
  const owner = await freshAccount({ rpcUrl: w.rpcUrl })
  const chain = { rpcUrl: w.rpcUrl, chainId: w.chain.chainId }
  const contract = await newContract(chain, walletArtifact, [owner.address])
  const address = getAddress(contract.address)
  await mintUsdc({ ...chain, to: address, amount: 1_000_000n })
  await mine({ ...chain, blocks: 1 })
  const payer = { ...owner, address, signTypedData: owner.signTypedData } as PrivateKeyAccount
  return { payer, contract }
}

/** Transfers the account's money away in the next block, before our transaction. */
const runAway = (w: World, account: PrivateKeyAccount, token: Address, value: bigint) =>
  createWalletClient({ account, transport: http(w.rpcUrl) }).writeContract({
    ...{ chain: null, address: token, abi: erc20Abi, functionName: 'transfer' },
    args: [newAddress(), value],
    ...{ maxPriorityFeePerGas: DEAR, maxFeePerGas: 2n * DEAR },
  } as never)

test('a contract that signs at a gas price of zero alone is not carried', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const { payer } = await fickle(w)
  const carried = await carriedBy(w)
  for (let i = 0; i < 5; i++) {
    const reply = await settle(seller, await ask(payer, payTo))
    expect(reply.body).toMatchObject({ success: false })
  }
  const verified = await w.call('POST', '/api/x402/verify', await ask(payer, payTo))
  expect(verified.body.isValid).toBe(false)
  expect(await carried()).toEqual({ transactions: 0, failed: 0 })
  expect(await paid()).toBe(0n)
})

test('a token that moves at a gas price of zero alone is not carried', async () => {
  await using w = await world()
  const token = await newToken({ manner: 'OnlyFree' })
  const { seller, payTo } = await permitShop(w, token.contract)
  const payer = await permitPayer({ held: 0n, allowed: 0n })
  const carried = await carriedBy(w)
  const { body } = await askByPermit(payer, payTo, { permit: { token: token.contract } })
  expect((await settle(seller, body)).body).toMatchObject({ success: false })
  expect(await carried()).toEqual({ transactions: 0, failed: 0 })
})

// A payer can always move the money between a simulation and the block. So each failure costs the payer time.
test('a payer whose payment failed on chain waits, longer each time, and the answer says so', async () => {
  await using own = await ownWorld()
  const { w } = own
  const seller = await w.user({ treasury: 5 })
  const payer = await own.payer(PRICE)
  await failOnce(own, seller, payer)
  await refill(own, payer)
  const again = await settle(seller, await ask(payer, newAddress()))
  expect(again).toMatchObject({ status: 429, body: { code: 'payer_waits', success: false } })
  const seconds = Number(again.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(waitSeconds('payer', 1))
  // The same code on a link and for a deposit.
  const link = await open(seller, await issue(seller, 1), { amount: 0.01 })
  const onLink = await present(w, link.code, await signed(w, payer, link.deposit_address, PRICE))
  expect(onLink).toMatchObject({ status: 402, body: { error: 'payer_waits' } })
  expect(Number(onLink.headers['retry-after'])).toBeGreaterThan(0)
  // The second failure doubles the wait.
  w.clock.offsetMs += seconds * 1000
  await failOnce(own, seller, payer)
  await refill(own, payer)
  const later = await settle(seller, await ask(payer, newAddress()))
  expect(Number(later.headers['retry-after'])).toBeGreaterThan(seconds)
  // Another payer does not wait, and the seller only waits after many failures.
  w.clock.offsetMs += 1_000
  const carried = settle(seller, await ask(await own.payer(PRICE), newAddress()))
  await isOnItsWay(w)
  await own.blocks(1)
  expect((await carried).body).toMatchObject({ success: true })
})

test('a seller has so much gas a day', async () => {
  await using w = await world({
    settings: { gas: { minimum: amount(1_000n), sellerPerDay: 250_000n } },
  })
  const { seller, payTo } = await shop(w)
  const payer = await freshAccount({ usdc: 10n * PRICE })
  const codes: string[] = []
  for (let i = 0; i < 4; i++) {
    const { status, body } = await settle(seller, await ask(payer, payTo))
    codes.push(status === 200 && body.success ? 'paid' : body.code)
  }
  // A payment takes 60,000 to 80,000, and at most 130,000.
  expect(codes[0]).toBe('paid')
  expect(codes.at(-1)).toBe('gas_budget_spent')
  const other = await w.user()
  expect((await settle(other, await ask(payer, payTo))).body).toMatchObject({ success: true })
  // A day later there is a new budget.
  w.clock.offsetMs += 86_400_000
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 3 * 86_400)
  expect((await settle(seller, await ask(payer, payTo, { validBefore }))).body.success).toBe(true)
})

test('waits double up to a bound; a seller may fail some times for nothing', () => {
  const seconds = (kind: 'payer' | 'token' | 'seller') => (n: number) => waitSeconds(kind, n)
  expect([1, 2, 3, 40].map(seconds('payer'))).toEqual([10, 20, 40, 3_600])
  expect([1, 2, 3, 40].map(seconds('token'))).toEqual([0, 60, 120, 21_600])
  expect([1, 10, 11, 12, 40].map(seconds('seller'))).toEqual([0, 0, 5, 10, 600])
})

test('less than the minimum is not carried: no link offers it on chain, and every rail refuses it', async () => {
  await using w = await world()
  const { seller, payTo } = await shop(w)
  const carried = await carriedBy(w)
  const payer = await freshAccount({ usdc: 10_000n })
  const dust = { value: 999n, requirements: { amount: '999' } }
  const verdict = await w.call('POST', '/api/x402/verify', await ask(payer, payTo, dust))
  expect(verdict.body).toMatchObject({ isValid: false, invalidReason: 'amount_below_minimum' })
  const settled = await settle(seller, await ask(payer, payTo, dust))
  expect(settled.body).toMatchObject({ success: false, errorReason: 'amount_below_minimum' })
  const owner = await w.user({ treasury: 5, usdc: 1 })
  const link = await open(owner, await issue(owner, 1), { amount: 0.0009 })
  const demand = await w.call('GET', `/pay/${link.code}`, undefined, {
    headers: { accept: 'application/json' },
  })
  expect(demand.headers['payment-required']).toBeUndefined()
  expect(demand.body.mpp.map(({ method }: { method: string }) => method)).toEqual(['agentcard'])
  const onLink = await present(w, link.code, await signed(w, payer, link.deposit_address, 900n))
  expect(onLink).toMatchObject({ status: 402, body: { error: 'amount_below_minimum' } })
  const payment = await signed(w, owner.account, w.chain.treasury.address, 999n)
  const deposit = await owner.post('/api/fund/authorization', depositBody(payment))
  expect(deposit).toMatchObject({ status: 422, body: { code: 'amount_below_minimum' } })
  // A payer's own transfer to the link counts, but is not swept.
  const hash = await w.transfer(payer, link.deposit_address, 900n)
  await w.safe()
  expect((await w.call('POST', `/api/pay/${link.code}/settle`, { tx_hash: hash })).status).toBe(200)
  await w.advance(120)
  await w.runJobs()
  expect(await carried()).toEqual({ transactions: 0, failed: 0 })
})

type Own = Awaited<ReturnType<typeof ownWorld>>

/** A payment that is good when it is checked, but whose money is gone when the block comes. */
async function failOnce(own: Own, seller: User, payer: PrivateKeyAccount) {
  const { w } = own
  const carried = await carriedBy(w)
  const body = await ask(payer, newAddress())
  await runAway(w, payer, w.chain.asset.contract, PRICE)
  const reply = settle(seller, body)
  await isOnItsWay(w)
  await own.blocks(1)
  expect((await reply).body).toMatchObject({ success: false })
  expect((await carried()).transactions).toBe(1)
}

/** Waits until the relayer has broadcast a transaction that no block holds. */
async function isOnItsWay(w: World) {
  const { address } = w.chain.relayers[0]!
  const count = (blockTag: 'latest' | 'pending') =>
    w.chain.rpc.getTransactionCount({ address, blockTag })
  await until(
    async () => (await count('pending')) - (await count('latest')),
    (seen) => expect(seen).toBeGreaterThan(0),
  )
}

async function refill(own: Own, payer: PrivateKeyAccount) {
  const { rpcUrl, chain } = own.w
  await mintUsdc({ rpcUrl, chainId: chain.chainId, to: payer.address, amount: PRICE })
  await own.blocks(1)
}
