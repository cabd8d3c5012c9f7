import { readFile } from 'node:fs/promises'
import type { Examples } from '../../service/src/api/http/openapi/examples.ts'
import {
  codesIn,
  isPublic,
  nameOf,
  operationsOf,
  parametersOf,
  responseAt,
} from '../../service/src/api/http/openapi/read.ts'
import type { OpenApiDocument, Operation } from '../../service/src/api/http/openapi/shape.ts'
import type { Meaning } from './errors.ts'
import { cell, fieldTable, plain, tableOf, typeName } from './fields.ts'
import { REPOSITORY } from './places.ts'
import { type Call, curlOf, pythonOf, typescriptOf } from './snippets.ts'

type Placed = { method: string; path: string; operation: Operation }
export type Reference = {
  document: OpenApiDocument
  examples: Examples
  meanings: ReadonlyMap<string, Meaning>
}

export async function readReference(meanings: Reference['meanings']): Promise<Reference> {
  const read = async (path: string) => JSON.parse(await readFile(REPOSITORY + path, 'utf8'))
  const document = await read('openapi.json')
  return { document, meanings, examples: await read('packages/service/src/api/http/examples.json') }
}

export type Group = { name: string; operations: Placed[] }

/** The operations by area, in the order of the document. */
export const groupsOf = (document: OpenApiDocument): Group[] =>
  document.tags.map(({ name }) => ({
    name,
    operations: operationsOf(document).filter(({ operation }) => operation.tags.includes(name)),
  }))

/** The page of each operation, by its file. */
export function operationPages(reference: Reference): Map<string, string> {
  const common = commonCodes(reference.document)
  return new Map(
    operationsOf(reference.document).map((placed) => [
      `reference/${placed.operation.operationId}.md`,
      operationPage(reference, placed, common),
    ]),
  )
}

/** The page that lists all of them. */
export function indexPage({ document }: Reference): string {
  const groups = groupsOf(document).map(({ name, operations }) => {
    const rows = operations.map(
      (placed) =>
        `| [${cell(placed.operation.summary)}](/reference/${placed.operation.operationId}.md) | \`${nameOf(placed)}\` | ${accessOf(placed.operation)} |`,
    )
    return `## ${name}\n\n| Operation | Call | Credential |\n|---|---|---|\n${rows.join('\n')}`
  })
  return `# Reference

${plain(document.info.description)}

Each page below has the fields, an exchange that was recorded from the service, and the errors of one operation. The same as one document: [openapi.json](/../openapi.json). [Errors](/errors.md) says of every code what causes it and what mends it. To try calls from the browser, open the <a href="/docs/reference/explorer" target="_self">explorer</a>.

The examples read \`PURSER_BASE_URL\`, the address of the service, and \`PURSER_API_KEY\` from the environment.

${groups.join('\n\n')}
`
}

function operationPage(reference: Reference, placed: Placed, common: ReadonlySet<string>): string {
  const { document, examples } = reference
  const { operation } = placed
  const recorded = examples[operation.operationId] ?? []
  const success = recorded.find(({ status }) => status < 300)
  const refusal = recorded.find(({ status }) => status >= 400)
  const body = operation.requestBody?.content['application/json']?.schema
  const answer = responseAt(document, operation, 200)?.content?.['application/json']?.schema
  const fields = body ? fieldTable(document, body) : ''
  const answered = answer ? fieldTable(document, answer) : ''
  const call = { document, ...placed, request: success?.request, paidBy: success?.paidBy ?? [] }
  const parts = [
    `# ${plain(operation.summary)}`,
    `\`${nameOf(placed)}\``,
    operation.description ? plain(operation.description) : '',
    `${accessOf(operation)}. Area: ${operation.tags.join(', ')}.`,
    parameterTables(document, operation),
    fields ? `## Body\n\n${fields}` : '',
    exampleOf(call),
    success ? recordedAnswer('Answer', success) : '',
    answered ? `## Fields of the answer\n\n${answered}` : '',
    errorsOf(reference, operation, common),
    refusal ? recordedAnswer(success ? 'A refusal' : 'Answer', refusal) : '',
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const accessOf = (operation: Operation): string => {
  if (isPublic(operation)) return 'Public: no key'
  const scope = operation['x-scope']
  return scope ? `A key; a restricted one with the scope \`${scope}\`` : 'A key'
}

function parameterTables(document: OpenApiDocument, operation: Operation): string {
  const parameters = parametersOf(document, operation)
  const tables = (['path', 'query', 'header'] as const).map((place) => {
    const rows = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description = '' }) => ({
        ...{ name, isRequired: required, about: description },
        type: typeName(document, schema),
      }))
    return rows.length > 0 ? `## ${TITLES[place]}\n\n${tableOf(rows)}` : ''
  })
  return tables.filter(Boolean).join('\n\n')
}
const TITLES = { path: 'Path', query: 'Query', header: 'Headers' }

