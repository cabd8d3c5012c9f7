import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { agentOf } from '../packages/mcp/test/clients.ts'
import { world } from '../packages/service/test/world.ts'

const PROGRAM = fileURLToPath(
  new URL('../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

/** Passes requests on with a credential, which the conformance program cannot send. Everything else stays as it came. */
async function openProxy(baseUrl: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(baseUrl)
  const server = createServer((asked, answer) => {
    const { method, url } = asked
    const passed = request(
      { hostname, port, method, path: url, headers: { ...asked.headers, ...headers } },
      (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
      },
    )
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    [Symbol.dispose]: () => server.close(),
  }
}

const run = (...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], (_, stdout, stderr) => resolve(stdout + stderr))
  })

const scenarios = async (): Promise<string[]> =>
  [...(await run('list', '--server')).matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name)

/** Failures that only say that this server is not the set's own example: without its tools, or a capability that it declares. */
const FOREIGN = /Tool test_\w+ not found|Resource not found: test:|-32601: Method not found/
/** Its tool, `json_schema_2020_12_tool`, is looked for in the list of tools. */
const OWN_TOOL = ['json-schema-2020-12']
const ASKED_OF_ALL = [
  'dns-rebinding-protection',
  'ping',
  'resources-list',
  'server-initialize',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'tools-list',
]

test('the official conformance set of MCP finds no fault but tools and capabilities that are the set’s own', async () => {
  await using w = await world()
  const { key, card } = await agentOf(w)
  using proxy = await openProxy(await w.listen(), {
    authorization: `Bearer ${key}`,
    'purser-card-token': card.token,
  })
  const names = await scenarios()
  expect(names).toEqual(expect.arrayContaining(ASKED_OF_ALL))
  const passed: string[] = []
  const faults: string[] = []
  // Each is a program of its own, and asks the same service.
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      for (let name = names.pop(); name; name = names.pop()) {
        const said = await run('server', '--url', proxy.url, '--scenario', name)
        const [, failed] = /Passed: \d+\/\d+, (\d+) failed/.exec(said) ?? []
        if (failed === '0') passed.push(name)
        else if (!FOREIGN.test(said) && !OWN_TOOL.includes(name)) faults.push(`${name}: ${said}`)
      }
    }),
  )
  expect(faults).toEqual([])
  expect(passed.toSorted()).toEqual(ASKED_OF_ALL)
})
