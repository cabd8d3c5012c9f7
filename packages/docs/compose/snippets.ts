import {
  isPublic,
  parametersOf,
  responseAt,
  wholeOf,
} from '../../service/src/api/http/openapi/read.ts'
import type {
  OpenApiDocument,
  Operation,
  Schema,
} from '../../service/src/api/http/openapi/shape.ts'

export type Call = {
  document: OpenApiDocument
  method: string
  path: string
  operation: Operation
  /** The body that was recorded. Undefined where the call had none. */
  request: unknown
  /** Headers by which the recorded request paid. */
  paidBy: string[]
}

/** The parameters that a call cannot do without. They stand in the examples as variables: nothing is made up for them. */
const needed = ({ document, operation }: Call, place: 'path' | 'query' | 'header'): string[] =>
  parametersOf(document, operation)
    .filter((one) => one.in === place && one.required)
    .map(({ name }) => name)

const takesKey = ({ document, operation }: Call): boolean =>
  parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key')

const shellName = (name: string): string => name.replaceAll('-', '_').toUpperCase()

export function curlOf(call: Call): string {
  const { method, path, operation, request } = call
  const search = needed(call, 'query').map((name) => `${name}=$${shellName(name)}`)
  const filled = path.replace(/\{([\w-]+)\}/g, (_, name: string) => `$${shellName(name)}`)
  const url = `$PURSER_BASE_URL${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`
  const how = isStream(call) ? '-N ' : method === 'get' ? '' : `-X ${method.toUpperCase()} `
  const lines = [`curl ${how}"${url}"`]
  if (!isPublic(operation)) lines.push('-H "Authorization: Bearer $PURSER_API_KEY"')
  for (const name of needed(call, 'header')) lines.push(`-H "${name}: $${shellName(name)}"`)
  for (const name of call.paidBy) lines.push(`-H "${name}: $PAYMENT"`)
  if (takesKey(call)) lines.push('-H "Idempotency-Key: $(uuidgen)"')
  if (request !== undefined)
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(request, null, 2).replaceAll("'", String.raw`'\''`)}'`,
    )
  return lines.join(' \\\n  ')
}

/** By the SDK: it names the key of a repetition itself. Where it has no types for a call, by the program's own `fetch`. */
export function typescriptOf(call: Call): string {
  if (isUntyped(call)) return fetchOf(call)
  const { method, path, operation } = call
  // The types ask for a body also where an empty one does.
  const request = call.request ?? (needsBody(operation) ? {} : undefined)
  const groups = (['path', 'query', 'header'] as const).flatMap((place) => {
    const names = needed(call, place)
    return names.length > 0 ? [`${place}: { ${names.map(memberOf).join(', ')} }`] : []
  })
  const options = [
    ...(groups.length > 0 ? [`params: { ${groups.join(', ')} }`] : []),
    ...paidOptions(call),
    ...(request === undefined ? [] : [`body: ${literalOf(request)}`]),
  ]
  const given =
    options.length === 0 ? '' : `, {\n${options.map((one) => indent(`${one},`)).join('\n')}\n}`
  const key = isPublic(operation) ? '' : ', apiKey: process.env.PURSER_API_KEY!'
  return `import { createPurser } from '@purser/sdk'

const purser = createPurser({ baseUrl: process.env.PURSER_BASE_URL!${key} })
const answer = await purser.${method.toUpperCase()}('${path}'${given})`
}

const paidOptions = ({ paidBy }: Call): string[] =>
  paidBy.length > 0 ? [`headers: { ${paidBy.map(paidMember).join(', ')} }`] : []

const paidMember = (name: string): string =>
  `${/^\w+$/.test(name) ? name : `'${name}'`}: process.env.PAYMENT!`

const needsBody = ({ requestBody }: Operation): boolean => requestBody?.required === true

/** Pages are no operations of the SDK, and it knows nothing of objects that another protocol describes. */
function isUntyped(call: Call): boolean {
  const { document, operation } = call
  const body = operation.requestBody?.content['application/json']?.schema
  return (
    operation.tags.includes('Pages') ||
    isStream(call) ||
    (body !== undefined && hasFreeObject(document, body))
  )
}

