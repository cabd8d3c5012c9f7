import { escapeHtml } from '../../../api/http/html.ts'
import type { Examples } from '../../../api/http/openapi/examples.ts'
import {
  codesIn,
  isPublic,
  operationsOf,
  parametersOf,
  resolve,
  responseAt,
  wholeOf,
} from '../../../api/http/openapi/read.ts'
import type { OpenApiDocument, Operation, Schema } from '../../../api/http/openapi/shape.ts'
import { curlOf, exampleOf } from './docs-example.ts'
import { DOCS_STYLE } from './docs-style.ts'

/** An import would load Node's web client at the start: 40 ms of CPU. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

type Whole = { document: OpenApiDocument; baseUrl: string; examples: Examples }
type Placed = { method: string; path: string; operation: Operation }

/** The reference for people: one page of HTML without scripts and external resources. */
export function docsPage(document: OpenApiDocument, baseUrl: string, examples: Examples): string {
  const whole = { document, baseUrl, examples }
  const operations = operationsOf(document)
  const groups = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(document.info.title)} API reference</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<nav aria-label="Operations">
<p class="brand"><a href="#main">${escapeHtml(document.info.title)}</a></p>
<ul class="top"><li><a href="#introduction">Introduction</a></li><li><a href="#errors">Errors</a></li></ul>
<input type="checkbox" id="list"><label for="list">List of operations</label>
<div class="list">
${groups.map((group) => navGroup(group.name, group.operations)).join('\n')}
</div>
</nav>
<main id="main">
${introduction(document, baseUrl)}
${groups
  .map(
    (group) =>
      `<section class="group" id="${anchor(group.name)}"><h2>${escapeHtml(group.name)}</h2>
${group.operations.map((placed) => operationSection(whole, placed)).join('\n')}</section>`,
  )
  .join('\n')}
</main>
</body>
</html>
`
}

const navGroup = (name: string, operations: Placed[]): string => `<h2><a href="#${anchor(
  name,
)}">${escapeHtml(name)}</a></h2>
<ul>${operations
  .map(
    ({ operation, method, path }) =>
      `<li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span><span>${escapeHtml(path.replace(/^\/api\//, '')).replaceAll('/', '/<wbr>')}</span></a></li>`,
  )
  .join('')}</ul>`

function introduction(document: OpenApiDocument, baseUrl: string): string {
  const paragraphs = document.info.description.split('\n\n').map((text) => `<p>${prose(text)}</p>`)
  return `<section id="introduction" class="intro"><div>
<h1>${escapeHtml(document.info.title)} API reference</h1>
<p class="meta">Version ${escapeHtml(document.info.version)} · <a href="/openapi.json">OpenAPI document</a> · <a href="/llms.txt">llms.txt</a></p>
${paragraphs.slice(0, -1).join('\n')}
<h2 id="errors">Errors</h2>
${paragraphs.slice(-1).join('')}
</div>
<div class="code"><h3>Base URL</h3><pre tabindex="0">${escapeHtml(baseUrl)}</pre>
<h3>An error</h3><pre tabindex="0">${escapeHtml(
    JSON.stringify(
      {
        error: 'The treasury balance does not cover this. Deposit, or ask for less.',
        code: 'insufficient_balance',
        request_id: 'req_01k9example0000000000000000',
      },
      null,
      2,
    ),
  )}</pre></div></section>`
}

function operationSection({ document, baseUrl, examples }: Whole, placed: Placed): string {
  const { operation, method, path } = placed
  const answered = responseAt(document, operation, 200)?.content?.['application/json']
  const response = answered?.schema
  const recorded = examples[operation.operationId]?.find(({ status }) => status === 200)?.response
  const sample =
    answered && JSON.stringify(recorded ?? exampleOf(answered.schema, { document }), null, 2)
  const body = operation.requestBody?.content['application/json']?.schema
  return `<article id="${operation.operationId}">
