import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pause, until } from '../../../../test/until.ts'
import { USDC } from '../../../base/kernel/assets.ts'
import { mine, mintUsdc, prepareDevChain, waitMined } from '../dev/chain.ts'
import { type AnvilOptions, type RunningAnvil, startAnvil } from './anvil.ts'
import { callAnvil, readClock, setClock } from './rpc.ts'

const chainId = 84_532
const TRANSFER = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
)
const ALICE = '0x00000000000000000000000000000000000a11ce'

let folder: string
let stateFile: string
let chains: RunningAnvil[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-anvil-'))
  stateFile = join(folder, 'chain', 'state.json')
  chains = []
})

afterEach(async () => {
  await Promise.all(chains.map((chain) => chain.stop()))
  await rm(folder, { recursive: true, force: true })
})

async function start(options: Partial<AnvilOptions> = {}) {
  const chain = await startAnvil({ stateFile, chainId, blockTimeSeconds: 1, ...options })
  chains.push(chain)
  const rpc = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  return Object.assign(chain, { rpc })
}

async function mintAndMine(rpcUrl: string) {
  const hash = await mintUsdc({ rpcUrl, chainId, to: ALICE, amount: 1n })
  await mine({ rpcUrl, blocks: 1 })
  await waitMined({ rpcUrl, hash, timeoutMs: 60_000 })
  return hash
}

const transfers = (chain: Awaited<ReturnType<typeof start>>) =>
  chain.rpc.getLogs({ address: USDC[chainId]!.contract, event: TRANSFER, fromBlock: 0n })

// By itself anvil leaves gigabytes of old states below the home folder.
test('states of old blocks are written next to the chain, and go when it stops', async () => {
  const states = join(folder, 'chain', 'states')
  const chain = await start({ restartAfterBlocks: 10_000 })
  await mine({ rpcUrl: chain.rpcUrl, blocks: 1_600 })
  const written = await readdir(states, { recursive: true })
  expect(written.filter((name) => name !== 'listening.json')).not.toEqual([])
  await chain.stop()
  await expect(readdir(states)).rejects.toThrow('ENOENT')
})

test('it has the chain id, mines by the clock, and tags safe and finalized', async () => {
  const chain = await start({ blockTimeSeconds: 0.1 })
  expect(await chain.rpc.getChainId()).toBe(chainId)
  await until(
    () => chain.rpc.getBlockNumber(),
    (seen) => expect(seen).toBeGreaterThan(9n),
  )
  // No block comes between the three answers.
  await chain.rpc.request({ method: 'evm_setIntervalMining', params: [0] } as never)
  const [safe, finalized, head] = await Promise.all([
    chain.rpc.getBlock({ blockTag: 'safe' }),
    chain.rpc.getBlock({ blockTag: 'finalized' }),
    chain.rpc.getBlockNumber(),
  ])
  expect(head - safe.number).toBeLessThanOrEqual(5n)
  expect(safe.number - finalized.number).toBeGreaterThanOrEqual(3n)
})

test('a stop and a start keep money, receipts and logs, also across old empty blocks left out', async () => {
  const first = await start()
  const { worldId } = await prepareDevChain({ rpcUrl: first.rpcUrl, chainId })
  const early = await mintAndMine(first.rpcUrl)
  await mine({ rpcUrl: first.rpcUrl, blocks: 1_000 })
  const late = await mintAndMine(first.rpcUrl)
  const head = await first.rpc.getBlockNumber()
  await first.stop()
  const { size } = await stat(stateFile)

  const second = await start()
  expect(await prepareDevChain({ rpcUrl: second.rpcUrl, chainId })).toEqual({
    worldId,
    isFresh: false,
  })
  expect(await second.rpc.getBlockNumber()).toBeGreaterThanOrEqual(head)
  expect((await second.rpc.getTransactionReceipt({ hash: early })).status).toBe('success')
  expect((await transfers(second)).map((log) => log.transactionHash)).toEqual([early, late])
  expect((await transfers(second)).map((log) => log.args.value)).toEqual([1n, 1n])
  await second.stop()
  expect((await stat(stateFile)).size).toBeLessThan(size)
})

/** The process of anvil itself: the only child of its guard. */
const anvilOf = async ({ pid }: RunningAnvil): Promise<number> =>
  Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))

/** By how many seconds the newest block is ahead of the real clock. */
const aheadOf = async ({ rpc }: Awaited<ReturnType<typeof start>>): Promise<number> =>
  Number((await rpc.getBlock()).timestamp) - Math.floor(Date.now() / 1000)

test('a chain that is behind the real clock is set by it', async () => {
  const chain = await startAnvil({ chainId, blockTimeSeconds: 1 })
  chains.push(chain)
  const { rpcUrl } = chain
  expect(await readClock(rpcUrl)).toBe(0)
  await callAnvil(rpcUrl, [['anvil_setTime', Math.floor(Date.now() / 1000) - 5]])
  expect(await readClock(rpcUrl)).toBeLessThan(-3)
  expect(await setClock(rpcUrl, 0)).toBe(true)
  expect(await readClock(rpcUrl)).toBe(0)
})

const YEARS = 100_000_000

