import { createHash } from 'node:crypto'

/** Texts that are made up as they go would fill a connection's memory; those after so many are not prepared. */
const NAMES_MAX = 1_000
const names = new Map<string, string>()

/**
 * The name under which a statement is prepared: a digest, so that it means the same on whichever connection a pooler
 * hands out. Undefined for a text that is not to be kept.
 */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= NAMES_MAX) return known
  const name = `p${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}
