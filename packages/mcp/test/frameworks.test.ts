/** The programs of `docs/mcp.md` for frameworks of agents, each with a model that is a script. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mppShop } from '../../service/test/actors/mpp-payers.ts'
import { type World, world } from '../../service/test/world.ts'

const exec = promisify(execFile)
const ROOT = new URL('../../../', import.meta.url)
const TSC = fileURLToPath(new URL('node_modules/tsc/bin/tsc', ROOT))

const VERSIONS: Record<string, string> = {
  ai: '7.0.173',
  '@ai-sdk/mcp': '2.0.99',
  '@openai/agents': '0.20.0',
  zod: '4.6.7',
  langchain: '1.5.14',
  '@langchain/core': '1.4.0',
  '@langchain/mcp-adapters': '1.1.4',
  '@mastra/core': '1.71.0',
  '@mastra/mcp': '2.0.0',
  '@anthropic-ai/claude-agent-sdk': '0.3.332',
}
const GUIDE = readFileSync(new URL('docs/mcp.md', ROOT), 'utf8')
/** Each program by the first package that its reader installs. */
const PROGRAMS = new Map(
  [...GUIDE.matchAll(/^`npm install (.+)`\n\n```ts\n([\s\S]*?)^```$/gm)].map(
    ([, names = '', program = '']) => {
      for (const name of names.split(' ')) expect(VERSIONS).toHaveProperty([name])
      return [names.split(' ')[0] ?? '', program]
    },
  ),
)

/** Asks for `ORDER` from the tool that pays, then repeats its answer. */
const model = (version: string) => `
import { MockLanguageModel${version} } from 'ai/test'
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const model = new MockLanguageModel${version}({
  async doGenerate({ prompt, tools }) {
    const { role, content } = prompt.at(-1)
    const { name } = tools.find(({ name }) => name.endsWith('pay'))
    const call = { type: 'tool-call', toolCallId: '1', toolName: name, input: process.env.ORDER }
    const text = { type: 'text', text: JSON.stringify(content) }
    const isLast = role === 'tool'
    const finishReason = { unified: isLast ? 'stop' : 'tool-calls' }
    return { content: [isLast ? text : call], finishReason, usage, warnings: [] }
  },
})
`
const MODELS: Record<string, string> = {
  ai: model('V4'),
  '@mastra/core': model('V3'),
  langchain: `
import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'
const model = fakeModel()
  .respondWithTools([{ name: 'pay', args: JSON.parse(process.env.ORDER) }])
  .respond((messages) => new AIMessage(JSON.stringify(messages.at(-1).content)))
`,
  '@openai/agents': `
import { Usage } from '@openai/agents'
const model = {
  async getResponse({ input, tools }) {
    const last = input.at(-1)
    const { name } = tools.find(({ name }) => name.endsWith('pay'))
    const call = { type: 'function_call', callId: '1', name, arguments: process.env.ORDER }
    const content = [{ type: 'output_text', text: JSON.stringify(last.output) }]
    const text = { type: 'message', role: 'assistant', content }
    const isLast = last.type === 'function_call_result'
    return { usage: new Usage(), output: [{ ...(isLast ? text : call), status: 'completed' }] }
  },
}
`,
}

let w: World
let shop: Awaited<ReturnType<typeof mppShop>>
let folder: string
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  w = stack.use(await world())
  shop = await mppShop(w, { link_type: 'RECURRING' })
  folder = await mkdtemp(join(tmpdir(), 'purser-frameworks-'))
  stack.defer(() => rm(folder, { recursive: true }))
  await exec('npm', ['init', '-y'], { cwd: folder })
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
  // Claude's own program is optional, and larger than all the rest.
  const small = ['--omit=optional', '--ignore-scripts']
  const names = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`)
  await exec('npm', ['install', ...quiet, ...small, ...names], { cwd: folder })
})
afterAll(() => stack.disposeAsync())

test.each(Object.keys(MODELS))('an agent of %s pays with its card', async (name) => {
  const program = PROGRAMS.get(name) ?? ''
  const file = `${name.replaceAll(/\W/g, '-')}.mjs`
  const given = `${MODELS[name]}\nconst prompt = 'Buy the report.'\n`
  const here = program.replace('http://127.0.0.1:4021', shop.base)
  expect(here).not.toBe(program)
  await writeFile(join(folder, file), `${given}${here}\nconsole.log(text)`)
  const order = { url: shop.url, method: 'GET', max_amount: '0.60', intent_id: name }
  const env = {
    PATH: process.env.PATH,
    PURSER_CARD_TOKEN: shop.card.token,
    ORDER: JSON.stringify(order),
    ...{ OPENAI_AGENTS_DISABLE_TRACING: '1', MASTRA_TELEMETRY_DISABLED: '1' },
  }
  const before = await shop.received()
  const { stdout } = await exec(process.execPath, [join(folder, file)], { cwd: folder, env })
  expect(stdout).toMatch(/Paid 0\.5 USDC by mpp.*The seller served\./)
  expect((await shop.received()) - before).toBeCloseTo(0.4975, 6)
})

test('the programs of the guide hold by the types of the frameworks', async () => {
  expect([...PROGRAMS.keys()].toSorted()).toEqual(
    [...Object.keys(MODELS), '@anthropic-ai/claude-agent-sdk'].toSorted(),
  )
  const declared = 'declare const model: any\ndeclare const prompt: string\n'
  for (const [name, program] of PROGRAMS)
    await writeFile(join(folder, `${name.replaceAll(/\W/g, '-')}.mts`), declared + program)
  const types = join(fileURLToPath(ROOT), 'node_modules', '@types')
  const form = { module: 'nodenext', target: 'es2024', types: ['node'], typeRoots: [types] }
  const compilerOptions = { ...form, strict: true, noEmit: true, skipLibCheck: true }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.mts'] }),
  )
  const { stdout } = await exec(process.execPath, [TSC], { cwd: folder }).catch((error) => error)
  expect(stdout).toBe('')
})
