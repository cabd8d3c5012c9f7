/**
 * The process between the service and a development chain that is kept in a file:
 * `node anvil-guard.ts <rpc url> <state file> <anvil's command…>`.
 *
 * Anvil saves its state when it ends: first the blocks, then the accounts. A block that is mined in between is in the
 * accounts only, so that they hold money which no log explains. The guard therefore stops mining before it stops anvil,
 * even if the service was killed with -9: the guard's input is a pipe that ends with the service.
 */
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnvilCall, callAnvil } from './rpc.ts'
import { sayLeaving } from './state.ts'

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

const [rpcUrl = '', stateFile = '', program = '', ...args] = process.argv.slice(2)
const anvil = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], windowsHide: true })
let isLeaving = false

anvil.once('error', (error) => {
  process.stderr.write(error.message)
  process.exit(1)
})
anvil.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave)
process.stdin.on('error', leave).on('close', leave).resume()

function leave(): void {
  if (isLeaving) return
  isLeaving = true
  void endAnvil()
}

async function endAnvil(): Promise<void> {
  await sayLeaving(stateFile, process.pid)
  await pauseMining()
  // Windows has no signal for a graceful stop: there anvil's last periodic dump must do.
  if (process.platform === 'win32') await untilDumped()
  anvil.kill('SIGTERM')
  setTimeout(() => anvil.kill('SIGKILL'), DUMP_MS)
}

/** Stops anvil's mining interval, and waits until no block is being mined or due. */
async function pauseMining(): Promise<void> {
  const ask = (...calls: AnvilCall[]) => callAnvil(rpcUrl, calls, BLOCK_MS)
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
