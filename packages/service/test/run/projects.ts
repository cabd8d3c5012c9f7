import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const TESTS = [
  'packages/**/*.test.ts',
  'contracts/**/*.test.ts',
  'journeys/**/*.test.ts',
  'conformance/**/*.test.ts',
  'examples/**/*.test.ts',
]
const NOT_OURS = /(^|\/)(node_modules|dist)\//

/** A test that reaches one of these needs the run's PostgreSQL or chain, or starts programs. */
const WORLD =
  /^packages\/service\/(test\/(world|actors|run)\/|test\/world\.ts|src\/run\/embedded\/)|^examples\/|^conformance\//
const STARTS = /from '(node:child_process|vitest\/node|playwright-core)'|\binject\(/
/** Walks that kill the service at each step, long reorganizations, compilers, and installing our own packages: `npm run test:slow`. */
const SLOW =
  /^contracts\/contracts\.test\.ts$|^packages\/cli\/(src\/packages|test\/packages\/[a-z-]+)\.test\.ts$|^packages\/mcp\/test\/cut-off\.test\.ts$|^conformance\/mcp\.test\.ts$|^conformance\/openapi\/clients\.test\.ts$|\/(test\/crash\/crash|test\/market\/(on-chain-)?crash|test\/webhooks\/kill|test\/chain-faults\/reorg-[a-z]+)\.test\.ts$/

export type Kind = 'unit' | 'world' | 'slow'

/** The test files of a repository by what they need. A file is read once, and only imports of our own are followed. */
export function testFiles(root: string): Record<Kind, string[]> {
  const texts = new Map<string, string>()
  const textOf = (path: string): string => {
    const known = texts.get(path)
    if (known !== undefined) return known
    const text = readFileSync(join(root, path), 'utf8')
    texts.set(path, text)
    return text
  }
  const needsWorld = (test: string): boolean => {
    const seen = new Set([test])
    for (const path of seen) {
      if (WORLD.test(path)) return true
      if (!path.endsWith('.ts')) continue
      const text = textOf(path)
      if (STARTS.test(text)) return true
      for (const [, to = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g))
        seen.add(relative('.', join(dirname(path), to)))
    }
    return false
  }
  const found: Record<Kind, string[]> = { unit: [], world: [], slow: [] }
  for (const path of globSync(TESTS, { cwd: root }).toSorted()) {
    if (NOT_OURS.test(path)) continue
    const kind = SLOW.test(path) ? 'slow' : needsWorld(path) ? 'world' : 'unit'
    found[kind].push(path)
  }
  return found
}
