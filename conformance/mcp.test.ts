import { execFile } from 'node:child_process'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
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
    execFile(process.execPath, [PROGRAM, ...args], (_, stdout, stderr) =>
      resolve(stripVTControlCharacters(stdout + stderr)),
    )
  })

const scenarios = async (): Promise<string[]> =>
  [...(await run('list', '--server')).matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name)

const tool = (name: string) => `Failed: MCP error -32602: Tool ${name} not found`
const resource = (uri: string) => `Failed: MCP error -32602: Resource not found: ${uri}`
/** A wallet declares no prompts, completions, log levels and subscriptions. */
const UNDECLARED = 'Failed: MCP error -32601: Method not found'
/** Each scenario of the set and how it ends: passed, or by the one failure that says that this server is not the set's own example. */
const ENDS: Record<string, string> = {
  'completion-complete': UNDECLARED,
  'dns-rebinding-protection': 'passed',
  'elicitation-sep1034-defaults': tool('test_elicitation_sep1034_defaults'),
  'elicitation-sep1330-enums': tool('test_elicitation_sep1330_enums'),
  'json-schema-2020-12': "Tool 'json_schema_2020_12_tool' not found",
  'logging-set-level': UNDECLARED,
  ping: 'passed',
  'prompts-get-embedded-resource': UNDECLARED,
  'prompts-get-simple': UNDECLARED,
  'prompts-get-with-args': UNDECLARED,
  'prompts-get-with-image': UNDECLARED,
  'prompts-list': UNDECLARED,
  'resources-list': 'passed',
  'resources-read-binary': resource('test://static-binary'),
  'resources-read-text': resource('test://static-text'),
  'resources-subscribe': UNDECLARED,
  'resources-templates-read': resource('test://template/123/data'),
  'resources-unsubscribe': UNDECLARED,
  'server-initialize': 'passed',
  // These look at sessions and streams, which are optional, and say what they did not see as warnings.
  'server-sse-multiple-streams': 'passed',
  'server-sse-polling': 'passed',
  'tools-call-audio': tool('test_audio_content'),
  'tools-call-elicitation': tool('test_elicitation'),
  'tools-call-embedded-resource': tool('test_embedded_resource'),
  'tools-call-error': tool('test_error_handling'),
  'tools-call-image': tool('test_image_content'),
  'tools-call-mixed-content': tool('test_multiple_content_types'),
  'tools-call-sampling': tool('test_sampling'),
  'tools-call-simple-text': tool('test_simple_text'),
  // The set asks for a log level first.
  'tools-call-with-logging': UNDECLARED,
  'tools-call-with-progress': tool('test_tool_with_progress'),
  'tools-list': 'passed',
}

/** The end of a scenario, from what the program printed of it. Without a result it is all that was printed. */
function endOf(said: string): string {
  const [, failed] = /Passed: \d+\/\d+, (\d+) failed/.exec(said) ?? []
  const [error, another] = [...said.matchAll(/^ {4}Error: (.*?)(?:\. Available tools: .*)?$/gm)]
  if (failed === '0' && !error) return 'passed'
  return failed === '1' && error?.[1] && !another ? error[1] : said
}

test('the official conformance set of MCP finds no fault but tools and capabilities that are the set’s own', async () => {
  await using w = await world()
  const { key, card } = await agentOf(w)
  using proxy = await openProxy(await w.listen(), {
    authorization: `Bearer ${key}`,
    'purser-card-token': card.token,
  })
  const names = await scenarios()
  expect(names.toSorted()).toEqual(Object.keys(ENDS).toSorted())
  const ends: Record<string, string> = {}
  // Each is a program of its own, and asks the same service.
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      for (let name = names.pop(); name; name = names.pop())
        ends[name] = endOf(await run('server', '--url', proxy.url, '--scenario', name))
    }),
  )
  expect(ends).toEqual(ENDS)
})
