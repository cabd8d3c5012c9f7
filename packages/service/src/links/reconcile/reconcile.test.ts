import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, encodeAbiParameters, http, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { issue, open, present, signed } from '../../../test/actors/attack-kit.ts'
import { type OwnWorld, ownWorld } from '../../../test/chain-faults/own-world.ts'
import type { RpcCall } from '../../../test/faults/faulty-rpc.ts'
import { until } from '../../../test/until.ts'
import { freshAccount, testChain } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { readAssetBalance } from '../../chain/client/reads.ts'
import { readHeads } from '../../chain/client/watch.ts'
import { startAnvil } from '../../run/embedded/anvil/anvil.ts'
import { fundGas, mine, mintUsdc, prepareDevChain } from '../../run/embedded/dev/chain.ts'
import { acknowledgeAlarm, alarmsText, listAlarms } from '../../run/operate/commands/alarms.ts'
import { watchOnce } from '../watcher/pass.ts'
import { startCursor } from '../watcher/store.ts'
import { compareCustody } from './compare.ts'
import { reconcile, reconcileTasks } from './jobs.ts'
import { findComparison, findOpenAlarms } from './store.ts'

const compare = async (w: World, isEmbedded = true) => {
  const found = await compareCustody({ db: w.db, rail: w.chain, at: w.now(), isEmbedded })
  if ('why' in found) throw new Error(found.why)
  return found
}

test('money that arrives, waits, is credited or has no owner is explained to the unit at every block', async () => {
  await using w = await world()
  await w.runJobs()
  const u = await w.user({ treasury: 5, usdc: 9 })
  const stranger = await freshAccount({ usdc: 3_000_000n })
  for (const isEmbedded of [true, false]) expect((await compare(w, isEmbedded)).difference).toBe(0n)
  await w.transfer(u.account, w.chain.treasury.address, 2_000_000n)
  await w.transfer(stranger, w.chain.treasury.address, 1_500_000n)
  for (const isEmbedded of [true, false]) expect((await compare(w, isEmbedded)).difference).toBe(0n)
  await w.safe()
  for (const isEmbedded of [true, false])
    expect(await compare(w, isEmbedded)).toMatchObject({
      difference: 0n,
      awaited: 3_500_000n,
      onChain: 8_500_000n,
    })
  await w.runJobs()
  for (const isEmbedded of [true, false])
    expect(await compare(w, isEmbedded)).toMatchObject({
      difference: 0n,
      awaited: 0n,
      owed: 7_000_000n,
      unclaimed: 1_500_000n,
      unclaimedTransfers: 1n,
    })
})

const alarmsOf = async (w: World, kind: string) =>
  (await findOpenAlarms(w.db.reader)).filter((alarm) => alarm.kind === kind)
const eventsOf = async (w: World) =>
  (
    await sql<{ type: string; data: { kind: string } }>`select type, data from events
      where wallet_address = ${w.chain.treasury.address} order by seq`.execute(w.db.reader)
  ).rows
    .filter(({ data }) => data.kind === 'custody')
    .map(({ type }) => type)

/** A theft by somebody who has the treasury's key. */
async function steal(w: World, value: bigint): Promise<`0x${string}`> {
  const thief = (await freshAccount()).address
  const account = privateKeyToAccount(w.operatorKey)
  await fundGas({ rpcUrl: w.rpcUrl, address: account.address, wei: 10n ** 18n })
  await w.transfer(account, thief, value)
  await w.safe()
  return thief
}

