import { nameOfCodes } from './codes.ts'
import { pascal, singular } from './names.ts'
import { codesIn, operationsOf } from './read.ts'
import type {
  Content,
  OpenApiDocument,
  OpenApiResponse,
  Parameter,
  Reference,
  Schema,
} from './shape.ts'

/** An object of an answer with as many members has a name of its own. Smaller ones are easier to read in place. */
const NAMED_FROM = 6
/** A reference is as long as many a schema: shorter ones stay in place. */
const WORTH_FROM = 100

/**
 * `name` is the member or the list that holds the schema; a body as a whole has none. The whole answer of an operation that went well
 * is `of` that operation.
 */
type Place = { name: string; tag: string; isAnswer: boolean; of?: string }
type Shape = {
  schema: Schema
  place: Place
  times: number
  isLarge: boolean
  of: string | undefined
}
type Replace = (schema: Schema, place: Place) => Schema

/**
 * Moves each schema that stands twice, each resource of an answer, and each answer as a whole, to the components, and leaves
 * references, so that generators give each a type with a name. What a schema says beyond the shared shape, such as its description, stands beside the reference. `fields` are shared
 * wherever their title stands.
 */
export function shareSchemas(document: OpenApiDocument, fields: readonly Schema[]): void {
  const { schemas } = document.components
  const titled = new Map(fields.map(({ title, ...field }) => [String(title), field]))
  const shapes = findShapes(document, titled)
  const names = nameShapes([...shapes.values()], [...Object.keys(schemas), ...titled.keys()])
  const replace: Replace = (schema, place) => {
    const title = String(schema.title)
    const field = titled.get(title)
    if (field && narrows(schema, field)) {
      schemas[title] ??= field
      return reference(title, field, schema)
    }
    const shape = shapes.get(keyOf(schema))
    const name = shape && names.get(shape)
    if (shape && name) return reference(name, shape.schema, schema)
    return extended(schema, names, (rest) => inside(rest, place, replace))
  }
  eachBody(document, replace)
  for (const [{ schema, place }, name] of names) {
    const { title: _, ...rest } = extended(schema, names, (one) => inside(one, place, replace))
    schemas[name] = rest
  }
}

function findShapes(document: OpenApiDocument, titled: ReadonlyMap<string, Schema>) {
  const shapes = new Map<string, Shape>()
  const see: Replace = (schema, place) => {
    if (titled.has(String(schema.title)) || schema.$ref) return schema
    const known = shapes.get(keyOf(schema))
    const isLarge = place.isAnswer && place.name !== '' && sizeOf(schema) >= NAMED_FROM
    const of = isObject(schema) ? place.of : undefined
    if (!known) shapes.set(keyOf(schema), { schema, place, times: 1, isLarge, of })
    else {
      known.times++
      known.isLarge ||= isLarge
      known.of ??= of
      if (known.place.name === '') known.place = place
    }
    // The parts of a shape that will stand once are seen once.
    return known && isWorth(schema) ? schema : inside(schema, place, see)
  }
  eachBody(document, see)
  return shapes
}

/** A second shape of the same name gets its tag as a prefix, or that of its operation; a third a number. The large ones choose first. */
function nameShapes(shapes: Shape[], taken: string[]): Map<Shape, string> {
  const shared = shapes.filter(isShared)
  const names = new Map<Shape, string>()
  const used = new Set([...taken, ...GLOBALS])
  for (const shape of [...shared.filter(isChosen), ...shared.filter((one) => !isChosen(one))]) {
    const [base, other] = namesFor(shape)
    let free = used.has(base) ? other : base
    for (let i = 3; used.has(free); i++) free = `${other}${i}`
    used.add(free)
    names.set(shape, free)
  }
  return names
}

/** A name for the shape, and one for the case that it is taken. */
function namesFor({ schema, place: { name, tag }, of }: Shape): [string, string] {
  const { title = name } = schema
  if (title === '') return namesForAnswer(schema, pascal(`${of} answer`))
  const base = pascal(String(title))
  const owner = pascal(singular(tag))
  return [base, owner === base ? `${base}Detail` : owner + base]
}