/** An answer without an end is read as it comes. */
const isStream = ({ document, operation }: Pick<Call, 'document' | 'operation'>): boolean =>
  responseAt(document, operation, 200)?.content?.['text/event-stream'] !== undefined

function hasFreeObject(document: OpenApiDocument, schema: Schema, depth = 0): boolean {
  const target = wholeOf(document, schema)
  const fields = Object.values((target.properties as Record<string, Schema> | undefined) ?? {})
  if (fields.length === 0)
    return target.type === 'object' && typeof target.additionalProperties !== 'object'
  return depth < 2 && fields.some((field) => hasFreeObject(document, field, depth + 1))
}

function fetchOf(call: Call): string {
  const { method, path, operation, request } = call
  const url = path.replace(/\{([\w-]+)\}/g, (_, name: string) => `\${${variableOf(name)}}`)
  const headers = [
    ...(isPublic(operation) ? [] : [`Authorization: \`Bearer \${process.env.PURSER_API_KEY}\``]),
    ...call.paidBy.map(paidMember),
    ...(request === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'get' ? [] : [`method: '${method.toUpperCase()}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(request === undefined ? [] : [`body: JSON.stringify(${literalOf(request)})`]),
  ]
  const given =
    options.length === 0 ? '' : `, {\n${options.map((one) => indent(`${one},`)).join('\n')}\n}`
  const read = isStream(call)
    ? `for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) console.log(part)`
    : 'console.log(answer.status, await answer.text())'
  return `const answer = await fetch(\`\${process.env.PURSER_BASE_URL}${url}\`${given})
${read}`
}

/** By the library that most programs have. */
export function pythonOf(call: Call): string {
  const { method, path, operation, request } = call
  const names = (place: 'query' | 'header') =>
    needed(call, place).map((name) => `"${name}": ${variableOf(name).toLowerCase()}`)
  const headers = [
    ...(isPublic(operation) ? [] : [`"Authorization": f"Bearer {os.environ['PURSER_API_KEY']}"`]),
    ...(takesKey(call) ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
    ...names('header'),
    ...call.paidBy.map((name) => `"${name}": payment`),
  ]
  const query = names('query')
  const url = path.replace(
    /\{([\w-]+)\}/g,
    (_, name: string) => `{${variableOf(name).toLowerCase()}}`,
  )
  const lines = [
    `f"{os.environ['PURSER_BASE_URL']}${url}"`,
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(query.length > 0 ? [`params={${query.join(', ')}}`] : []),
    ...(request === undefined ? [] : [`json=${pythonLiteral(request)}`]),
    ...(isStream(call) ? ['stream=True'] : []),
  ]
  const read = isStream(call)
    ? 'print(answer.status_code)\nfor line in answer.iter_lines():\n    print(line.decode())'
    : 'print(answer.status_code, answer.text)'
  return `import os${takesKey(call) ? ', uuid' : ''}
import requests

answer = requests.${method}(
${lines.map((line) => indent(`${line},`, 4)).join('\n')}
)
${read}`
}

const indent = (text: string, by = 2): string => text.replace(/^/gm, ' '.repeat(by))

const variableOf = (name: string): string => name.replaceAll('-', '_')

const memberOf = (name: string): string =>
  /^\w+$/.test(name) ? name : `'${name}': ${variableOf(name)}`

/** JSON as people write it in a program. */
const literalOf = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^( *)"(\w+)":/gm, '$1$2:')
    .replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
      text.includes("'") || text.includes('\\') ? text : `'${text.slice(1, -1)}'`,
    )

const pythonLiteral = (value: unknown): string =>
  JSON.stringify(value, null, 4).replace(
    /("(?:[^"\\]|\\.)*")|\b(true|false|null)\b/g,
    (_, text: string | undefined, word: string) =>
      text ?? { true: 'True', false: 'False', null: 'None' }[word] ?? word,
  )
