import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createPurser } from '../src/purser.ts'

const run = promisify(execFile)
const SILENT = fileURLToPath(new URL('./silent-server.ts', import.meta.url))
/** The calls end after 0.6 s. Where their end is lost they take 90 s, or go on for ever. */
const IN_TIME_MS = 20_000

type Ended = Record<string, { code: string; afterMs: number }>

test.concurrent.each([
  ['head', 'time'],
  ['body', 'time'],
  ['head', 'signal'],
  ['body', 'signal'],
])('a server silent in its %s is left by %s while memory is collected', async (half, ender) => {
  const { stdout } = await run(process.execPath, ['--expose-gc', SILENT, half, ender], {
    timeout: IN_TIME_MS * 2,
  })
  const ended = JSON.parse(stdout) as Ended
  expect(Object.keys(ended).length).toBeGreaterThanOrEqual(15)
  for (const [name, { code, afterMs }] of Object.entries(ended)) {
    expect(code, name).toBe(codeOf(name, ender))
    expect(afterMs, name).toBeLessThan(IN_TIME_MS)
  }
})

function codeOf(name: string, ender: string): string {
  if (name === 'followEvents') return 'ended'
  if (ender === 'signal') return 'aborted'
  return name === 'settlement' ? 'settlement_pending' : 'timed_out'
}

test('a thousand calls leave no listener on the signal that they share, and no timer', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"balances":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const purser = createPurser({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  const timersBefore = timers()
  const { signal } = new AbortController()
  let listeners = 0
  let mostListeners = 0
  const { addEventListener: add, removeEventListener: remove } = signal
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    mostListeners = Math.max(mostListeners, ++listeners)
    add.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--
    remove.apply(signal, args)
  }
  for (let batch = 0; batch < 50; batch++)
    await Promise.all(Array.from({ length: 20 }, () => purser.GET('/api/balance', { signal })))
  expect(mostListeners).toBe(20)
  expect(listeners).toBe(0)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  // The calls' own limits are 90 s, and would still be there.
  expect(timers()).toBeLessThan(timersBefore + 20)
})

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
