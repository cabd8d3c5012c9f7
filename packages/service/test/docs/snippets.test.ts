/** The examples of every operation in TypeScript hold by the types of the SDK, and none shows what was not recorded. */
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationPages, readReference } from '../../../docs/compose/reference.ts'
import { ROOT } from '../pages/pages.ts'
import { blockOf } from './blocks.ts'

/** Inside the repository, so that the compiler finds the packages. */
const FOLDER = join(ROOT, 'examples', `snippets-${process.pid}`)
let pages: Map<string, string>
beforeAll(async () => {
  pages = operationPages(await readReference(new Map()))
  await mkdir(FOLDER)
})
afterAll(() => rm(FOLDER, { recursive: true, force: true }))

test('each compiles, with its variables given', async () => {
  for (const [page, text] of pages) {
    const snippet = blockOf(text, 'TypeScript')
    expect(snippet, page).toMatch(/await (purser\.[A-Z]+|fetch)\(/)
    const [, given = ''] = /params: \{ (.*) \}/.exec(snippet) ?? []
    const names = [...given.matchAll(/(?<=[{,:] )(?!(?:path|query|header):)(\w+)(?=,| })/g)]
    const inUrl = [...snippet.matchAll(/\$\{(\w+)\}/g)]
    const free = [...names, ...inUrl].map(([, name]) => name)
    // The tables say what an id is, and which values a query takes.
    const declared = free.map((name) => `declare const ${name}: any\n`).join('')
    await writeFile(join(FOLDER, `${page.slice('reference/'.length, -3)}.ts`), declared + snippet)
  }
  const compiler = join(ROOT, 'node_modules/tsc/bin/tsc')
  await writeFile(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { incremental: false, noUnusedLocals: false, moduleDetection: 'force' },
      include: ['*.ts'],
    }),
  )
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', FOLDER], {
    maxBuffer: 16_000_000,
  }).catch((error) => error)
  expect(stdout).toBe('')
})

test('bodies and answers are those that were recorded', async () => {
  const { examples } = await readReference(new Map())
  for (const [page, text] of pages) {
    const recorded = examples[page.slice('reference/'.length, -3)] ?? []
    const answers = recorded.map(({ response, type }) =>
      type ? String(response).trimEnd() : response,
    )
    const shown = [...text.matchAll(/^(`{3,4})(json|text|html)\n([\s\S]*?)\n\1$/gm)]
    expect(shown.length, page).toBeGreaterThan(0)
    for (const [, , kind, one = ''] of shown)
      expect(answers).toContainEqual(kind === 'json' ? JSON.parse(one) : one)
    const [, body] = /^ {2}-d '([\s\S]*?)'$/m.exec(blockOf(text, 'curl')) ?? []
    if (body === undefined) continue
    const asked = JSON.parse(body.replaceAll(String.raw`'\''`, "'"))
    expect(recorded.map(({ request }) => request)).toContainEqual(asked)
  }
})
