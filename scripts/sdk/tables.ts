// Tables that the SDK has of all operations, beside their types.
import {
  nameOf,
  operationsOf,
  parametersOf,
  responseAt,
  wholeOf,
} from '../../packages/service/src/api/http/openapi/read.ts'
import type {
  OpenApiDocument,
  Operation,
  Schema,
} from '../../packages/service/src/api/http/openapi/shape.ts'

/** Only the calls that the service recognizes when repeated may be retried. */
export function repeatableOf(document: OpenApiDocument): string {
  const names = operationsOf(document)
    .filter(({ operation }) =>
      parametersOf(document, operation).some(({ name }) => name === 'Idempotency-Key'),
    )
    .map((one) => `  '${nameOf(one)}',\n`)
  return `\n/** The operations that take an Idempotency-Key. */\nexport const REPEATABLE: ReadonlySet<string> = new Set([\n${names.join('')}])\n`
}

/** The members of a success tell it from the JSON of a proxy. */
export function answersOf(document: OpenApiDocument): string {
  const lines = operationsOf(document).flatMap((one) => {
    const members = membersOf(document, one.operation)
    return members ? [`  '${nameOf(one)}': '${members.join(' ')}',\n`] : []
  })
  return `\n/** The members of each operation's success; with \`{}\` an object, with \`[]\` a list. */\nexport const ANSWERS: Readonly<Record<string, string>> = {\n${lines.join('')}}\n`
}

const MARKS: Record<string, string> = { object: '{}', array: '[]' }

/** None where a success may be something else than JSON. */
function membersOf(document: OpenApiDocument, operation: Operation): string[] | undefined {
  const contents = Object.keys(operation.responses)
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => Object.entries(responseAt(document, operation, status)?.content ?? {}))
    .filter(([, { schema }]) => !isRefusal(schema))
  if (contents.length === 0 || contents.some(([type]) => type !== 'application/json'))
    return undefined
  const [first = [], ...others] = contents.map(([, { schema }]) => marksOf(document, schema))
  return first.filter((mark) => others.every((marks) => marks.includes(mark)))
}

/** A payment that waits for a person is a refusal that is answered 202. */
const isRefusal = ({ allOf = [] }: Schema): boolean =>
  (allOf as Schema[]).some(({ $ref }) => $ref === '#/components/schemas/Error')

function marksOf(document: OpenApiDocument, schema: Schema): string[] {
  const { required = [], properties = {} } = wholeOf(document, schema)
  return (required as string[]).map((name) => {
    const member = wholeOf(document, (properties as Record<string, Schema>)[name] ?? {})
    return `${name}${MARKS[String(member.type)] ?? ''}`
  })
}
