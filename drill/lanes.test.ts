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

/** A server whose answer is its name. */
async function openMachine(name: string, stack: AsyncDisposableStack): Promise<string> {
  const server = createServer((_, response) => response.end(name))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return `  server ${name} 127.0.0.1:${(server.address() as AddressInfo).port} check`
}

test('haproxy leads requests of one lane to one machine, and those without a lane to all', async () => {
  install(() => undefined)
  await using stack = new AsyncDisposableStack()
  const names = ['one', 'two', 'three']
  const ports = await Promise.all(names.map((name) => openMachine(name, stack)))
  const at = `127.0.0.1:${await freePort()}`
  const given = {
    database: `127.0.0.1:${await freePort()}`,
    machines: at,
    members: '',
    ports: ports.join('\n'),
  }
  const folder = mkdtempSync(join(tmpdir(), 'purser-lanes-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, fill('haproxy.cfg', given))
  launch('/usr/sbin/haproxy', ['-db', '-f', file], { log: join(folder, 'log') })
  const ask = async (lane?: string) => {
    const headers = lane === undefined ? {} : { 'x-purser-lane': lane }
    return (await fetch(`http://${at}/`, { headers })).text()
  }
  const sees = (lanes: (string | undefined)[]) => Promise.all(lanes.map(ask))
  await until(
    () => sees(Array.from({ length: 9 }, () => undefined)).catch(() => []),
    (seen) => expect(new Set(seen)).toEqual(new Set(names)),
  )
  const lanes = Array.from({ length: 60 }, (_, i) => laneOf({ card_token: `tok_${i}` }))
  const first = await sees(lanes)
  expect(new Set(first)).toEqual(new Set(names))
  expect(await sees(lanes)).toEqual(first)
})