/** An answer with one member beside `success` is named after it, since several operations may give the same one. */
function namesForAnswer({ properties = {} }: Schema, name: string): [string, string] {
  const members = Object.keys(properties as object)
  const [member = 'success', second] = members.filter((one) => one !== 'success')
  return [members.length === 0 || second ? name : pascal(`${member} answer`), name]
}

/** Whether a shape has the name of an answer: it is one as a whole, and no resource that answers hold. */
export const isAnswer = (name: string): boolean => name.endsWith('Answer')

/** Types of the language that generated clients use by name: orval extends `Response`. */
const GLOBALS = ['Request', 'Response', 'Headers', 'Blob', 'File', 'Date', 'Record', 'Promise']

const isChosen = ({ schema, isLarge }: Shape): boolean => isLarge || schema.title !== undefined
const isShared = (shape: Shape): boolean =>
  shape.of !== undefined ||
  ((shape.place.name !== '' || shape.schema.title !== undefined) &&
    (shape.isLarge || (shape.times > 1 && isWorth(shape.schema))))
const isWorth = (schema: Schema): boolean =>
  sizeOf(schema) > 0 ||
  ((schema.items || schema.anyOf || schema.propertyNames) !== undefined &&
    withoutObjects(schema).length >= WORTH_FROM)
const withoutObjects = (schema: Schema): string =>
  JSON.stringify(schema, (key, value) =>
    key === 'properties' || key === 'required' || key === 'description' ? undefined : value,
  )
const isObject = ({ properties, anyOf, oneOf }: Schema): boolean =>
  (properties ?? anyOf ?? oneOf) !== undefined
const sizeOf = ({ properties }: Schema): number => Object.keys(properties ?? {}).length
const keyOf = ({ description: _, ...schema }: Schema): string => JSON.stringify(schema)

/** Both hold, so what stands beside a reference may add to the shared schema, but not replace a part of it. */
const narrows = ({ title: _, description: __, ...schema }: Schema, shared: Schema): boolean =>
  Object.keys(schema).every(
    (key) => !(key in shared) || JSON.stringify(schema[key]) === JSON.stringify(shared[key]),
  )

/** The members in which the schema differs from the shared one stand beside the reference. */
function reference(name: string, shared: Schema, { title: _, ...schema }: Schema): Schema {
  const more = Object.entries(schema).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(shared[key]),
  )
  return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(more) }
}

/** An object that has all members of a shared one, and more, is the shared one and the rest. */
function extended(
  schema: Schema,
  names: ReadonlyMap<Shape, string>,
  replace: (schema: Schema) => Schema,
): Schema {
  const { type, required = [], properties = {}, ...others } = schema as ObjectSchema
  const [base] = [...names]
    .filter(([shape]) => sizeOf(shape.schema) >= NAMED_FROM && isPart(shape.schema, schema))
    .sort(([a], [b]) => sizeOf(b.schema) - sizeOf(a.schema))
  if (!base) return replace(schema)
  const known = Object.keys((base[0].schema as ObjectSchema).properties ?? {})
  const more = Object.entries(properties).filter(([name]) => !known.includes(name))
  const rest = {
    type,
    required: required.filter((name) => !known.includes(name)),
    properties: Object.fromEntries(more),
  }
  return { ...others, allOf: [{ $ref: `#/components/schemas/${base[1]}` }, replace(rest)] }
}

type ObjectSchema = Schema & { required?: string[]; properties?: Record<string, Schema> }

function isPart(part: ObjectSchema, whole: ObjectSchema): boolean {
  if (sizeOf(part) >= sizeOf(whole) || part.additionalProperties !== undefined) return false
  return Object.entries(part.properties ?? {}).every(([name, one]) => {
    const found = whole.properties?.[name]
    const isEqual = found !== undefined && JSON.stringify(found) === JSON.stringify(one)
    return isEqual && part.required?.includes(name) === whole.required?.includes(name)
  })
}

