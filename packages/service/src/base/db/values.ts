/** The length for years up to 9999. The driver writes later years, in another form. */
const ISO_LENGTH = 24

/**
 * The value in PostgreSQL's text form: an array as an array literal, a time as ISO 8601 in UTC. The driver does the same at
 * three times the cost, and most parameters of a batch are arrays.
 */
export function parameterOf(value: unknown): unknown {
  if (Array.isArray(value)) return arrayLiteral(value)
  if (value instanceof Date) return timeText(value) ?? value
  return value
}

function arrayLiteral(values: readonly unknown[]): string {
  let text = '{'
  for (const [i, value] of values.entries()) {
    if (i > 0) text += ','
    text += elementOf(value)
  }
  return `${text}}`
}

function elementOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
    case 'bigint':
    case 'boolean':
      return `"${value}"`
    case 'undefined':
      return 'NULL'
    default:
      return elementOfObject(value)
  }
}

function elementOfObject(value: unknown): string {
  if (value === null) return 'NULL'
  if (Array.isArray(value)) return arrayLiteral(value)
  if (value instanceof Date) return `"${timeText(value) ?? value.toISOString()}"`
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`
  return quoted(JSON.stringify(value))
}

// Two plain replacements take half as long as one regular expression: 1.1 µs for a short JSON document.
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

function timeText(value: Date): string | undefined {
  const text = value.toISOString()
  return text.length === ISO_LENGTH ? text : undefined
}

const columnNames = new Map<string, string>()

/** The column's name in camelCase: `wallet_address` becomes `walletAddress`. */
export function columnNameOf(column: string): string {
  const known = columnNames.get(column)
  if (known !== undefined) return known
  const name = column.replace(/(?<=.)_+(.?)/g, (_, next: string) => next.toUpperCase())
  columnNames.set(column, name)
  return name
}

/** The column of a field: its name in snake_case. */
export const columnOf = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
