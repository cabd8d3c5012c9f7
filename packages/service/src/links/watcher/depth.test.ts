import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { type OwnWorld, ownWorld } from '../../../test/chain-faults/own-world.ts'
import { SILENCE } from '../../../test/faults/faulty-rpc.ts'
import type { User, World } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { erc20Abi } from '../../base/protocols/evm/eip3009/abi.ts'
import { reportTroubles } from '../reconcile/alarms.ts'
import { reconcile } from '../reconcile/jobs.ts'
import { findOpenAlarms } from '../reconcile/store.ts'
import { movedTroubles } from '../reconcile/troubles.ts'
import { watchOnce } from './pass.ts'
import { findCursor, moveCursor } from './store.ts'

const pass = (w: World) => watchOnce(w.services, w.now())
const balanceOf = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
const statesOf = async (w: World) =>
  (
    await sql<{ state: string }>`select state from watched_transfers
      where from_address <> '0x0000000000000000000000000000000000000000' order by block_number, log_index`.execute(
      w.db.reader,
    )
  ).rows.map(({ state }) => state)

/** A deposit as raw transaction bytes, which anybody may send again. */
async function signedDeposit(
  { w, node }: OwnWorld,
  u: User,
  value: bigint,
): Promise<`0x${string}`> {
  const { asset, chainId, treasury } = w.chain
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [treasury.address, value],
  })
  return u.account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: await node.getTransactionCount({ address: u.account.address }),
    to: asset.contract,
    data,
    gas: 120_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 1n,
  })
}
const broadcast = (own: OwnWorld, raw: `0x${string}`) => own.call('eth_sendRawTransaction', raw)

test('a large deposit waits for the finalized block, however far the watcher is past it; a small one for safe', async () => {
  await using own = await ownWorld({ safeBlocks: 100 })
  const { w, blocks } = own
  Object.assign(w.services, {
    chain: {
      ...w.chain,
      creditLevels: [
        { from: 0n, finality: 'safe' },
        { from: 5_000_000n, finality: 'finalized' },
      ],
    },
  })
  const u = await w.user({ usdc: 9 })
  await w.transfer(u.account, w.chain.treasury.address, 2_000_000n)
  const large = await w.transfer(u.account, w.chain.treasury.address, 5_000_000n)
  await blocks(110)
  await pass(w)
  expect(await statesOf(w)).toEqual(['credited', 'seen'])
  expect(await balanceOf(u)).toBe(2)
  const pending = await u.post('/api/fund/verify', { tx_hash: large })
  expect(pending.body).toMatchObject({ status: 'pending', balance: { available: 2 } })
  await blocks(80)
  await pass(w)
  expect(await statesOf(w)).toEqual(['credited', 'seen'])
  await blocks(20)
  await pass(w)
  expect(await statesOf(w)).toEqual(['credited', 'credited'])
  expect(await balanceOf(u)).toBe(7)
  expect(await w.faults()).toEqual([])
})

test('a deposit that was credited and then reorganized away is an alarm until the chain holds it again', async () => {
  await using own = await ownWorld()
  const { w, blocks } = own
  const u = await w.user({ usdc: 9 })
  await blocks(10)
  await pass(w)
  await reconcile(w.services, w.now())
  const raw = await signedDeposit(own, u, 2_000_000n)
  await broadcast(own, raw)
  await blocks(7)
  await pass(w)
  expect(await balanceOf(u)).toBe(2)
  await own.reorg(9)
  await pass(w)
  const kinds = async () => {
    await reconcile(w.services, w.now())
    const troubles = await movedTroubles(w.services)
    await reportTroubles(w.services, w.now(), { kinds: ['moved_transfer'], troubles })
    return (await findOpenAlarms(w.db.reader)).map(({ kind }) => kind).sort()
  }
  expect(await kinds()).toEqual(['custody', 'moved_transfer'])
  expect(await balanceOf(u)).toBe(2)

  await broadcast(own, raw)
  await blocks(7)
  await pass(w)
  expect(await kinds()).toEqual([])
  expect(await balanceOf(u)).toBe(2)
  expect(await w.faults()).toEqual([])
})

test('how far a watcher that was away has to read is shown, until it has', async () => {
  await using own = await ownWorld()
  const { w, blocks } = own
  await pass(w)
  const before = await findCursor(w.db.reader, w.chain.network)
  if (!before) throw new Error('the watcher has a cursor')
  const { block, version } = before
  await blocks(200)
  const safe = block + 200n
  const heads = { safe, finalized: safe, latest: safe }
  const shown = async () => {
    const { body } = await w.call('GET', '/api/status')
    return body.health.components.find((part: any) => part.component === 'watcher')
  }
  await w.write((tx) => moveCursor(tx, w.chain.network, { version, block, ...heads }))
  expect((await shown()).sentence).toContain('200 blocks to go, 0 % done')
  const next = { version: version + 1n, block: block + 50n, ...heads }
  await w.write((tx) => moveCursor(tx, w.chain.network, next))
  expect(await shown()).toMatchObject({
    status: 'degraded',
    sentence: expect.stringContaining('150 blocks to go, 25 % done'),
  })
  expect((await w.call('GET', '/metrics')).text).toContain('purser_watcher_behind_blocks 150')
  await pass(w)
  expect(await shown()).toMatchObject({ status: 'operational' })
})

test.each(['dead', 'silent', 'lagging'] as const)(
  'with a first node that is %s, deposits are credited through the second',
  async (fault) => {
    await using own = await ownWorld({ nodes: 2 })
    const { w, blocks, nodes } = own
    const u = await w.user({ usdc: 9 })
    await pass(w)
    const head = await own.node.getBlockNumber()
    await w.transfer(u.account, w.chain.treasury.address, 2_000_000n)
    await blocks(60)
    const old = `0x${head.toString(16)}`
    const [first] = nodes
    first?.fault((call) => {
      if (fault === 'dead') return { error: { code: -32000, message: 'out of order' } }
      if (fault === 'silent') return SILENCE
      return call.method === 'eth_blockNumber' ? { result: old } : undefined
    })
    await pass(w)
    expect(await balanceOf(u)).toBe(2)
    expect(await statesOf(w)).toEqual(['credited'])
  },
)
