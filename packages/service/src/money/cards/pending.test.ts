import { createWalletClient, http } from 'viem'
import { expect, test } from 'vitest'
import { freshAccount } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { randomHex } from '../../base/kernel/secrets.ts'
import { erc20Abi } from '../../base/protocols/evm/eip3009/abi.ts'

const order = async (u: User, tx_hash: string) => {
  const made = await u.post('/api/issue', { purpose: 'x', limit_amount: 5, tx_hash })
  expect(made.body.card, made.text).toMatchObject({ status: 'PENDING_FUNDING' })
  return made.body.card.id as string
}
const cardOf = async (u: User, id: string) => (await u.get(`/api/cards/${id}`)).body.card

/** A minute of an idle service that nobody calls. */
async function minute(w: World): Promise<void> {
  await w.safe()
  await w.advance(60)
  await w.runJobs()
}

/** A USDC transfer that reverts, because the wallet does not have enough. */
async function revert(w: World, u: User): Promise<`0x${string}`> {
  const wallet = createWalletClient({ account: u.account, transport: http(w.rpcUrl) })
  const hash = await wallet.writeContract({
    chain: null,
    address: w.chain.asset.contract,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [w.chain.treasury.address, 10n ** 12n],
    gas: 120_000n,
  })
  await w.mined(hash)
  return hash
}

test('a card waits for its transaction and becomes ACTIVE by itself, though it was not seen at first', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const hash = await w.transfer(u.account, w.chain.treasury.address, 5_000_000n)
  const id = await order(u, hash)
  await minute(w)
  await minute(w)
  expect(await cardOf(u, id)).toMatchObject({ status: 'ACTIVE', balance: 5 })
  expect(await w.faults()).toEqual([])
})

test('a card becomes FUNDING_FAILED by itself: reverted, something else, paid to somebody else', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const other = await freshAccount()
  const reverted = await order(u, await revert(w, u))
  const elsewhere = await order(u, await w.transfer(u.account, other.address, 5_000_000n))
  const approval = await createWalletClient({
    account: u.account,
    transport: http(w.rpcUrl),
  }).sendTransaction({ chain: null, to: other.address, value: 1n })
  await w.mined(approval)
  const noToken = await order(u, approval)
  await minute(w)
  const [a, b, c] = [
    await cardOf(u, reverted),
    await cardOf(u, elsewhere),
    await cardOf(u, noToken),
  ]
  expect(a).toMatchObject({ status: 'FUNDING_FAILED', status_reason: 'transaction reverted' })
  for (const card of [b, c]) {
    expect(card).toMatchObject({ status: 'FUNDING_FAILED', balance: 0 })
    expect(card.status_reason).toContain('holds no USDC transfer from your wallet to the treasury')
  }
  expect(await w.faults()).toEqual([])
})

test('a transaction that nobody sees for 24 hours fails its card, and not before', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const id = await order(u, randomHex(32))
  await minute(w)
  await w.advance(23 * 3600)
  await w.runJobs()
  expect(await cardOf(u, id)).toMatchObject({ status: 'PENDING_FUNDING' })
  await w.advance(3600)
  await w.runJobs()
  expect(await cardOf(u, id)).toMatchObject({
    status: 'FUNDING_FAILED',
    status_reason: 'transaction not seen for 24 hours',
  })
})

test('a waiting card whose job was lost is found again within a minute', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const hash = await w.transfer(u.account, w.chain.treasury.address, 5_000_000n)
  const id = await order(u, hash)
  const lost = sql`select graphile_worker.remove_job(${`activate_card:${id}`})`
  await w.write((tx) => lost.execute(tx))
  await minute(w)
  await minute(w)
  expect(await cardOf(u, id)).toMatchObject({ status: 'ACTIVE', balance: 5 })
})

// Each card is five rows and a job that keeps asking the RPC, and making one needs no money.
test('of a hundred cards on transactions that were made up a wallet gets fifty, and each is looked for ever less often', async () => {
  await using w = await world()
  const u = await w.user({ treasury: 10 })
  const made = await Promise.all(
    Array.from({ length: 100 }, () =>
      u.post('/api/issue', { purpose: 'x', limit_amount: 5, tx_hash: randomHex(32) }),
    ),
  )
  const codes = made.map(({ status, body }) => (status === 200 ? 'issued' : body.code))
  expect(codes.filter((code) => code === 'issued')).toHaveLength(50)
  expect(codes.filter((code) => code === 'invalid_state')).toHaveLength(50)
  // The wallet can still issue from its treasury balance.
  expect((await u.post('/api/issue', { purpose: 'x', limit_amount: 1 })).status).toBe(200)

  await w.advance(6 * 3600)
  await w.runJobs()
  const { rows } = await sql<{ seconds: number; priority: number }>`select priority,
    extract(epoch from run_at - now())::float as seconds from graphile_worker.jobs
    where task_identifier = 'activate_card'`.execute(w.db.reader)
  expect(rows).toHaveLength(50)
  for (const { seconds, priority } of rows) {
    expect(seconds).toBeGreaterThan(500)
    expect(priority).toBeGreaterThan(0)
  }
})
