import { createWalletClient, http } from 'viem'
import { expect, test } from 'vitest'
import { balanceOf, cardOf, issue, open, report } from '../../../test/actors/attack-kit.ts'
import { pause } from '../../../test/until.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { type Reader, sql } from '../../base/db/sql.ts'
import { Secret } from '../../base/kernel/secrets.ts'
import { erc20Abi } from '../../base/protocols/evm/eip3009/abi.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { openChain } from '../../chain/client/chain.ts'
import { localSigner } from '../../chain/client/signers/local.ts'
import { startAnvil } from '../../run/embedded/anvil/anvil.ts'
import {
  fundGas,
  mine,
  mintUsdc,
  prepareDevChain,
  waitMined,
} from '../../run/embedded/dev/chain.ts'
import { claimOnce } from './claim.ts'
import { watchOnce } from './pass.ts'

type Row = { txHash: string; state: string; blockNumber: bigint }
const rowsOf = async (on: Reader): Promise<Row[]> =>
  (
    await sql<Row>`select tx_hash, state, block_number from watched_transfers
      where from_address <> '0x0000000000000000000000000000000000000000' order by block_number, log_index`.execute(
      on,
    )
  ).rows
const statesOf = async (w: World) => (await rowsOf(w.db.reader)).map((row) => row.state)
const depositsOf = async (w: World): Promise<number> =>
  (await sql`select from deposits`.execute(w.db.reader)).rows.length
const pass = (w: World) => watchOnce(w.services, w.now())
const jobs = async (w: World) => {
  await w.runJobs()
  await w.advance(3)
  await w.runJobs()
}

test('a deposit is credited without a call, once, with an event', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 5 })
  await w.transfer(u.account, w.chain.treasury.address, 2_000_000n)
  await w.safe()
  await w.runJobs()
  expect(await balanceOf(u)).toBe(2)
  await jobs(w)
  expect(await balanceOf(u)).toBe(2)
  expect(await statesOf(w)).toEqual(['credited'])
  const events = await sql`select from events where type = 'funding.confirmed'`.execute(w.db.reader)
  expect(events.rows).toHaveLength(1)
  expect(await w.faults()).toEqual([])
})

test('passes, reports and claims at once credit a deposit once', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 5 })
  const hash = await w.transfer(u.account, w.chain.treasury.address, 2_000_000n)
  await w.safe()
  const verify = () => u.post('/api/fund/verify', { tx_hash: hash })
  await Promise.all([
    ...[1, 2, 3, 4].map(() => pass(w)),
    ...[1, 2, 3].map(verify),
    ...[1, 2].map(() => claimOnce(w.services, w.now())),
  ])
  await pass(w)
  expect((await verify()).body).toMatchObject({
    status: 'confirmed',
    funded: 2,
    balance: { available: 2 },
  })
  expect(await balanceOf(u)).toBe(2)
  expect(await depositsOf(w)).toBe(1)
  expect(await statesOf(w)).toEqual(['credited'])
  expect(await w.faults()).toEqual([])
})

test('a link is settled by a plain transfer that nobody reported; its sweep is our own', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await freshAccount({ usdc: 5_000_000n })
  const hash = await w.transfer(payer, link.deposit_address, 1_000_000n)
  await w.safe()
  await jobs(w)
  await jobs(w)
  expect((await w.call('GET', `/api/paylinks/${link.code}`)).body.status).toBe('COMPLETED')
  expect((await cardOf(seller, card.id)).received).toBe(0.995)
  expect((await report(w, link.code, hash)).body.code).toBe('already_settled')
  await w.safe()
  await jobs(w)
  expect(await statesOf(w)).toEqual(['credited', 'own'])
  expect(await w.treasuryOnChain()).toBe(6_000_000n)
  expect(await w.faults()).toEqual([])
})

test("what comes short, late or after a cancellation is the seller's, without a report", async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const [short, late, cancelled] = [
    await open(seller, card),
    await open(seller, card, { expires_in: 0.0003 }),
    await open(seller, card),
  ]
  expect((await seller.send('DELETE', `/api/paylinks/${cancelled.code}`)).status).toBe(200)
  const payer = await freshAccount({ usdc: 5_000_000n })
  await pause(2_500)
  for (const link of [short, late, cancelled])
    await w.transfer(payer, link.deposit_address, link === short ? 400_000n : 1_000_000n)
  await w.safe()
  await jobs(w)
  const { rows } = await sql<{ reason: string }>`select reason from payment_exceptions
    order by reason`.execute(w.db.reader)
  expect(rows.map((row) => row.reason)).toEqual(['cancelled', 'late', 'short'])
  // The amount received, less the fee of payments of that size.
  expect(await balanceOf(seller)).toBe(6.388)
  expect(await w.faults()).toEqual([])
})

test('a card that is paid for by a transaction gets its money once', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 5 })
  const tx_hash = await w.transfer(u.account, w.chain.treasury.address, 3_000_000n)
  await w.safe()
  await pass(w)
  const made = await u.post('/api/issue', { purpose: 'x', limit_amount: 2, tx_hash })
  expect(made.status, made.text).toBeLessThan(300)
  await jobs(w)
  const card = await cardOf(u, made.body.card.id)
  expect([card.status, card.remaining]).toEqual(['ACTIVE', 2])
  expect(await balanceOf(u)).toBe(1)
  expect(await w.faults()).toEqual([])
})

