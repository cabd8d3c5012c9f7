import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { laneOf } from '../packages/sdk/src/lane.ts'
import { freePort } from '../packages/service/src/run/embedded/child.ts'
import { until } from '../packages/service/test/until.ts'
import { fill } from './cluster.ts'
import { install } from './packages.ts'
import { cleanUp, launch } from './programs.ts'

afterAll(cleanUp)

const NAMES = ['one', 'two', 'three']

/** A server whose answer is its name, given once nobody holds it back. */
async function openMachine(name: string, stack: AsyncDisposableStack) {
  const held: (() => void)[] = []
  const state = { holds: false }
  const server = createServer((request, response) => {
    const answer = () => response.end(name)
    if (state.holds && request.url === '/') held.push(answer)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { state, held, line: `  server ${name} 127.0.0.1:${port} check` }
}

/** The proxy of `deploy/`, changed by the test, before three machines that are ready. */
async function openProxy(
  stack: AsyncDisposableStack,
  change: (config: string) => string = (config) => config,
) {
  install(() => undefined)
  const machines = await Promise.all(NAMES.map((name) => openMachine(name, stack)))
  const at = `127.0.0.1:${await freePort()}`
  const given = {
    database: `127.0.0.1:${await freePort()}`,
    machines: at,
    members: '',
    ports: machines.map(({ line }) => line).join('\n'),
  }
  const folder = mkdtempSync(join(tmpdir(), 'purser-lanes-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, change(fill('haproxy.cfg', given)))
  launch('/usr/sbin/haproxy', ['-db', '-f', file], { log: join(folder, 'log') })
  const ask = async (lane?: string) => {
    const headers = lane === undefined ? {} : { 'x-purser-lane': lane }
    return (await fetch(`http://${at}/`, { headers })).text()
  }
  return { machines, ask, asks: (lanes: (string | undefined)[]) => Promise.all(lanes.map(ask)) }
}

test('haproxy leads requests of one lane to one machine, and those without a lane to all', async () => {
  await using stack = new AsyncDisposableStack()
  const { asks } = await openProxy(stack)
  await until(
    () => asks(Array.from({ length: 9 }, () => undefined)).catch(() => []),
    (seen) => expect(new Set(seen)).toEqual(new Set(NAMES)),
  )
  const lanes = Array.from({ length: 60 }, (_, i) => laneOf({ card_token: `tok_${i}` }))
  const first = await asks(lanes)
  expect(new Set(first)).toEqual(new Set(NAMES))
  expect(await asks(lanes)).toEqual(first)
})

test('with balance first a machine gets only what the one before has no room for', async () => {
  await using stack = new AsyncDisposableStack()
  const { machines, ask } = await openProxy(stack, (config) =>
    config
      .replace(/balance hdr.*\n.*hash-type consistent/, 'balance first')
      .replace(/(server \w+ \S+ check)/g, '$1 maxconn 2'),
  )
  await until(
    () => ask().catch(() => ''),
    (seen) => expect(seen).toBe('one'),
  )
  for (const { state } of machines) state.holds = true
  const asked: Promise<string>[] = []
  for (const n of [1, 2, 3, 4, 5]) {
    asked.push(ask())
    await until(
      () => machines.reduce((sum, { held }) => sum + held.length, 0),
      (waiting) => expect(waiting).toBe(n),
    )
  }
  expect(machines.map(({ held }) => held.length)).toEqual([2, 2, 1])
  for (const { held } of machines) for (const answer of held) answer()
  expect(await Promise.all(asked)).toEqual(['one', 'one', 'two', 'two', 'three'])
})
