import { EVENT_KINDS } from '../../packages/service/src/api/events/catalogue.ts'
import {
  type EventKind,
  type Fields,
  isOptional,
  Money,
  MoneyOrNull,
} from '../../packages/service/src/api/events/define.ts'

const HEAD = `# Events

Made from the catalogue in \`packages/service/src/api/events\` by \`npm run gen\`. Do not edit.

An event is recorded in the transaction that causes its fact: it exists if and only if the fact does. Each wallet gets its
own event with its own data, and never learns the other side's card. Amounts are numbers in whole units; an asset with more
than 6 decimals adds \`<field>_atomic\`, the base units as text. A field that may be \`null\` is never absent. Times are ISO
8601. \`rail\` is the way by which money moved; \`protocol\` repeats it if it is \`x402\`, \`ap2\` or \`mpp\`, and is left out otherwise. A
wallet that is payer and receiver at once gets both \`payment.sent\` and \`payment.settled\`.

An id is \`evt_\` and 26 characters. A type marked *chain fact* is read from the chain, and its id is derived from type,
wallet and fact: a service restored from a backup repeats the id, and consumers can tell repeated events by it.

Read them from [the feed](feed.md), which misses none, follow them as a stream, or have them sent to [a webhook](webhooks.md). All three show
the same: \`{id, type, created, api_version, seq, data}\`, with \`created\` in Unix seconds.
`

/** The reference of all types of events, as Markdown. */
export const eventsDocument = (): string => [HEAD, table(), ...EVENT_KINDS.map(section)].join('\n')

const table = (): string =>
  [
    '| Type | Recorded when | To |',
    '|---|---|---|',
    ...EVENT_KINDS.map(
      ({ type, when, to }) => `| [\`${type}\`](#${anchor(type)}) | ${when} | ${to} |`,
    ),
    '',
  ].join('\n')

const anchor = (type: string): string => type.replace('.', '')

const FACTS = {
  always: 'Chain fact.\n\n',
  sometimes: 'Chain fact where the money moved on chain.\n\n',
  never: '',
}

const section = ({ type, fields, fact }: EventKind): string =>
  [
    `## ${type}\n`,
    `${FACTS[fact]}| Field | Type |`,
    '|---|---|',
    ...Object.entries(fields).map(
      ([name, schema]) =>
        `| \`${name}\` | ${nameOf(schema)}${isOptional(schema) ? ', or left out' : ''} |`,
    ),
    '',
  ].join('\n')

type Shape = {
  type?: string
  enum?: string[]
  anyOf?: Shape[]
  items?: Shape
}

function nameOf(schema: Fields[string]): string {
  if (schema === Money) return 'amount'
  if (schema === MoneyOrNull) return 'amount or null'
  return wordsFor(schema as Shape)
}

function wordsFor({ type, enum: words, anyOf, items }: Shape): string {
  if (anyOf) return anyOf.map(wordsFor).join(' or ')
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (items) return `list of ${wordsFor(items)}s`
  return type ?? 'any'
}
