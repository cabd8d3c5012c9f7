import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { DemoResult } from './demo/story.ts'

const BIN = fileURLToPath(new URL('../bin/purser.js', import.meta.url))
const START_MS = 120_000
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
const PASSED_ON = { PATH, HOME, NODE_COMPILE_CACHE }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const purser = (args: string[], env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [BIN, ...args], {
    env: { ...PASSED_ON, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The whole service, as `purser start` runs it, on a folder and a port of its own. */
async function startService() {
  const folder = await mkdtemp(join(tmpdir(), 'purser-demo-'))
  const port = await freePort()
  const env = {
    PURSER_DATA_DIR: folder,
    PORT: String(port),
    PURSER_PROCESSES: '1',
    PURSER_DRAIN_SECONDS: '0',
  }
  const service = purser(['start'], env)
  const said = Promise.all([text(service.stdout!), text(service.stderr!)])
  const end = once(service, 'exit')
  const deadline = performance.now() + START_MS
  while (!(await isReady(port))) {
    if (service.exitCode !== null || performance.now() > deadline)
      throw new Error(`the service did not start: ${(await said).join('\n')}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    env,
    [Symbol.asyncDispose]: async () => {
      service.kill('SIGTERM')
      await end
      await rm(folder, { recursive: true })
    },
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

async function finish(child: ChildProcess) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { code, stdout, stderr }
}

test('the demo pays an official seller and by AP2, is paid by the official client, and every book agrees', async () => {
  await using service = await startService()

  const demo = await finish(purser(['demo', '--json'], service.env))
  const books = await finish(purser(['verify', '--json'], service.env))

  expect(demo).toMatchObject({ code: 0, stderr: '' })
  const result = JSON.parse(demo.stdout) as DemoResult
  expect(result.checks.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true])
  expect(result.transactions.map((row) => [row.direction, row.amount, row.protocol])).toEqual([
    ['received', 0.24875, 'x402'],
    ['sent', 0.4, 'ap2'],
    ['sent', 0.01005, 'x402'],
  ])
  expect(result.card.balance).toBe(4.8387)
  expect(result.treasury.before - result.treasury.after).toBe(6)
  expect(books.code).toBe(0)
}, 300_000)
