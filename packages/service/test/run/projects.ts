import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const TESTS = [
  'packages/**/*.test.ts',
  'contracts/**/*.test.ts',
  'journeys/**/*.test.ts',
  'conformance/**/*.test.ts',
  'examples/**/*.test.ts',
  'drill/**/*.test.ts',
]
const NOT_OURS = /(^|\/)(node_modules|dist)\//

/** A test that reaches one of these needs the run's PostgreSQL or chain, or starts programs. */
const WORLD =
  /^packages\/service\/(test\/(world|actors|run)\/|test\/world\.ts|src\/run\/embedded\/)|^examples\/|^conformance\//
const STARTS = /from '(node:child_process|vitest\/node|playwright-core)'|\binject\(/
/**
 * `npm run test:slow`: walks that kill the service at each step, fail each call of a node or flip each byte; long reorganizations and
 * histories; compilers, installing our own packages, runtimes and frameworks of other people, every public page a second time, what each route costs, every payer at
 * every till, backups of all kinds, a secret that is rotated, each alert in a real Prometheus, the commands of every page.
 */
const SLOW = new RegExp(
  [
    'contracts/contracts',
    'conformance/(battery/[a-z-]+|matrix|mcp|openapi/clients|restart)',
    'packages/cli/(src/packages|test/packages/[a-z-]+)',
    'packages/mcp/test/(cut-off|frameworks)',
    'packages/service/src/links/reconcile/books/(every-step|tampering)',
    'packages/service/src/run/operate/(backup/backup|processes/process|secrets/(embedded|machines)|start/beside)',
    'packages/service/test/(accessibility|readme)',
    'packages/service/test/(checkout|dashboard)/[a-z]+',
    'packages/service/test/docs/(llms|looks|site|snippets)',
    'packages/service/test/(crash/crash|market/(on-chain-)?crash|webhooks/kill)',
    'packages/service/test/(chain-faults|yesterday)/[a-z0-9-]+',
    'packages/service/test/(histories/histories|observe/observe|pages/again|relay/chain-load|security/(open-)?route-costs)',
  ]
    .map((path) => `^${path}\\.test\\.ts$`)
    .join('|'),
)

/**
 * `npm run test:machines`: they boot machines of Debian's packages, in namespaces that only root may make, so they are not run
 * where others are.
 */
const MACHINES = /^(drill|packages\/service\/test\/(deploy|slow-parts))\/[a-z-]+\.test\.ts$/

export type Kind = 'unit' | 'world' | 'slow' | 'machines'

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
  const kindOf = (path: string): Kind => {
    if (MACHINES.test(path)) return 'machines'
    if (SLOW.test(path)) return 'slow'
    return needsWorld(path) ? 'world' : 'unit'
  }
  const found: Record<Kind, string[]> = { unit: [], world: [], slow: [], machines: [] }
  for (const path of globSync(TESTS, { cwd: root }).toSorted()) {
    if (NOT_OURS.test(path)) continue
    found[kindOf(path)].push(path)
  }
  return found
}
