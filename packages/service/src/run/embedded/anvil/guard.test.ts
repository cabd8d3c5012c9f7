import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../test/until.ts'
import { USDC } from '../../../base/kernel/assets.ts'
import { erc20Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { fundGas, mintUsdc, prepareDevChain } from '../dev/chain.ts'
import { startAnvil } from './anvil.ts'

const chainId = 84_532
const token = USDC[chainId]?.contract ?? '0x'
const ALICE = '0x00000000000000000000000000000000000a11ce'
const [LOOP, SENDER] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`] as const
const TRANSFER = parseAbiItem(
  'event Transfer(address indexed from, address indexed to, uint256 value)',
)
const OWNER = fileURLToPath(new URL('../../../../test/run/anvil-owner.ts', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-guard-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const clientOf = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
const callsOf = (rpcUrl: string) => {
  const rpc = clientOf(rpcUrl)
  return (method: string, ...params: unknown[]) => rpc.request({ method, params } as never)
}

/** Starts the service, and ends it as soon as Alice has received money. Returns her earlier balance. */
async function endUnderLoad(stateFile: string, signal: NodeJS.Signals): Promise<bigint> {
  const owner = spawn(process.execPath, [OWNER, stateFile, '0.2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(owner, 'exit')
  const over = new AbortController()
  const work: Promise<void>[] = []
  try {
    const [line] = (await once(owner.stdout, 'data')) as [Buffer]
    const rpcUrl = line.toString().trim()
    await prepareDevChain({ rpcUrl, chainId })
    const before = await balanceOf(rpcUrl)
    work.push(load(rpcUrl, over.signal))
    await until(
      () => balanceOf(rpcUrl),
      (seen) => expect(seen).toBeGreaterThan(before + 3n),
    )
    return before
  } finally {
    owner.kill(signal)
    await exited
    over.abort()
    await Promise.all(work)
  }
}

const balanceOf = (rpcUrl: string): Promise<bigint> =>
  clientOf(rpcUrl).readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [ALICE],
  })

/** Mines large blocks, each with money for Alice, until the signal. They keep the chain busy. */
async function load(rpcUrl: string, signal: AbortSignal): Promise<void> {
  const call = callsOf(rpcUrl)
  await call('anvil_setCode', LOOP, '0x5b600056')
  await call('anvil_impersonateAccount', SENDER)
  await fundGas({ rpcUrl, address: SENDER, wei: 10n ** 24n })
  await call('evm_setBlockGasLimit', '0x11e1a300')
  const [gas, gasPrice] = [16_000_000, 900n * 10n ** 9n].map((n) => `0x${n.toString(16)}`)
  const burn = () => call('eth_sendTransaction', { from: SENDER, to: LOOP, gas, gasPrice })
  const mint = () => mintUsdc({ rpcUrl, chainId, to: ALICE, amount: 1n })
  // Ignore calls that the chain refuses, or no longer answers while it stops.
  while (!signal.aborted) await Promise.allSettled([mint(), burn(), burn()])
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'blocks and accounts are of one moment after the service ended by %s while blocks are made',
  async (signal) => {
    const stateFile = join(folder, 'state.json')
    for (let round = 0; round < 3; round++) {
      const before = await endUnderLoad(stateFile, signal)
      const again = await startAnvil({ stateFile, chainId, blockTimeSeconds: 3_600 })
      try {
        const rpc = clientOf(again.rpcUrl)
        const logs = await rpc.getLogs({
          address: token,
          event: TRANSFER,
          args: { to: ALICE },
          fromBlock: 0n,
          strict: true,
        })
        const balance = await balanceOf(again.rpcUrl)
        const sum = logs.reduce((all, log) => all + log.args.value, 0n)
        expect([round, balance]).toEqual([round, sum])
        expect(balance).toBeGreaterThan(before)
      } finally {
        await again.stop()
      }
    }
  },
)