<div>
<h3><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></h3>
<p class="call"><span class="method ${method}">${method}</span> <code>${escapeHtml(path)}</code></p>
${operation.description ? `<p>${prose(operation.description)}</p>` : ''}
<p class="meta">${accessOf(operation)}</p>
${parameterList(document, operation)}
${body ? `<h4>Body</h4>${fieldList(body, document)}` : ''}
${response ? `<details><summary>Answer</summary>${fieldList(response, document)}</details>` : ''}
${answerList(document, operation)}
</div>
<div class="code">
<h4>Request</h4><pre tabindex="0">${escapeHtml(curlOf(document, baseUrl, placed))}</pre>
${sample ? `<h4>Answer</h4><pre tabindex="0">${escapeHtml(sample)}</pre>` : ''}
</div>
</article>`
}

const accessOf = (operation: Operation): string =>
  isPublic(operation)
    ? 'Public: no key'
    : `Needs a key${operation['x-scope'] ? `; a restricted one with the scope <code>${escapeHtml(operation['x-scope'])}</code>` : ''}`

function parameterList(document: OpenApiDocument, operation: Operation): string {
  const parameters = parametersOf(document, operation)
  const of = (place: string, title: string) => {
    const rows = parameters.filter((parameter) => parameter.in === place)
    if (rows.length === 0) return ''
    const items = rows.map((row) =>
      fieldRow(
        row.name,
        { ...resolve(document, row.schema), description: row.description },
        { required: row.required },
      ),
    )
    return `<h4>${title}</h4><dl>${items.join('')}</dl>`
  }
  return of('path', 'Path') + of('query', 'Query') + of('header', 'Headers')
}

/** The fields of an object. Fields of nested objects are folded below the object's name. */
function fieldList(schema: Schema, document: OpenApiDocument, depth = 0): string {
  const target = wholeOf(document, schema)
  const required = (target.required as string[] | undefined) ?? []
  const rows = Object.entries((target.properties as Record<string, Schema> | undefined) ?? {})
  const items = rows.map(([name, field]) => {
    const inner = innerObject(field, document)
    const isDeep = inner !== undefined && depth < 4
    const below = isDeep
      ? `<details class="inner"><summary>Fields of ${escapeHtml(name)}</summary>${fieldList(inner, document, depth + 1)}</details>`
      : ''
    return fieldRow(name, resolve(document, field), { required: required.includes(name), below })
  })
  return `<dl>${items.join('')}</dl>`
}

function innerObject(schema: Schema, document: OpenApiDocument): Schema | undefined {
  const target = wholeOf(document, schema)
  if (target.properties) return target
  if (target.items) return innerObject(target.items as Schema, document)
  const options = (target.anyOf ?? target.oneOf) as Schema[] | undefined
  return options?.map((option) => innerObject(option, document)).find(Boolean)
}

const fieldRow = (
  name: string,
  schema: Schema,
  { required, below = '' }: { required: boolean; below?: string },
): string =>
  `<div><dt><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeName(schema))}</span>${required ? ' <span class="required">required</span>' : ''}</dt><dd>${typeof schema.description === 'string' ? prose(schema.description) : ''}${below}</dd></div>`

function typeName(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (options) return options.map(typeName).join(' or ')
  if (schema.$ref) return String(schema.$ref).split('/').pop() ?? 'object'
  if (schema.type === 'array') return `list of ${typeName((schema.items as Schema) ?? {})}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any')
  return schema.format === 'date-time' ? 'timestamp' : type
}

function answerList(document: OpenApiDocument, operation: Operation): string {
  const others = Object.keys(operation.responses).filter((status) => status !== '200')
  const rows = others.map((status) => {
    const name = status === 'default' ? 'Any other' : status
    const answer = responseAt(document, operation, status)
    const codes = answer ? codesIn(answer).map((code) => `\`${code}\``) : []
    const says = [answer?.description, codes.join(', ')].filter(Boolean).join('. ')
    return `<tr><th scope="row">${name}</th><td>${escapeHtml(STATUS_CODES[status] ?? '')}</td><td>${prose(says)}</td></tr>`
  })
  return `<details><summary>Other answers</summary><table><tbody>${rows.join('')}</tbody></table></details>`
}

const anchor = (name: string): string => `tag-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
/** Escaped text with its `code` marked. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
