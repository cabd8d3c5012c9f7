import { assert } from '../../../base/kernel/assert.ts'
import type { ProblemCode } from '../../../base/kernel/problem.ts'
import type {
  OpenApiDocument,
  OpenApiResponse,
  Operation,
  Parameter,
  Reference,
  Schema,
} from './shape.ts'

/** Every operation of the document with its method and path, in the document's order. */
export const operationsOf = ({
  paths,
}: Pick<OpenApiDocument, 'paths'>): { method: string; path: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )

/** An operation's name, such as `POST /api/issue`. */
export const nameOf = ({ method, path }: { method: string; path: string }): string =>
  `${method.toUpperCase()} ${path}`

/** Whether the operation needs no credential. */
export const isPublic = ({ security }: Operation): boolean => security?.length === 0

type Components = Pick<OpenApiDocument, 'components'>

/** The component that a reference names, with the members that stand beside the reference. Anything else is itself. */
export function resolve<T extends object>({ components }: Components, found: T | Reference): T {
  if (!('$ref' in found)) return found
  const { $ref, ...beside } = found as Reference
  const [kind = '', name = ''] = $ref.split('/').slice(2)
  const shared = (components as unknown as Record<string, Record<string, T>>)[kind]?.[name]
  assert(shared, `nothing stands at ${$ref}`)
  return { ...shared, ...beside }
}

/** A schema with its members in one place, where it is one of the components, or one and more. */
export function wholeOf(document: Components, schema: Schema): Schema {
  const { allOf, ...rest } = resolve<Schema>(document, schema)
  if (!Array.isArray(allOf)) return rest
  const parts = (allOf as Schema[]).map((part) => wholeOf(document, part))
  return {
    type: 'object',
    ...rest,
    required: parts.flatMap(({ required = [] }) => required as string[]),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  }
}

export const parametersOf = (
  document: Components,
  { parameters = [] }: Pick<Operation, 'parameters'>,
): Parameter[] => parameters.map((one) => resolve<Parameter>(document, one))

/** The answer with this status, or the one that stands for every other. */
export function responseAt(
  document: Components,
  { responses }: Pick<Operation, 'responses'>,
  status: number | string,
): OpenApiResponse | undefined {
  const found = responses[status] ?? responses.default
  return found && resolve<OpenApiResponse>(document, found)
}

/** The codes of a refusal of ours; none where another protocol's body is all there is. */
export const codesIn = (response: OpenApiResponse): readonly ProblemCode[] =>
  (partsOf(response)[1]?.properties as { code?: { enum?: ProblemCode[] } })?.code?.enum ?? []

/** The members that a refusal's body may have beside those of every refusal. */
export const membersIn = (document: Components, response: OpenApiResponse): string[] =>
  partsOf(response)
    .slice(1)
    .flatMap((part) => Object.keys(resolve<Schema>(document, part).properties ?? {}))

/** A protocol's own body may come with the same status: ours is the last. */
function partsOf({ content }: OpenApiResponse): Schema[] {
  const whole = content?.['application/json']?.schema
  const ours = Array.isArray(whole?.anyOf) ? (whole.anyOf.at(-1) as Schema) : whole
  return (ours?.allOf as Schema[] | undefined) ?? []
}