/** The schema with the schemas that it holds replaced, but for the parts of a refusal (`allOf`), which stand once. */
function inside(schema: Schema, place: Place, replace: Replace): Schema {
  const { of: _, ...below } = place
  const at = (name: string) => (one: Schema) => replace(one, { ...below, name })
  const { properties, items, additionalProperties: others } = schema as Record<string, Schema>
  const made: Schema = { ...schema }
  if (properties)
    made.properties = Object.fromEntries(
      Object.entries(properties as Record<string, Schema>).map(([name, one]) => [
        name,
        at(name)(one),
      ]),
    )
  if (items) made.items = at(singular(place.name))(items)
  if (typeof others === 'object') made.additionalProperties = at('')(others)
  for (const key of ['anyOf', 'oneOf'])
    if (schema[key]) made[key] = (schema[key] as Schema[]).map(at(place.name))
  return made
}

/** Replaces the schemas of all parameters, bodies and answers. */
function eachBody(document: OpenApiDocument, replace: Replace): void {
  const { components } = document
  const of = (tag: string, isAnswer = false) => ({ name: '', tag, isAnswer })
  const inContent = (content: Content = {}, place: Place) => {
    for (const body of Object.values(content)) body.schema = replace(body.schema, place)
  }
  for (const { operation } of operationsOf(document)) {
    const { operationId, tags, parameters = [], requestBody, responses } = operation
    const [tag = ''] = tags
    for (const one of parameters) if (!('$ref' in one)) one.schema = replace(one.schema, of(tag))
    inContent(requestBody?.content, of(tag))
    for (const [status, one] of Object.entries(responses))
      if (!('$ref' in one))
        inContent(one.content, {
          ...of(tag, Number(status) < 300),
          ...(status === '200' && { of: operationId }),
        })
  }
  for (const one of Object.values(components.parameters)) one.schema = replace(one.schema, of(''))
  for (const one of Object.values(components.responses)) inContent(one.content, of(''))
}

/** Moves parameters and refusals that several operations share to the components, and leaves references. */
export function shareWhole(document: OpenApiDocument): void {
  const { headers, parameters, responses } = document.components
  const all = operationsOf(document).map(({ operation }) => operation)
  const asked = all.flatMap(({ parameters: list = [] }) =>
    list.map((one, i) => ({ one, put: (reference: Reference) => (list[i] = reference) })),
  )
  shareEqual(asked, { kind: 'parameters', shared: parameters, nameOf: nameOfParameter })
  for (const { responses: answers } of all)
    for (const one of Object.values(answers))
      if (!('$ref' in one) && one.headers)
        for (const [name, header] of Object.entries(one.headers)) {
          if (header.$ref) continue
          headers[name] ??= header
          // A header that says something else under the same name stays in its place.
          if (JSON.stringify(headers[name]) !== JSON.stringify(header)) continue
          one.headers[name] = { $ref: `#/components/headers/${name}` }
        }
  const refused = all.flatMap(({ responses: answers }) =>
    Object.entries(answers)
      .filter(([status]) => !(Number(status) < 300))
      .map(([status, one]) => ({
        one,
        put: (reference: Reference) => (answers[status] = reference),
      })),
  )
  shareEqual(refused, { kind: 'responses', shared: responses, nameOf: nameOfRefusal })
}

/** A name is tried with one word of the shape, then with two and three; then a number is added. */
function shareEqual<T>(
  places: { one: T | Reference; put(reference: Reference): void }[],
  to: {
    kind: string
    shared: Record<string, T>
    nameOf(one: T, words: number): string | undefined
  },
): void {
  for (const equal of Map.groupBy(places, ({ one }) => JSON.stringify(one)).values()) {
    const one = equal[0]?.one as T
    const words = [1, 2, 3].map((count) => to.nameOf(one, count))
    const [base] = words
    if (equal.length < 2 || base === undefined) continue
    let name = words.find((free) => free && !to.shared[free]) ?? base
    for (let i = 2; to.shared[name]; i++) name = `${base}${i}`
    to.shared[name] = one
    for (const { put } of equal) put({ $ref: `#/components/${to.kind}/${name}` })
  }
}

const nameOfParameter = ({ name, schema }: Parameter): string =>
  pascal(typeof schema.title === 'string' ? schema.title : name)

/** Another protocol's body has no name. */
function nameOfRefusal(response: OpenApiResponse, words: number): string | undefined {
  const codes = codesIn(response)
  const page = response.content?.['text/html'] ? 'OrPage' : ''
  return codes.length === 0 ? undefined : nameOfCodes(codes, words) + page
}
