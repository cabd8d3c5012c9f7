// Chooses the examples of the OpenAPI document from what the tests recorded:
//   RECORD_EXAMPLES=/tmp/calls.jsonl npx vitest run packages/service && node packages/service/test/run/choose-examples.ts /tmp/calls.jsonl
// Then `npm run format` and `npm run gen`. An operation of which nothing was recorded keeps the examples that it has.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { getAddress } from 'viem'
import { openApiDocument } from '../../src/api/http/openapi/document.ts'
import {
  addExamples,
  type Example,
  type Examples,
  recordedExamples,
} from '../../src/api/http/openapi/examples.ts'
import { operationsOf, resolve } from '../../src/api/http/openapi/read.ts'
import type { OpenApiResponse } from '../../src/api/http/openapi/shape.ts'
import { routes } from '../../src/run/app.ts'
import { addPages } from '../../src/run/status/pages/pages.ts'
import type { Exchange } from '../world/record-exchange.ts'

const target = new URL('../../src/api/http/examples.json', import.meta.url)
const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file that RECORD_EXAMPLES named.')

const document = openApiDocument(routes, { version: '0' })
addPages(document)
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
ajv.addSchema(document, 'document')
const operations = operationsOf(document)
  .map(({ method, path, operation }) => ({
    ...{ path, method, operation },
    pattern: new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`),
  }))
  // `GET /api/keys/generate` belongs to that path, not to `/api/keys/{hash}`.
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

/** Common refusals. An operation's own refusal is a better example. */
const COMMON = new Set(['not_found', 'invalid_field', 'invalid_request', 'unauthorized'])
/** A finished resource is a poor first example. */
const ENDED =
  /REVOKED|CLOSED|EXPIRED|FAILED|(revoked|cancelled)_at":"|isValid":false|(secret|drop)"/

const calls = (await readFile(file, 'utf8'))
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Exchange)
const byOperation = new Map<string, Exchange[]>()
for (const call of calls) {
  const found = operations.find(({ pattern }) => pattern.test(`${call.method} ${call.path}`))
  if (!found) continue
  const { operationId } = found.operation
  byOperation.set(operationId, [...(byOperation.get(operationId) ?? []), call])
}

const examples: Examples = recordedExamples()
for (const { path, method, operation } of operations) {
  const seen = byOperation.get(operation.operationId) ?? []
  const { operationId } = operation
  const own =
    routes.find((route) => route.path === path && route.method.toLowerCase() === method)?.errors ??
    []
  const sound = seen.filter((call) => isTelling(call) && fits(path, method, call))
  const successes = sound.filter(({ status }) => status < 300)
  const refusals = sound.filter(({ status }) => status >= 400 && status < 500)
  const ofItsOwn = refusals.filter(({ response }) =>
    own.includes((response as Refusal).code as never),
  )
  const telling = ofItsOwn.filter(({ response }) => !COMMON.has((response as Refusal).code))
  const refusal =
    richest(sound.filter(({ status }) => status === 402)) ??
    first(telling.filter(({ status }) => status > 400)) ??
    first(telling) ??
    first(ofItsOwn) ??
    first(refusals)
  const exampleOf = (call: Exchange | undefined): Example[] =>
    call ? [lookAlike(exampleFrom(call, operation.requestBody !== undefined))] : []
  // Some tests alone record less than all: a success that is there stays.
  const before = examples[operationId]?.find(({ status }) => status < 300)
  const kept = successes.length === 0 && before ? [before] : []
  const chosen = [...kept, ...exampleOf(richest(successes)), ...exampleOf(refusal)]
  if (chosen.length > 0) examples[operationId] = chosen
}
const sorted = shownOf(
  Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1))),
)
await writeFile(target, `${JSON.stringify(sorted, null, 2)}\n`)
const all = operations.map(({ operation }) => operation.operationId)
const without = all.filter((id) => !sorted[id]?.some(({ status }) => status < 300))
console.log(
  `${all.length - without.length} of ${all.length} operations have an example of a success.`,
)
if (without.length > 0) console.log(`Without: ${without.join(', ')}`)

type Refusal = { code: string }

/** Without the refusals that the document does not show, because another operation shows the same one. */
function shownOf(all: Examples): Examples {
  addExamples(document, all)
  const text = JSON.stringify(document)
  const isShown = ({ status, response }: Example) =>
    status < 300 || text.includes(JSON.stringify(response))
  return Object.fromEntries(
    Object.entries(all)
      .map(([id, list]) => [id, list.filter(isShown)] as const)
      .filter(([, list]) => list.length > 0),
  )
}

function exampleFrom(
  { request, status, response, paidBy, type }: Exchange,
  takesBody: boolean,
): Example {
  return {
    status,
    ...(takesBody && status < 300 && request !== undefined ? { request } : {}),
    ...(paidBy && status < 300 ? { paidBy } : {}),
    ...(type ? { type } : {}),
    response,
  }
}

/** Whether an exchange is instructive: the tests' junk is not. */
function isTelling({ request, response }: Exchange): boolean {
  if (typeof request === 'string') return false
  const text = JSON.stringify([request ?? null, response])
  return !/(.)\1{45}|drop table|no_such|"junk"|\\u0000|[^\x20-\x7e…]/.test(
    text.replace(/0x0+/g, ''),
  )
}

/** Whether request and response fit the document. */
function fits(path: string, method: string, call: Exchange): boolean {
  const { request, status, response, type = 'application/json' } = call
  const at = `document#/paths/${escaped(path)}/${method}`
  const { responses, requestBody } = document.paths[path]![method]!
  const key = responses[status] ? status : 'default'
  const answered = responses[key]
  if (!answered) return false
  const place = '$ref' in answered ? `document${answered.$ref}` : `${at}/responses/${key}`
  const { content } = resolve<OpenApiResponse>(document, answered)
  if (!content?.[type]) return false
  if (!check(`${place}/content/${type.replaceAll('/', '~1')}/schema`, response)) return false
  if (!requestBody || status >= 300) return true
  // No body at all is right where the schema takes null.
  return check(`${at}/requestBody/content/application~1json/schema`, request ?? null)
}
function escaped(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}
function check($ref: string, value: unknown): boolean {
  const validate = ajv.getSchema($ref)
  if (!validate) throw new Error(`the document has no ${$ref}`)
  return validate(value) as boolean
}

/** The most instructive response: the most non-empty members in the fewest characters. */
function richest(calls: Exchange[]): Exchange | undefined {
  const score = ({ request, response }: Exchange): number => {
    const members = new Set<string>()
    collect([request, response], '', members)
    const text = JSON.stringify([request, response])
    return members.size - text.length / 400 - (ENDED.test(text) ? 8 : 0)
  }
  return calls.toSorted((a, b) => score(b) - score(a))[0]
}
function first(calls: Exchange[]): Exchange | undefined {
  return calls.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0]
}

function collect(value: unknown, at: string, members: Set<string>): void {
  if (value === null || value === undefined || value === '') return
  members.add(at)
  if (typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value))
    collect(inner, Array.isArray(value) ? at : `${at}/${key}`, members)
}

