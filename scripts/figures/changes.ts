import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Changes of a maintainer, each by the words that a present one of its kind left in the code: the files that have them are
 * the places of the next one. Tests and generated files do not count.
 */
const CHANGES: Record<string, RegExp> = {
  'column on cards': /\btoken_?[hH]int\b/,
  // `POST /api/cards/{id}/freeze`: its rule, its route.
  endpoint: /\b(un)?freezeCard\b/,
  'event type': /'card\.unfrozen'|\bcardUnfrozen\b/,
  'fee kind': /\bdirect_overage\b/,
  'another queue': /graphile.worker/,
  'policy rule (daily limit)': /\bdaily_?[lL]imit|\bday_?([uU]sed|[cC]ap)\b/,
}

/** The files that name each change's example, by change. */
export function placesOfChanges(folder: string): Record<string, string[]> {
  const files = globSync('**/*.{ts,sql}', { cwd: folder })
    .filter((path) => !/\.test\.ts$|schema\.sql$/.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return Object.fromEntries(
    Object.entries(CHANGES).map(([name, words]) => [
      name,
      files.filter(({ text }) => words.test(text)).map(({ path }) => path),
    ]),
  )
}
