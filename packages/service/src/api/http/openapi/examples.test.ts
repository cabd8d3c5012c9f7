import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { routes } from '../../../run/app.ts'
import { addPages } from '../../../run/status/pages/pages.ts'
import { openApiDocument } from './document.ts'
import { addExamples, recordedExamples } from './examples.ts'
import { responseAt } from './read.ts'

const document = openApiDocument(routes, { version: '1' })
addPages(document)
const examples = recordedExamples()
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
ajv.addSchema(document, 'document')
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

function expectValid(pointer: string, value: unknown, type = 'application/json'): void {
  const media = type.replaceAll('/', '~1')
  const validate = ajv.getSchema(`document#/${pointer}/content/${media}/schema`)
  expect(validate, pointer).toBeDefined()
  validate!(value)
  expect(validate!.errors ?? [], pointer).toEqual([])
}

test.each(operations.map((one) => [one.operation.operationId, one] as const))(
  'what was recorded of %s is what its schemas say',
  (id, { path, method, operation }) => {
    const at = `paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`
    for (const { status, request, response, type } of examples[id] ?? []) {
      const declared = operation.responses[status] ? status : 'default'
      const answer = operation.responses[declared]!
      const isShared = '$ref' in answer
      expectValid(isShared ? answer.$ref.slice(2) : `${at}/responses/${declared}`, response, type)
      // No body at all is right where the schema takes null.
      if (operation.requestBody && status < 300) expectValid(`${at}/requestBody`, request ?? null)
    }
  },
)

test('every example is of an operation that there is', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(Object.keys(examples).filter((id) => !ids.includes(id))).toEqual([])
})

test('every operation has a recorded success; of one that is gone, what it says', () => {
  const without = operations.filter(({ operation: { operationId: id } }) => {
    const statuses = (examples[id] ?? []).map(({ status }) => status)
    return !statuses.some((status) => status < 300 || status === GONE)
  })
  expect(without.map(({ operation }) => operation.operationId)).toEqual([])
})
const GONE = 410

test('an example holds no key, token or id that a service gave', () => {
  const text = JSON.stringify(examples)
  for (const [id] of text.matchAll(/\b[a-z]{2,4}_01[0-9a-hjkmnp-tv-z]{24}\b/g))
    expect(id).toMatch(/_01jz9q4m7k/)
  expect(text).not.toMatch(/127\.0\.0\.1|localhost/)
})

test('the document shows each once: at its operation, at the resource, or at the code', () => {
  const shown = openApiDocument(routes, { version: '1' })
  addExamples(shown, examples)
  const { requestBody, responses } = shown.paths['/api/issue']!.post!
  const [success, refusal] = examples.postIssue!
  expect(requestBody!.content['application/json']!.example).toEqual(success!.request)
  const { card } = success!.response as { card: { kind: string } }
  expect(shown.components.schemas.Card!.examples).toEqual([
    expect.objectContaining({ kind: card.kind }),
  ])
  expect(responses[200]).not.toHaveProperty('content.application/json.example')
  const refused = responseAt(shown, shown.paths['/api/issue']!.post!, refusal!.status)
  expect(JSON.stringify(refused)).toContain((refusal!.response as { code: string }).code)

  const text = JSON.stringify(shown)
  const hidden = Object.values(examples)
    .flat()
    .filter(({ status, response }) => status >= 400 && !text.includes(JSON.stringify(response)))
  expect(hidden).toEqual([])
})
