import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generate } from 'orval'
import { expect, test } from 'vitest'

/** Clients that other people's generators make of `openapi.json`, each compiled with a program that calls the service. */
const CLIENTS: Record<string, { make(folder: string): Promise<unknown>; program: string }> = {
  'openapi-typescript': {
    make: async (folder) =>
      writeFile(join(folder, 'api.ts'), astToString(await openapiTypescript(DOCUMENT))),
    program: `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'
const client = createClient<paths>({ baseUrl: 'https://purser.example.com' })
export async function issue(): Promise<components['schemas']['Card'] | string> {
  const { data, error } = await client.POST('/api/issue', {
    body: { purpose: 'x', limit_amount: 5 },
    params: { header: { 'Idempotency-Key': 'one' } },
  })
  if (error) return retried(error.code)
  const page = await client.GET('/api/cards', { params: { query: { status: 'ACTIVE', limit: 5 } } })
  void page.data?.cards[0]?.balance.toFixed(2)
  return data.card
}
function retried(code: 'insufficient_balance' | 'rate_limited' | 'unauthorized' | string) {
  return code
}
// @ts-expect-error a purpose is a text
void client.POST('/api/issue', { body: { purpose: 5, limit_amount: 5 } })
`,
  },
  '@hey-api/openapi-ts': {
    make: (folder) =>
      createClient({
        input: DOCUMENT.pathname,
        output: folder,
        plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
        logs: { level: 'silent' },
      }),
    program: `
import { getCards, postIssue } from './sdk.gen.ts'
import type { Card, CardAnswer, GetCardsAnswer } from './types.gen.ts'
export async function issue(): Promise<Card | string> {
  const { data, error } = await postIssue({
    body: { purpose: 'x', limit_amount: 5 },
    headers: { 'Idempotency-Key': 'one' },
  })
  if (error) return error.code
  const page = await getCards({ query: { status: 'ACTIVE', limit: 5 } })
  const cards: GetCardsAnswer | undefined = page.data
  void cards?.cards[0]?.balance.toFixed(2)
  const answer: CardAnswer = data
  return answer.card
}
// @ts-expect-error a purpose is a text
void postIssue({ body: { purpose: 5, limit_amount: 5 } })
`,
  },
  orval: {
    make: (folder) =>
      generate({
        input: { target: DOCUMENT.pathname },
        output: { target: join(folder, 'api.ts'), client: 'fetch', mode: 'split' },
      }),
    program: `
import { getCards, postIssue } from './api.ts'
import type { Card, CardAnswer, GetCardsAnswer } from './api.schemas.ts'
export async function issue(): Promise<Card | string> {
  const answer = await postIssue({ purpose: 'x', limit_amount: 5 })
  if (answer.status !== 200) return answer.data.code
  const page = await getCards({ status: 'ACTIVE', limit: 5 })
  const cards: GetCardsAnswer | undefined = page.status === 200 ? page.data : undefined
  void cards?.cards[0]?.balance.toFixed(2)
  const issued: CardAnswer = answer.data
  return issued.card
}
// @ts-expect-error a purpose is a text
void postIssue({ purpose: 5, limit_amount: 5 })
`,
  },
}

const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const TYPESCRIPT = join(MODULES, 'tsc/bin/tsc')
const OPTIONS = {
  compilerOptions: {
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
    ...{ noEmit: true, strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
  },
}

test.each(Object.entries(CLIENTS))(
  'the client that %s makes of the document type-checks, and so does a program that uses it',
  async (_, { make, program }) => {
    const folder = await mkdtemp(join(tmpdir(), 'purser-client-'))
    try {
      await make(folder)
      await symlink(MODULES, join(folder, 'node_modules'))
      await writeFile(join(folder, 'program.ts'), program)
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ ...OPTIONS, include: ['./**/*.ts'] }),
      )
      expect(await typesOf(folder)).toBe('')
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

/** The compiler's complaints about the folder's files. */
const typesOf = (folder: string): Promise<string> =>
  promisify(execFile)(process.execPath, [TYPESCRIPT, '-p', folder]).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr || 'it did not run',
  )
