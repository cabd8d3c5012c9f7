/** A whole Purser for a benchmark: the real process, its embedded database and chain, in a temporary folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../packages/service/src/run/embedded/child.ts'

export type BenchService = {
  port: number
  pid: number
  apiKey: string
  wallet: string
  databaseUrl: string
  /** The environment for a command that attaches to this service. */
  env: Record<string, string | undefined>
  /** Sends a request as the demo wallet. Throws the answer if its status is not 2xx. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
  stop(): Promise<void>
}

export const HERE = fileURLToPath(new URL('../..', import.meta.url))
export const MAIN = 'packages/service/src/main.ts'
const READY_MS = 60_000

/** The flags that `npm start` gives to Node, in this tree or another. */
export function nodeFlagsOf(folder = HERE): string[] {
  const manifest = readFileSync(join(folder, 'packages/service/package.json'), 'utf8')
  return JSON.parse(manifest).nodeFlags ?? []
}

/**
 * Starts a service with `variables` added to its environment and waits until it is ready. `folder` is the tree to run,
 * `nodeFlags` replace the flags that its `npm start` gives to Node.
 */
export async function startService(
  variables: Record<string, string> = {},
  {
    folder = HERE,
    nodeFlags = nodeFlagsOf(folder),
  }: { folder?: string; nodeFlags?: string[] } = {},
): Promise<BenchService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'purser-bench-'))
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    PURSER_DATA_DIR: dataDir,
    PURSER_LOG_LEVEL: 'info',
    PURSER_DRAIN_SECONDS: '0',
    ...variables,
  }
  const child = spawn(process.execPath, [...nodeFlags, join(folder, MAIN), 'start'], {
    cwd: dataDir,
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  const devFile = join(dataDir, 'dev.json')
  await untilReady(child, devFile)
  const dev = JSON.parse(readFileSync(devFile, 'utf8'))
  const { api_key: apiKey, wallet_address: wallet } = dev.demo
  return {
    port,
    pid: child.pid as number,
    apiKey,
    wallet,
    databaseUrl: dev.database_url,
    env,
    ask: (method, path, body) => ask({ port, apiKey, method, path, body }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      process.off('exit', end)
      end()
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The service writes the file in one piece once everything listens. */
async function untilReady(child: ChildProcess, devFile: string): Promise<void> {
  const until = performance.now() + READY_MS
  while (!existsSync(devFile)) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    if (performance.now() > until) throw new Error('the service was not ready in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function ask<T>(of: {
  port: number
  apiKey: string
  method: string
  path: string
  body?: unknown
}): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${of.port}${of.path}`, {
    method: of.method,
    headers: {
      authorization: `Bearer ${of.apiKey}`,
      ...(of.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(of.body === undefined ? {} : { body: JSON.stringify(of.body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${of.method} ${of.path}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}
