import { EVENT_KINDS } from '../../packages/service/src/api/events/catalogue.ts'
import { type Fields, isMoney, isOptional } from '../../packages/service/src/api/events/define.ts'

const HEAD = `// Made from the catalogue of events by \`npm run gen\`. Do not edit.

/** The data of each type of event. Amounts are in whole units; \`…_atomic\` is there for assets with more than 6 decimals. */
export type EventData = {
`

/** The data of all types of events, as TypeScript for the SDK. */
export const eventTypes = (): string =>
  `${HEAD}${EVENT_KINDS.map(
    ({ type, when, fields }) =>
      `  /** ${upper(when)}. */\n  '${type}': {\n${membersOf(fields)}  }\n`,
  ).join('')}}\n`

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const membersOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, schema]) => {
      const atomic = isMoney(schema) ? `    ${name}_atomic?: string\n` : ''
      const mark = isOptional(schema) ? '?' : ''
      return `    ${name}${mark}: ${typeOf(schema as Shape)}\n${atomic}`
    })
    .join('')

type Shape = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  items?: Shape
}

function typeOf({ type, const: only, enum: words, anyOf, items }: Shape): string {
  if (anyOf) return anyOf.map(typeOf).join(' | ')
  if (words) return words.map(quoted).join(' | ')
  if (only !== undefined) return quoted(only)
  if (items) return `Array<${typeOf(items)}>`
  if (type === 'integer') return 'number'
  if (type === 'object') return 'Record<string, unknown>'
  return type ?? 'unknown'
}

const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