test('stolen money raises an alarm that is reported, acknowledged, changes with the amount and ends by itself', async () => {
  await using w = await world()
  await w.user({ treasury: 5 })
  await reconcile(w.services, w.now())
  expect(await alarmsOf(w, 'custody')).toEqual([])
  await steal(w, 1_000_000n)
  for (let i = 0; i < 2; i++) await reconcile(w.services, w.now())

  const [alarm, ...others] = await alarmsOf(w, 'custody')
  expect(others).toEqual([])
  expect(alarm).toMatchObject({ details: { difference: '-1000000' }, acknowledgedAt: null })
  expect(alarm?.sentence).toContain('1 USDC are missing')
  expect(await eventsOf(w)).toEqual(['operator.alarm'])
  const { text } = await w.call('GET', '/metrics')
  expect(text).toContain('purser_alarms{kind="custody"} 1')
  expect(text).toContain('purser_custody_difference_units{asset="USDC"} -1000000')
  const { health } = (await w.call('GET', '/api/status')).body
  expect(health.status).toBe('degraded')
  expect(health.components).toContainEqual(
    expect.objectContaining({ component: 'books', status: 'degraded' }),
  )

  const known = { id: alarm?.id ?? '', note: 'the police know' }
  await acknowledgeAlarm(w, w.now(), known)
  await reconcile(w.services, w.now())
  expect((await alarmsOf(w, 'custody'))[0]?.acknowledgedNote).toBe('the police know')
  await steal(w, 500_000n)
  await reconcile(w.services, w.now())
  expect((await alarmsOf(w, 'custody'))[0]).toMatchObject({
    id: alarm?.id,
    details: { difference: '-1500000' },
    acknowledgedAt: null,
  })
  expect(await eventsOf(w)).toEqual(['operator.alarm', 'operator.alarm'])

  // Nothing is repaired: the money comes back, and the next comparison ends the alarm.
  const books = sql`select posted from ledger_house_parts`
  const before = (await books.execute(w.db.reader)).rows
  await giveBack(w, 1_500_000n)
  await reconcile(w.services, w.now())
  expect(await alarmsOf(w, 'custody')).toEqual([])
  expect((await books.execute(w.db.reader)).rows).toEqual(before)
  expect(await eventsOf(w)).toEqual(['operator.alarm', 'operator.alarm', 'operator.alarm_resolved'])
  const listed = await listAlarms(w)
  expect(alarmsText(listed)).toMatch(/over +alm_/)
  await expect(acknowledgeAlarm(w, w.now(), { id: 'alm_x', note: 'x' })).rejects.toThrow('no alarm')
  await expect(acknowledgeAlarm(w, w.now(), { ...known, note: ' ' })).rejects.toThrow('--note')
  await expect(w.write((tx) => sql`delete from alarms`.execute(tx))).rejects.toThrow('insert only')
})

/** Gives the treasury USDC without a transfer on chain. */
async function giveBack(w: World, value: bigint): Promise<void> {
  const { address } = w.chain.treasury
  const balance = await w.treasuryOnChain()
  const slots = Array.from({ length: 60 }, (_, slot) => slot)
  for (const slot of slots) {
    const key = keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, BigInt(slot)]),
    )
    const at = { address: w.chain.asset.contract, slot: key }
    const held = await w.chain.rpc.getStorageAt(at)
    if (BigInt(held ?? 0) !== balance) continue
    const stored = `0x${(balance + value).toString(16).padStart(64, '0')}`
    const params = [at.address, key, stored] as never
    await w.chain.rpc.request({ method: 'anvil_setStorageAt' as never, params })
    if ((await w.treasuryOnChain()) === balance + value) return w.safe()
  }
  throw new Error('the balances were not found in the storage of the token')
}

test('money in the treasury before the first entry is owed to nobody, and counted once', async () => {
  await using w = await world()
  const { rpcUrl, chain } = w
  const minted = { rpcUrl, chainId: chain.chainId, to: chain.treasury.address, amount: 7_000_000n }
  await w.mined(await mintUsdc(minted))
  await w.safe()
  const { latest } = await readHeads(chain)
  await w.write((tx) => startCursor(tx, chain.network, latest))
  await reconcile(w.services, w.now())
  await w.user({ treasury: 3 })
  await w.safe()
  await reconcile(w.services, w.now())
  expect(
    await findComparison(w.db.reader, { network: chain.network, asset: 'USDC' }),
  ).toMatchObject({
    opening: 7_000_000n,
    owed: 3_000_000n,
    onChain: 10_000_000n,
    difference: 0n,
  })
  expect(await alarmsOf(w, 'custody')).toEqual([])
})

test('a relayer without gas is an alarm until it has some; altered books are one', async () => {
  await using w = await world()
  await w.user({ treasury: 3 })
  await w.runJobs({ daily: true })
  expect(await alarmsOf(w, 'relayer_gas_out')).toHaveLength(1)
  expect(await alarmsOf(w, 'books')).toEqual([])
  await w.withGas()
  await w.write((tx) =>
    sql`set local session_replication_role = replica`
      .execute(tx)
      .then(() => sql`update ledger_transfer_rows set ref = ref || 'x'`.execute(tx)),
  )
  await w.runJobs({ daily: true })
  expect(await alarmsOf(w, 'relayer_gas_out')).toEqual([])
  // An altered reference is also one that no row explains: each check has an alarm of its own.
  const books = (await alarmsOf(w, 'books')).find(({ subject }) => subject === 'hash_chain')
  expect(books?.sentence).toContain('was altered')
})

