import { readFileSync } from 'node:fs'

/** Routes of the server that are not in the route table. */
export const OTHER_ROUTES = [
  'GET /',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /llms.txt',
  'GET /docs',
]

const DOCUMENT = new URL('../../../../SECURITY.md', import.meta.url)

/**
 * A test that a row names: its file below `packages/service/src` or `packages/service/test`, and the start of its
 * title.
 */
export type NamedTest = { file: string; title: string }
export type Fact = { fact: string; cells: readonly string[]; tests: readonly NamedTest[] }

/** The most that 100 calls may cause. `gas` is the relayers' spending, in wei; `ms` is the service's CPU time. */
export const MEASURES = ['rows', 'jobs', 'gas', 'rpc', 'dns', 'requests', 'mib', 'ms'] as const
export type Measure = (typeof MEASURES)[number]
export type Cost = Record<Measure, number>
export type CostRow = {
  /** In the form `POST /api/issue`. */
  routes: readonly string[]
  who: string
  most: Cost
  bound: string
  tests: readonly NamedTest[]
}

/** The rows of the table "facts" in SECURITY.md. */
export const readFacts = (): Fact[] =>
  rowsBelow('## Facts').map((cells) => ({
    fact: cells[0] ?? '',
    cells,
    tests: testsIn(cells.at(-1) ?? ''),
  }))

/** The rows of the table "costs" in SECURITY.md. */
export const readCosts = (): CostRow[] =>
  rowsBelow('## Costs').map((cells) => {
    const [routes = '', who = '', ...rest] = cells
    const most = Object.fromEntries(
      MEASURES.map((measure, i) => [measure, numberIn(rest[i] ?? '', `${routes} ${measure}`)]),
    ) as Cost
    const [bound = '', tests = ''] = rest.slice(MEASURES.length)
    return {
      routes: [...routes.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, route = '']) => route),
      who,
      most,
      bound,
      tests: tests === 'the walk' ? [WALKS[who] ?? noWalk(who)] : testsIn(tests),
    }
  })

/** The cells of each row of the first table below a heading. */
function rowsBelow(heading: string): string[][] {
  const text = readFileSync(DOCUMENT, 'utf8')
  const [, section] = text.split(`\n${heading}\n`)
  if (section === undefined) throw new Error(`SECURITY.md has no heading "${heading}"`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  const [head = '', , ...rows] = lines
  const width = cellsOf(head).length
  return rows.map((row) => {
    const cells = cellsOf(row)
    if (cells.length !== width) throw new Error(`this row has ${cells.length} cells: ${row}`)
    return cells
  })
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())

function numberIn(cell: string, where: string): number {
  if (!/^\d[\d,]*$/.test(cell)) throw new Error(`${where} is not a whole number: "${cell}"`)
  return Number(cell.replaceAll(',', ''))
}

/** The tests that check every row, by who may call its routes. */
const WALKS: Record<string, NamedTest> = {
  anybody: {
    file: 'security/open-route-costs.test.ts',
    title: 'a hundred calls of an anonymous caller cause no more than the table says',
  },
  'a key': {
    file: 'security/route-costs.test.ts',
    title: 'a hundred calls of a wallet without money cause no more than the table says',
  },
}
function noWalk(who: string): never {
  throw new Error(`no walk calls routes as ${who}`)
}

/** Reads `` `api/keys/limits.test.ts` "a title" ``. A row may name several. */
const testsIn = (cell: string): NamedTest[] =>
  [...cell.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  }))
