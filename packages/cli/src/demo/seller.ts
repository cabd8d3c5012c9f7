import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DevFile } from '../context.ts'
import { Fault } from '../fault.ts'

const PATIENCE_MS = 30_000

export type Seller = { url: string; payTo: `0x${string}` } & AsyncDisposable

/** Starts the official x402 seller as a separate process, and answers its URL. */
export async function startSeller(dev: DevFile): Promise<Seller> {
  const program = fileURLToPath(new URL('../../demo/x402-seller.ts', import.meta.url))
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, SELLER_RPC_URL: dev.rpc_url, SELLER_CHAIN_ID: String(dev.chain_id) },
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints = (complaints + chunk).slice(-2_000)
  })
  const lines = createInterface({ input: child.stdout })
  let timer: NodeJS.Timeout | undefined
  try {
    const line = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      child.once('error', reject)
      child.once('exit', () => reject(new Error(complaints)))
      timer = setTimeout(() => reject(new Error(`silent for ${PATIENCE_MS} ms`)), PATIENCE_MS)
    })
    const { url, pay_to: payTo } = JSON.parse(line) as { url: string; pay_to: `0x${string}` }
    return { url, payTo, [Symbol.asyncDispose]: stop }
  } catch (cause) {
    await stop()
    const isMissing = complaints.includes('ERR_MODULE_NOT_FOUND')
    throw new Fault(
      isMissing
        ? 'The demo seller needs the x402 packages: run it in the source tree, after npm ci.'
        : `The demo seller could not be started: ${complaints.trim().split('\n').at(-1) || cause}`,
      { cause },
    )
  } finally {
    clearTimeout(timer)
  }
}