test('a public chain is compared each fifth minute of the timetable, after a start, and again after a failure', async () => {
  await using w = await world()
  await w.safe()
  await w.runJobs()
  w.services.settings.embeddedRpcUrl = null
  const of = { network: w.chain.network, asset: 'USDC' }
  const at = new Date(Date.UTC(2030, 0, 1, 0, 7))
  const [task] = reconcileTasks
  const compares = async (payload: unknown) => {
    await sql`delete from reconciliations`.execute(w.db.reader)
    await task?.handle(w.services, payload, at)
    return (await findComparison(w.db.reader, of)) !== undefined
  }
  const madeFor = (ts: string) => ({ _cron: { ts, backfilled: false } })
  expect(await compares(madeFor('2030-01-01T00:04:00.000Z'))).toBe(false)
  expect(await compares(madeFor('2030-01-01T00:05:00.000Z'))).toBe(true)
  expect(await compares({})).toBe(true)
})

test('an alarm lasts while the books could not be compared with the chain for a quarter of an hour', async () => {
  await using w = await world()
  await w.user({ treasury: 5 })
  await w.runJobs({ compares: true })
  const silent = createPublicClient({ transport: http('http://127.0.0.1:1', { retryCount: 0 }) })
  const chain = { ...w.chain, rpc: silent as typeof w.chain.rpc }
  const cutOff = { ...w.services, chain }
  const lastAt = (await findComparison(w.db.reader, { network: w.chain.network, asset: 'USDC' }))
    ?.comparedAt as Date
  const after = (minutes: number) => new Date(lastAt.getTime() + minutes * 60_000)
  await expect(reconcile(cutOff, after(14))).rejects.toThrow()
  expect(await alarmsOf(w, 'not_compared')).toEqual([])
  for (const minutes of [15, 16]) await expect(reconcile(cutOff, after(minutes))).rejects.toThrow()
  const [alarm, ...others] = await alarmsOf(w, 'not_compared')
  expect(others).toEqual([])
  expect(alarm?.sentence).toContain(lastAt.toISOString())
  await reconcile(w.services, after(17))
  expect(await alarmsOf(w, 'not_compared')).toEqual([])
})

test('many reconcilers at once raise one alarm', async () => {
  await using w = await world()
  await w.user({ treasury: 5 })
  await steal(w, 1_000_000n)
  await Promise.all([1, 2, 3, 4].map(() => reconcile(w.services, w.now())))
  const all = await sql`select from alarms where kind = 'custody'`.execute(w.db.reader)
  expect(all.rows).toHaveLength(1)
})

test('a payout is explained while it is signed, gone and booked, and at every block between', async () => {
  await using own = await ownWorld()
  const { w, blocks } = own
  await watchOnce(w.services, w.now())
  const u = await w.user({ treasury: 20 })
  const check = async () => {
    for (const isEmbedded of [true, false])
      expect((await compare(w, isEmbedded)).difference).toBe(0n)
  }
  await blocks(6)
  await check()
  const payee = await own.payer(0n)
  const asked = own.during(u.post('/api/withdraw', { amount: 5, to_address: payee.address }))
  for (let i = 0; i < 3; i++) await check()
  const { status, text } = await asked
  expect(status, text).toBeLessThan(300)
  for (let i = 0; i < 8; i++) {
    await check()
    await own.during(w.runJobs())
    await check()
    await blocks(1)
    await w.advance(3)
  }
  expect(await own.usdcOf(payee.address)).toBe(4_950_000n)
  expect(await compare(w)).toMatchObject({ departed: 0n, ahead: 0n, onChain: 15_050_000n })
  await watchOnce(w.services, w.now())
  expect(await alarmsOf(w, 'custody')).toEqual([])
})