test('a chain that has grown long starts again: callers wait, and nothing is lost', async () => {
  const chain = await start({ restartAfterBlocks: 500, blockTimeSeconds: 0.5 })
  const { rpcUrl } = chain
  const { worldId } = await prepareDevChain({ rpcUrl, chainId })
  const anvil = await anvilOf(chain)
  const hashes = [await mintAndMine(rpcUrl)]
  const heights: bigint[] = []
  const over = new AbortController()
  const readers = Array.from({ length: 3 }, async () => {
    while (!over.signal.aborted) heights.push(await chain.rpc.getBlockNumber())
  })
  const minter = (async () => {
    while (!over.signal.aborted)
      hashes.push(await mintUsdc({ rpcUrl, chainId, to: ALICE, amount: 1n }))
  })()
  await mine({ rpcUrl, blocks: 1_200 })
  await until(
    () => anvilOf(chain),
    (seen) => expect(seen).not.toBe(anvil),
  )
  await until(
    () => heights.length,
    (read) => expect(read).toBeGreaterThan(100),
  )
  over.abort()
  await Promise.all([...readers, minter])
  // A long chain has dropped its old empty blocks. A mint may be in one of these, not in most.
  const old = Array.from({ length: 20 }, (_, i) => BigInt(200 + i))
  const found = await Promise.allSettled(
    old.map((blockNumber) => chain.rpc.getBlock({ blockNumber })),
  )
  const gone = found.filter(
    (one) => one.status === 'rejected' && /could not be found/.test(String(one.reason)),
  )
  expect(gone.length).toBeGreaterThan(10)
  expect((await prepareDevChain({ rpcUrl, chainId })).worldId).toBe(worldId)
  hashes.push(await mintAndMine(rpcUrl))
  await mine({ rpcUrl, blocks: 2 })
  expect((await transfers(chain)).map((log) => log.transactionHash)).toEqual(hashes)
  await chain.stop()
  await chain.exited
})

test('the clock of a chain outlives its restarts, a stop and each kind of kill', async () => {
  const first = await start({ restartAfterBlocks: 400 })
  await first.rpc.request({ method: 'evm_increaseTime', params: [YEARS] } as never)
  await mine({ rpcUrl: first.rpcUrl, blocks: 1 })
  const anvil = await anvilOf(first)
  await mine({ rpcUrl: first.rpcUrl, blocks: 500 })
  await until(
    () => anvilOf(first),
    (seen) => expect(seen).not.toBe(anvil),
  )
  await mine({ rpcUrl: first.rpcUrl, blocks: 1 })
  const ahead = [await aheadOf(first)]
  const ends = [
    (chain: RunningAnvil) => chain.stop(),
    (chain: RunningAnvil) => process.kill(chain.pid, 'SIGKILL'),
    async (chain: RunningAnvil) => process.kill(await anvilOf(chain), 'SIGKILL'),
  ]
  let chain = first
  for (const end of ends) {
    await pause(1_500)
    await end(chain)
    await chain.exited
    chain = await start()
    await mine({ rpcUrl: chain.rpcUrl, blocks: 1 })
    ahead.push(await aheadOf(chain))
  }
  for (const seconds of ahead) expect(Math.abs(seconds - YEARS)).toBeLessThanOrEqual(1)
})

test('a chain whose clock was moved just before a kill -9 makes no block older than its last', async () => {
  const first = await start()
  await first.rpc.request({ method: 'evm_increaseTime', params: [YEARS] } as never)
  await mine({ rpcUrl: first.rpcUrl, blocks: 1 })
  await first.stop()
  // As if the guard had ended before it kept the clock.
  await rm(`${stateFile}.offset`, { force: true })
  const second = await start()
  const last = await second.rpc.getBlock()
  await mine({ rpcUrl: second.rpcUrl, blocks: 1 })
  expect((await second.rpc.getBlock()).timestamp).toBeGreaterThanOrEqual(last.timestamp)
})

test('a kill -9 loses two seconds at most', async () => {
  const first = await start()
  await prepareDevChain({ rpcUrl: first.rpcUrl, chainId })
  const hash = await mintAndMine(first.rpcUrl)
  await pause(2_100)
  process.kill(await anvilOf(first), 'SIGKILL')
  await first.exited
  const second = await start()
  expect((await second.rpc.getTransactionReceipt({ hash })).status).toBe('success')
})

test('half a state gives way to the copy, and is refused where there is none', async () => {
  const first = await start()
  const { worldId } = await prepareDevChain({ rpcUrl: first.rpcUrl, chainId })
  await first.stop()
  const whole = await readFile(stateFile, 'utf8')
  await writeFile(stateFile, whole.slice(0, 5_000))
  await expect(start()).rejects.toThrow(/state .* is damaged and there is no copy/)
  await writeFile(`${stateFile}.previous`, whole)
  const second = await start()
  expect((await prepareDevChain({ rpcUrl: second.rpcUrl, chainId })).worldId).toBe(worldId)
})

test('a state in use is refused, and so is a port', async () => {
  await start()
  await expect(start()).rejects.toThrow(/is in use by process \d+/)
  // Accepts connections and never answers.
  const other = createServer((socket) => socket.resume())
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  await expect(startAnvil({ chainId, blockTimeSeconds: 1, port })).rejects.toThrow(
    `The development chain cannot listen on port ${port}: another program does.`,
  )
  await new Promise((resolve) => other.close(resolve))
})

test('a chain that has the port already is left as it is', async () => {
  const options = { chainId, blockTimeSeconds: 1 }
  const other = await startAnvil(options)
  chains.push(other)
  await setClock(other.rpcUrl, 1_000)
  const port = Number(new URL(other.rpcUrl).port)
  await expect(startAnvil({ ...options, port })).rejects.toThrow('another program')
  expect(await readClock(other.rpcUrl)).toBe(1_000)
})
