/**
 * The process between the service and a development chain that is kept in a file:
 * `node guard.ts <port> <state file> <blocks until a restart> <clock's offset in seconds> <anvil's command…>`.
 *
 * Anvil saves its state when it ends: first the blocks, then the accounts. A block that is mined in between is in the
 * accounts only, so that they hold money which no log explains. The guard therefore stops mining before it stops anvil,
 * even if the service was killed with -9: the guard's input is a pipe that ends with the service.
 *
 * Anvil also slows down with every block, so the guard restarts it now and then. Requests wait at the gate meanwhile, and
 * the chain's clock goes on: anvil itself forgets by how much it was moved.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../child.ts'
import { type Gate, listenGate } from './gate.ts'
import { type AnvilCall, callAnvil, readClock, setClock } from './rpc.ts'
import { isListening, keepOffset, prepareState, sayLeaving, statesFolder } from './state.ts'

/** The time limit of one block and everything that waits for it. */
const BLOCK_MS = 5_000
const PAUSE_MS = 10_000
/** So many blocks of ours in a row, with a pause between them, show that none is due, if there are transactions to mine. */
const QUIET_BLOCKS = 4
const QUIET_MS = 25
/** How long anvil may take to save its state. */
const DUMP_MS = 15_000
/** Two of the dumps that anvil makes every second. */
const TWO_DUMPS_MS = 5_000
const READY_MS = 15_000
const CHECK_MS = 1_000
/** How long requests may take that were sent before a restart. */
const DRAIN_MS = 5_000

const [port, stateFile = '', blocks, firstOffset, program = '', ...args] = process.argv.slice(2)
let anvil: ChildProcess | undefined
let rpcUrl = ''
let offset = Number(firstOffset)
let isLeaving = false
let restarting: Promise<void> | undefined

const gate = await listenGate(Number(port)).catch((error: NodeJS.ErrnoException) =>
  fail(error.code === 'EADDRINUSE' ? 'Address already in use' : error.message),
)
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave)
process.stdin.on('error', leave).on('close', leave).resume()
await launch(gate)
await watch(gate)

function fail(message: string): never {
  process.stderr.write(message)
  process.exit(1)
}

/** Starts anvil with the clock that it had, and opens the gate once it answers. */
async function launch(to: Gate): Promise<void> {
  const states = statesFolder(stateFile)
  await rm(states, { recursive: true, force: true })
  await mkdir(states, { recursive: true })
  const own = await freePort()
  const seconds = Math.floor(Date.now() / 1000)
  // Otherwise its first block could be older than its last one.
  const clock = offset === 0 ? [] : ['--timestamp', String(seconds + offset)]
  const child = spawn(program, [...args, '--port', String(own), ...clock], {
    stdio: ['ignore', 'ignore', 'inherit'],
    windowsHide: true,
  })
  anvil = child
  child.once('error', (error) => fail(error.message))
  child.once('exit', (code) => {
    if (!restarting) process.exit(code ?? 1)
  })
  rpcUrl = `http://127.0.0.1:${own}`
  const until = performance.now() + READY_MS
  do {
    if (hasEnded(child) || performance.now() > until) process.exit(1)
    await sleep(5)
  } while (!isListening(states) || !(await setClock(rpcUrl, offset)))
  to.open(own)
}

/** Restarts anvil when the chain has grown long, and keeps what its clock is ahead of the real one. */
async function watch(at: Gate): Promise<void> {
  let start = await readStatus()
  for (;;) {
    await sleep(CHECK_MS)
    const status = await readStatus()
    if (isLeaving) return
    if (!status) continue
    await saveOffset(status.offset)
    start ??= status
    // A transaction that waits for an earlier one would be lost.
    if (status.height - start.height < Number(blocks) || status.queued > 0) continue
    restarting = restart(at).finally(() => {
      restarting = undefined
    })
    await restarting
    start = await readStatus()
  }
}

async function restart(at: Gate): Promise<void> {
  const isIdle = await at.close(DRAIN_MS)
  const status = await readStatus()
  if (!isIdle || status?.queued !== 0) return at.open(Number(new URL(rpcUrl).port))
  if (anvil) await stopAnvil(anvil)
  if (isLeaving) return
  offset = await prepareState(stateFile)
  await launch(at)
}

async function leave(): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  await sayLeaving(stateFile, process.pid)
  await restarting
  if (anvil && !hasEnded(anvil)) await stopAnvil(anvil)
  process.exit()
}

/** Ends anvil once its blocks, its accounts and its clock are saved. */
async function stopAnvil(child: ChildProcess): Promise<void> {
  await pauseMining()
  const current = await readClock(rpcUrl)
  if (current !== undefined) await saveOffset(current)
  // Windows has no signal for a graceful stop: there anvil's last periodic dump must do.
  if (process.platform === 'win32') await untilDumped()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), DUMP_MS)
  await ended
  clearTimeout(timer)
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function ask(...calls: AnvilCall[]): Promise<unknown[] | undefined> {
  return callAnvil(rpcUrl, calls, BLOCK_MS)
}

async function readStatus() {
  const answer = await ask(['eth_blockNumber'], ['txpool_status'], ['evm_increaseTime', 0])
  if (!answer) return undefined
  const [height, pool, current] = answer as [string, { queued: string }, number]
  return { height: Number(height), queued: Number(pool.queued), offset: Number(current) }
}

async function saveOffset(current: number): Promise<void> {
  if (current !== offset) await keepOffset(stateFile, current)
  offset = current
}

/** Stops anvil's mining interval, and waits until no block is being mined or due. */
async function pauseMining(): Promise<void> {
  await ask(['evm_setIntervalMining', 0])
  await ask(['evm_setAutomine', false])
  const until = performance.now() + PAUSE_MS
  let quiet = 0
  for (let before = Number.NaN; performance.now() < until; await sleep(quiet && QUIET_MS)) {
    // Blocks are mined one after the other, so ours waits for those of the interval.
    await ask(['evm_mine'])
    const [height, pool] = (await ask(['eth_blockNumber'], ['txpool_status'])) ?? []
    if (height === undefined) return
    quiet = Number(height) === before + 1 ? quiet + 1 : 0
    // A block that was due may begin after two of ours if the machine is busy. It does no harm if it is empty.
    const isEmpty = Number((pool as { pending?: string } | undefined)?.pending) === 0
    if (quiet >= (isEmpty ? 1 : QUIET_BLOCKS)) return
    before = Number(height)
  }
}

/** Waits until the state was written twice: the first write may have begun before the pause. */
async function untilDumped(): Promise<void> {
  const writtenAt = () => stat(stateFile).then(({ mtimeMs }) => mtimeMs, String)
  const until = performance.now() + TWO_DUMPS_MS
  for (let dumps = 0, last = await writtenAt(); dumps < 2 && performance.now() < until; ) {
    await sleep(100)
    const now = await writtenAt()
    if (now !== last) dumps++
    last = now
  }
}
