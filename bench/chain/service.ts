/** A service that can be killed and restarted on its own data folder, for runs that test recovery. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/service/src/run/embedded/child.ts'

export type Dev = {
  rpc_url: string
  database_url: string
  usdc: `0x${string}`
  treasury: `0x${string}`
  chain_id: number
  pid: number
  demo: { wallet_address: string; api_key: string }
}

const MAIN = new URL('../../packages/service/src/main.ts', import.meta.url).pathname
const READY_MS = 60_000

export class ChainService {
  readonly folder: string
  port = 0
  /** The number of starts so far. */
  starts = 0
  #child: ChildProcess | undefined

  /** On a new data folder, or on one in which the service has lived before. */
  constructor(folder = mkdtempSync(join(tmpdir(), 'purser-chain-'))) {
    this.folder = folder
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }
  get pid(): number {
    return this.#child?.pid ?? 0
  }
  get dev(): Dev {
    return JSON.parse(readFileSync(join(this.folder, 'dev.json'), 'utf8'))
  }

  async start(): Promise<void> {
    this.port ||= await freePort()
    this.starts++
    const child = this.#spawn(['start'], 'ignore')
    this.#child = child
    const until = performance.now() + READY_MS
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
      const ready = await fetch(`${this.url}/readyz`).catch(() => undefined)
      if (ready?.ok && this.#isWritten(child)) return
      if (performance.now() > until) throw new Error('the service was not ready in time')
      await sleep(50)
    }
  }

  /** Kills with -9: nothing is finished, nothing is written. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child
    if (!child) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
    this.#child = undefined
  }

  /** The output of `verify --json`, and whether it found a fault. */
  async verify(): Promise<{ code: number; text: string }> {
    const child = this.#spawn(['verify', '--json'], 'pipe')
    let text = ''
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
    })
    const code = await new Promise<number>((resolve) => child.once('close', (c) => resolve(c ?? 1)))
    return { code, text }
  }

  async stop(): Promise<void> {
    await this.kill('SIGTERM')
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** The file has all addresses. The service writes it after it has begun to answer. */
  #isWritten(child: ChildProcess): boolean {
    return existsSync(join(this.folder, 'dev.json')) && this.dev.pid === child.pid
  }

  #spawn(args: string[], stdout: 'ignore' | 'pipe'): ChildProcess {
    return spawn(process.execPath, [MAIN, ...args], {
      cwd: this.folder,
      stdio: ['ignore', stdout, 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PORT: String(this.port),
        PURSER_DATA_DIR: this.folder,
        PURSER_LOG_LEVEL: 'info',
        PURSER_DRAIN_SECONDS: '0',
        PURSER_WITHDRAWAL_MINIMUM: '0.1',
        PURSER_SELLER_GAS_PER_DAY: '0',
      },
    })
  }
}
