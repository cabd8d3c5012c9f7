/** A client that has the text of /llms-full.txt, an API key and nothing else: it follows the start, and is paid for its trouble. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopPrograms } from '../actors/program.ts'
import { openPlace, ROOT } from '../pages/pages.ts'

const run = promisify(execFile)
let env: NodeJS.ProcessEnv
let folder: string
/** All that the client knows. */
let text: string
let baseUrl: string
let key: string

beforeAll(async () => {
  env = await openPlace()
  const dev = JSON.parse(await readFile(join(env.PURSER_DATA_DIR!, 'dev.json'), 'utf8'))
  key = dev.demo.api_key
  text = await (await fetch(`${dev.base_url}/llms-full.txt`)).text()
  baseUrl = /^Base URL: (\S+)$/m.exec(text)?.[1] ?? ''
  folder = await mkdtemp(join(tmpdir(), 'client-'))
  // The packages that the text asks for.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await stopPrograms()
})

/** The fenced blocks of a kind below a heading: to the end of its page, or up to the next one of its level. */
function blocksBelow(heading: string, kind: string): string[] {
  const level = heading.indexOf(' ')
  const [, after = ''] = text.split(`\n${heading}\n`)
  const [page = ''] = after.split('\n---\n\n# ')
  const [section = ''] = level === 1 ? [page] : page.split(new RegExp(`^#{1,${level}} `, 'm'))
  return [...section.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
}

test('in TypeScript: a paid call, a sold API, a subscription and a webhook', async () => {
  const [printed = ''] = blocksBelow('## In TypeScript', 'text')
  expect(printed).toMatch(/^paid .*\nsold .*\nsubscribed .*\nheard .*\n$/)
  await writeFile(join(folder, 'start.ts'), blocksBelow('## In TypeScript', 'ts').join('\n'))
  const { stdout } = await run(process.execPath, ['start.ts'], {
    cwd: folder,
    env: { ...env, PURSER_BASE_URL: baseUrl, PURSER_API_KEY: key },
  })
  expect(stdout).toBe(printed)

  const asked = await fetch(`${baseUrl}/api/billing/agreements?role=merchant`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { agreements } = (await asked.json()) as { agreements: { status: string }[] }
  expect(agreements.map(({ status }) => status)).toEqual(['ACTIVE'])
})

test('by curl: a paid call, a link that was paid, and a webhook', async () => {
  const [functions = ''] = blocksBelow('# The functions of the shell', 'bash')
  await mkdir(join(folder, 'docs'))
  await writeFile(join(folder, 'docs', 'shell.sh'), functions)
  const commands = blocksBelow('# Ten minutes to a paid call', 'sh')
  const { stdout } = await run('bash', ['-c', `set -euo pipefail\n${commands.join('\n')}`], {
    cwd: folder,
    env,
  })
  expect(stdout).toBe('{"status":"ok"}paid\n0.1\nCOMPLETED\n0.0995\n{"success":true}')
})

test('each page of an operation has the call that the text has, and each guide is in it as it is alone', async () => {
  for (const page of [
    'start',
    'limits',
    'webhooks',
    'errors',
    'reference/postPay',
    'reference/getBalance',
  ]) {
    const alone = await (await fetch(`${baseUrl}/docs/${page}.md`)).text()
    expect(alone).toMatch(/^# \S/)
    expect(text).toContain(alone)
  }
})
