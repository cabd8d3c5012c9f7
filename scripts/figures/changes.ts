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
  'card limit': /\bmax_?[lL]ike_?[pP]ayments\b/,
  'card rule with a decision': /\bapproval_?[aA]bove\b/,
}

/** The first line of a file that `npm run gen` makes. */
export const MADE = /^\/\/ Made from .* by `npm run gen`/

/** The files of all packages that name each change's example, by change. */
export function placesOfChanges(root: string): Record<string, string[]> {
  const files = globSync('packages/*/**/*.{ts,tsx,sql}', { cwd: root })
    .filter((path) => !/\.test\.tsx?$|schema\.sql$|\/(test|dist|node_modules)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !MADE.test(text))
  return Object.fromEntries(
    Object.entries(CHANGES).map(([name, words]) => [
      name,
      files.filter(({ text }) => words.test(text)).map(({ path }) => path),
    ]),
  )
}