function exampleOf(call: Call): string {
  const payment = call.paidBy.length > 0 ? `\n\n${PAID}` : ''
  return `## Request${payment}

::: code-group

\`\`\`sh [curl]
${curlOf(call)}
\`\`\`

\`\`\`ts [TypeScript]
${typescriptOf(call)}
\`\`\`

\`\`\`py [Python]
${pythonOf(call)}
\`\`\`

:::`
}

const LANGUAGES: Record<string, string> = { 'text/html': 'html' }
const PAID =
  'The header is the payment. [`POST /api/mpp/agentcard`](/reference/postMppAgentcard.md) makes one that a card pays, and clients of x402 and MPP make theirs of the 402 below.'

function recordedAnswer(
  title: string,
  { status, response, type }: Examples[string][number],
): string {
  const text = type ? String(response).trimEnd() : JSON.stringify(response, null, 2)
  // A text may have blocks of its own.
  const fence = text.includes('```') ? '````' : '```'
  return `## ${title}

Recorded from the service, with status ${status}; ids, secrets and times stand for others.

${fence}${type ? (LANGUAGES[type] ?? 'text') : 'json'}
${text}
${fence}`
}

/** Codes by status, as an operation answers them. */
const codesOf = (document: OpenApiDocument, operation: Operation): [string, string][] =>
  Object.keys(operation.responses).flatMap((status) => {
    const answer = responseAt(document, operation, status)
    return answer ? codesIn(answer).map((code): [string, string] => [status, code]) : []
  })

/** The codes that nearly every operation may answer: they are said once, not on each page. */
function commonCodes(document: OpenApiDocument): Set<string> {
  const all = operationsOf(document).map(({ operation }) => operation)
  const counts = new Map<string, number>()
  for (const operation of all)
    for (const [, code] of codesOf(document, operation))
      counts.set(code, (counts.get(code) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count > all.length * 0.6).map(([code]) => code))
}

function errorsOf(
  { document, meanings }: Reference,
  operation: Operation,
  common: ReadonlySet<string>,
): string {
  const codes = codesOf(document, operation)
  if (codes.length === 0) return ''
  const rows = codes
    .filter(([, code]) => !common.has(code))
    .map(([status, code]) => {
      const { cause, mend } = meanings.get(code) ?? { cause: '', mend: '' }
      return `| [\`${code}\`](/errors.md#${code}) | ${status} | ${cell(cause)} | ${cell(mend)} |`
    })
  const table =
    rows.length > 0
      ? `\n\n| Code | Status | Cause | Mend |\n|---|---|---|---|\n${rows.join('\n')}`
      : ''
  const shared = [...new Set(codes.map(([, code]) => code))]
    .filter((code) => common.has(code))
    .map((code) => `[\`${code}\`](/errors.md#${code})`)
  const also = shared.length > 0 ? `\n\nAs most operations: ${shared.join(', ')}.` : ''
  return `## Errors${table}${also}`
}