/** Keeps the node busy with its next block for some milliseconds. */
async function burnGas({ call }: OwnWorld): Promise<void> {
  const [loop, sender] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
  await call('anvil_setCode', loop, '0x5b600056')
  await call('anvil_setBalance', sender, '0xffffffffffffffffffff')
  await call('anvil_impersonateAccount', sender)
  const [gas, gasPrice] = [16_000_000, 100n * 10n ** 9n].map((n) => `0x${n.toString(16)}`)
  await call('eth_sendTransaction', { from: sender, to: loop, gas, gasPrice })
}

test('balances of a block that the node is still making spoil no comparison', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const { w, blocks } = own
  const { treasury, chainId } = w.chain
  await watchOnce(w.services, w.now())
  await w.user({ treasury: 5 })
  const balanceAt = (block: bigint) =>
    readAssetBalance({ ...w.chain, rpc: own.node }, treasury.address, block)
  let torn = 0
  // Nine of ten blocks show the node's fault; a busy machine may need some more.
  for (let made = 0; torn < 3 && made < 60; made++) {
    const latest = await own.node.getBlockNumber()
    await mintUsdc({ ...own, chainId, to: treasury.address, amount: 820_000n })
    await burnGas(own)
    const during: Promise<unknown>[] = []
    own.nodes[0]?.fault((asked) => {
      // The comparison has its block and its logs, and now asks for the first balance.
      if (asked.method === 'eth_call' && during.length === 0)
        during.push(blocks(1), balanceAt(latest))
    })
    expect((await compare(w)).difference).toBe(0n)
    const [, seen] = await Promise.all(during)
    if (seen !== (await balanceAt(latest))) torn++
  }
  expect(torn).toBe(3)
})

test('a link that is created and paid during the comparison is explained', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const { w, blocks, call } = own
  await watchOnce(w.services, w.now())
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const payer = await own.payer()
  await blocks(6)
  const compared = Promise.withResolvers<void>()
  const work: Promise<unknown>[] = []
  const makeAndPay = async () => {
    const link = await open(seller, card, {})
    const payment = await signed(w, payer, link.deposit_address, 1_000_000n)
    work.push(present(w, link.code, payment))
    const waiting = async () => Number((await call('txpool_status')).pending)
    await until(waiting, (seen) => expect(seen).toBe(1))
    // The job that would credit it waits for the link, so only the chain knows about the payment.
    const locked = Promise.withResolvers<void>()
    work.push(
      w.write(async (tx) => {
        await sql`select from pay_links where code = ${link.code} for update`.execute(tx)
        locked.resolve()
        await compared.promise
      }),
    )
    await locked.promise
    await blocks(2)
  }
  const isLatest = ({ method, params }: RpcCall) =>
    method === 'eth_getBlockByNumber' && params[0] === 'latest'
  const [node] = own.nodes
  node?.fault((asked) => {
    if (!isLatest(asked)) return
    node.fault(undefined)
    return makeAndPay()
  })
  expect(await compare(w)).toMatchObject({ difference: 0n, awaited: 1_000_000n })
  expect((await compare(w, false)).difference).toBe(0n)
  compared.resolve()
  await Promise.all(work)
  await blocks(1)
  expect(await compare(w)).toMatchObject({ difference: 0n, awaited: 0n, owed: 6_000_000n })
})

test('a chain that was just started is compared once it has made a block', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'purser-reconcile-'))
  const { chainId } = testChain()
  const start = { chainId, blockTimeSeconds: 3_600, stateFile: join(folder, 'state.json') }
  const first = await startAnvil(start)
  const { rpcUrl } = first
  await prepareDevChain({ rpcUrl, chainId })
  await using w = await world({ on: { rpcUrl, mine: () => mine({ rpcUrl, blocks: 1 }) } })
  await w.user({ treasury: 5 })
  await watchOnce(w.services, w.now())
  await first.stop()
  const second = await startAnvil({ ...start, port: Number(new URL(rpcUrl).port) })
  try {
    const of = { db: w.db, rail: w.chain, at: w.now(), isEmbedded: true }
    expect(await compareCustody(of)).toEqual({
      why: 'the chain has made no block since it was started',
    })
    await mine({ rpcUrl, blocks: 1 })
    expect(await compare(w)).toMatchObject({ difference: 0n, owed: 5_000_000n })
  } finally {
    await second.stop()
    await rm(folder, { recursive: true })
  }
})
