import { createHash } from 'node:crypto'

/** Statements beyond this number are not prepared: texts built at run time would fill the connections' memory. */
const NAMES_MAX = 1_000
const names = new Map<string, string>()

/**
 * The name under which a statement is prepared. It is a digest of the text, so a name means the same statement on every
 * connection that a pooler hands out. Undefined if the statement is not to be prepared.
 */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= NAMES_MAX) return known
  const name = `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}