/** The example with fixed values for ids, secrets, hashes, signatures and times, so that no secret is published. */
function lookAlike<T>(example: T): T {
  const given = new Map<string, string>()
  const stand = (kind: string, original: string, make: (seed: string) => string): string => {
    const key = `${kind} ${original.toLowerCase()}`
    if (!given.has(key)) given.set(key, make(`${kind} ${given.size + 1}`))
    return given.get(key)!
  }
  const text = (value: string): string =>
    value
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (_, fraction) =>
        fraction ? '2026-07-16T09:30:00.000Z' : '2026-07-16T09:30:00Z',
      )
      .replace(/\b1[78]\d{8}\b/g, '1784194200')
      .replace(/…[0-9A-Za-z_-]{4}\b/g, '…x4Rq')
      .replace(/0\.0\.0-test/g, '0.1.0')
      .replace(/http:\/\/(127\.0\.0\.1|localhost):(?!4021)\d+/g, 'https://api.example.com')
      .replace(/http:\/\/127\.0\.0\.1:4021/g, 'https://purser.example.com')
      .replace(/127\.0\.0\.1(:\d+)?/g, 'purser.example.com')
      .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/g, 'Thu, 16 Jul 2026 09:30:00 GMT')
      .replace(/<svg .*<\/svg>\s*/s, '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
      .replace(/\b0x[0-9a-fA-F]{64,}\b/g, (hex) =>
        stand('hash', hex, (seed) => `0x${digest(seed, 'hex', hex.length - 2)}`),
      )
      .replace(/\b0x[0-9a-fA-F]{40}\b/g, (address) => {
        const made = stand('address', address, (seed) => getAddress(`0x${digest(seed, 'hex', 40)}`))
        return address === address.toLowerCase() ? made.toLowerCase() : made
      })
      .replace(/\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, prefix: string) =>
        stand('id', id, (seed) => `${prefix}_01jz9q4m7k${digest(seed, 'hex', 16)}`),
      )
      .replace(/\bPL_[0-9A-Z]{10}\b/g, (code) =>
        stand('code', code, (seed) => `PL_${digest(seed, 'hex', 10).toUpperCase()}`),
      )
      .replace(/(?<![0-9A-Za-z_/-])[0-9a-f]{64}(?![0-9A-Za-z_-])/g, (hex) =>
        stand('digest', hex, (seed) => digest(seed, 'hex', 64)),
      )
      .replace(
        /(?<![0-9A-Za-z_/-])(?!0x)([a-z]{3,}_(?:test_|live_)?)?([0-9A-Za-z_-]{32,}={0,2})(?![0-9A-Za-z_])/g,
        (all, prefix: string | undefined, rest: string) =>
          /\d/.test(rest) && !/^[0-9a-f]{64}$/.test(rest) && !/^01jz9q4m7k/.test(rest)
            ? stand(
                'text',
                all,
                (seed) =>
                  (prefix ?? '') +
                  (rest.startsWith('eyJ') ? 'eyJ' : '') +
                  digest(seed, 'base64url', rest.length - (rest.startsWith('eyJ') ? 3 : 0)),
              )
            : all,
      )
      // The beginning of a long token says as much as the whole.
      .replace(/(?<![0-9A-Za-z_-])(?!0x)[0-9A-Za-z_-]{80,}={0,2}/g, (all) => `${all.slice(0, 24)}…`)
      .replace(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        '6f1e2d3c-4b5a-4978-8a6b-5c4d3e2f1a0b',
      )
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return value > 1.7e9 && value < 1.9e9 ? 1_784_194_200 : value
    // One object of a list shows what the others are like.
    if (Array.isArray(value)) return (value.every(isObject) ? value.slice(0, 1) : value).map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]))
  }
  return walk(example) as T
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function digest(seed: string, encoding: 'hex' | 'base64url', length: number): string {
  let made = ''
  for (let i = 0; made.length < length; i++)
    made += createHash('sha256').update(`example ${seed} ${i}`).digest(encoding)
  return made.slice(0, length)
}
