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

/** The scenarios that a revision of MCP requires of servers. */
const required = async (revision: string): Promise<string[]> => {
  const [ofServers = ''] = (await run('list', '--requirements', revision)).split(/^Client /m)
  return [...ofServers.matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name)
}

/**
 * How each scenario of a revision ends. The set is written for an example server: it passes, or asks for a tool, a resource or a
 * capability that a wallet does not have. Any other failure is a fault.
 */
const ENDS = {
  '2025-11-25': {
    passed: [
      'dns-rebinding-protection',
      'ping',
      'resources-list',
      'server-initialize',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    undeclared: [
      'completion-complete',
      'logging-set-level',
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
      'prompts-list',
      'resources-subscribe',
      'resources-unsubscribe',
      'tools-call-with-logging',
    ],
    resource: ['resources-read-binary', 'resources-read-text', 'resources-templates-read'],
    tool: [
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'tools-call-audio',
      'tools-call-elicitation',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-sampling',
      'tools-call-simple-text',
      'tools-call-with-progress',
    ],
  },
  '2026-07-28': {
    passed: [
      'dns-rebinding-protection',
      'input-required-result-ignore-extra-params',
      'input-required-result-missing-input-response',
      'input-required-result-unsupported-methods',
      'input-required-result-validate-input',
      'resources-list',
      'sep-2164-resource-not-found',
      'server-sse-multiple-streams',
      'tools-list',
    ],
    undeclared: [
      'caching',
      'completion-complete',
      'input-required-result-non-tool-request',
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
      'prompts-list',
    ],
    resource: ['resources-read-binary', 'resources-read-text', 'resources-templates-read'],
    tool: [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-multi-round',
      'input-required-result-multiple-input-requests',
      'input-required-result-request-state',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'server-stateless',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
    ],
  },
} as const

/** The failures that say that this server is not the set's own example. */
const NOT_OURS = {
  // A wallet declares no prompts, completions, log levels and subscriptions.
  undeclared: /Method not found$/,
  resource: /^Failed: Resource not found: test:/,
  tool: /\bTool '?(test_\w+|json_schema_2020_12_tool)'? not found$|^Not testable: server does not list the diagnostic tool '|^Prerequisite failed: could not get initial InputRequiredResult|^Expected InputRequiredResult/,
}

/** The end of a scenario, from what the program printed of it. Without a result, or with another failure, it is all that was printed. */
function endOf(said: string): string {
  const [, failed] = /Passed: \d+\/\d+, (\d+) failed/.exec(said) ?? []
  const errors = [...said.matchAll(/^ {4}Error: (.*?)(?:\. Available tools: .*)?$/gm)].map(
    ([, error = '']) => error,
  )
  if (failed !== String(errors.length)) return said
  if (errors.length === 0) return 'passed'
  const known = Object.entries(NOT_OURS).find(([, form]) => errors.every((one) => form.test(one)))
  return known?.[0] ?? said
}

test.each(Object.entries(ENDS))(
  'the official conformance set of MCP %s finds no fault but tools and capabilities that are the set’s own',
  async (revision, expected) => {
    await using w = await world()
    const { key, card } = await agentOf(w)
    using proxy = await openProxy(await w.listen(), {
      authorization: `Bearer ${key}`,
      'purser-card-token': card.token,
    })
    const names = await required(revision)
    const ends = { passed: [], undeclared: [], resource: [], tool: [] } as Record<string, string[]>
    const at = ['--url', proxy.url, '--spec-version', revision]
    // Each is a program of its own, and asks the same service.
    await Promise.all(
      Array.from({ length: 2 }, async () => {
        for (let name = names.pop(); name; name = names.pop()) {
          const end = endOf(await run('server', ...at, '--scenario', name))
          ends[end] = [...(ends[end] ?? []), name].toSorted()
        }
      }),
    )
    expect(ends).toEqual(expected)
  },
)