test('a deposit of a wallet that nobody knows waits for it', async () => {
  await using w = await world()
  const account = await freshAccount({ usdc: 2_000_000n })
  await w.transfer(account, w.chain.treasury.address, 1_000_000n)
  const hash = await w.transfer(account, w.chain.treasury.address, 500_000n)
  await w.safe()
  await jobs(w)
  expect(await statesOf(w)).toEqual(['unclaimed', 'unclaimed'])
  expect((await w.call('GET', '/metrics')).text).toMatch(
    /purser_watched_transfers\{state="unclaimed"\} 2/,
  )
  const challenge = await w.call('POST', '/api/auth/challenge', { wallet_address: account.address })
  const signature = await account.signMessage({ message: challenge.body.message })
  const { message } = challenge.body
  const session = await w.call('POST', '/api/auth/verify', { message, signature })
  const verified = await w.call(
    'POST',
    '/api/fund/verify',
    { tx_hash: hash },
    { key: session.body.token },
  )
  expect(verified.body).toMatchObject({ status: 'confirmed', funded: 0.5 })
  await jobs(w)
  const balance = await w.call('GET', '/api/balance', undefined, { key: session.body.token })
  expect(balance.body.balances[0].available).toBe(1.5)
  expect(await statesOf(w)).toEqual(['credited', 'credited'])
  expect(await w.faults()).toEqual([])
})

/** A world on its own chain, which makes blocks on request. */
async function ownChain() {
  const w = await world()
  const chainId = w.chain.chainId
  const anvil = await startAnvil({ chainId, blockTimeSeconds: 3_600, slotsInAnEpoch: 4 })
  const { rpcUrl } = anvil
  await prepareDevChain({ rpcUrl, chainId })
  const keys = {
    treasury: localSigner(new Secret(w.operatorKey)),
    relayers: [localSigner(new Secret(w.relayerKey))],
    secrets: new Keyring([new Secret('0'.repeat(64))]),
  }
  const chain = openChain({ asset: w.chain.asset, rpcUrls: [rpcUrl], ...keys })
  Object.assign(w.services, { chain })
  const blocks = (n: number) => mine({ rpcUrl, blocks: n })
  await blocks(10)
  return {
    w,
    blocks,
    async funded(): Promise<User> {
      const u = await w.user()
      await fundGas({ rpcUrl, address: u.wallet as `0x${string}`, wei: 10n ** 18n })
      const to = u.wallet as `0x${string}`
      const hash = await mintUsdc({ rpcUrl, chainId, to, amount: 9_000_000n })
      await blocks(1)
      await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
      return u
    },
    async deposit(u: User, value: bigint) {
      const wallet = createWalletClient({ account: u.account, transport: http(rpcUrl) })
      const hash = await wallet.writeContract({
        chain: null,
        address: chain.asset.contract,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [chain.treasury.address, value],
      })
      await blocks(1)
      await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
      return hash
    },
    reorg: (depth: number) =>
      chain.rpc.request({ method: 'anvil_reorg' as never, params: [depth, []] as never }),
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]()
      await anvil.stop()
    },
  }
}

test('a pass that dies before or in its transaction has done nothing', async () => {
  await using own = await ownChain()
  const { w, blocks } = own
  const u = await own.funded()
  await own.deposit(u, 2_000_000n)
  await pass(w)
  expect(await statesOf(w)).toEqual(['seen'])
  await blocks(10)
  const killed = (write: World['db']['write']) => ({ ...w.services, db: { ...w.db, write } })
  const death = new Error('killed')
  const before = killed(() => Promise.reject(death))
  const within = killed((work) =>
    w.db.write(async (tx) => {
      await work(tx)
      throw death
    }),
  )
  for (const services of [before, within])
    await expect(watchOnce(services, w.now())).rejects.toBe(death)
  expect(await depositsOf(w)).toBe(0)
  await pass(w)
  await pass(w)
  expect(await balanceOf(u)).toBe(2)
  expect(await w.faults()).toEqual([])
})

test.each([1, 3])(
  'a deposit that %i undone blocks take away is never credited, and its re-send once',
  async (depth) => {
    await using own = await ownChain()
    const { w, blocks } = own
    const u = await own.funded()
    await own.deposit(u, 2_000_000n)
    await blocks(depth - 1)
    await pass(w)
    expect(await statesOf(w)).toEqual(['seen'])
    await own.reorg(depth)
    await pass(w)
    expect(await statesOf(w)).toEqual(['orphaned'])
    await blocks(10)
    await pass(w)
    expect(await depositsOf(w)).toBe(0)
    await own.deposit(u, 3_000_000n)
    await blocks(10)
    await Promise.all([pass(w), pass(w)])
    await pass(w)
    expect(await statesOf(w)).toEqual(['orphaned', 'credited'])
    expect(await balanceOf(u)).toBe(3)
    expect(await w.faults()).toEqual([])
  },
)

test('a credited deposit that the chain takes back after all is an alarm, and nothing is repaired', async () => {
  await using own = await ownChain()
  const { w, blocks } = own
  const u = await own.funded()
  await own.deposit(u, 2_000_000n)
  await blocks(6)
  await pass(w)
  expect(await statesOf(w)).toEqual(['credited'])
  await own.reorg(8)
  await pass(w)
  await pass(w)
  expect(await statesOf(w)).toEqual(['alarm'])
  expect(await balanceOf(u)).toBe(2)
  expect((await w.call('GET', '/metrics')).text).toMatch(
    /purser_watched_transfers\{state="alarm"\} 1/,
  )
})

test('thousands of blocks that went by are caught up', async () => {
  await using own = await ownChain()
  const { w, blocks } = own
  const u = await own.funded()
  await pass(w)
  await own.deposit(u, 1_000_000n)
  for (let mined = 0; mined < 2_200; mined += 200) await blocks(200)
  await own.deposit(u, 2_000_000n)
  await blocks(10)
  expect(await pass(w)).toEqual({ isBehind: false })
  expect(await statesOf(w)).toEqual(['credited', 'credited'])
  expect(await balanceOf(u)).toBe(3)
})
