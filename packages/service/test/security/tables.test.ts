import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routes } from '../../src/run/app.ts'
import { type World, world } from '../world.ts'
import { type NamedTest, OTHER_ROUTES, readCosts, readFacts } from './tables.ts'

const facts = readFacts()
const costs = readCosts()
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Folders in which a row's test file may be. */
const PLACES = ['../../src/', '../', '../../../../'].map((path) => new URL(path, import.meta.url))

function sourceOf(file: string): string | undefined {
  const found = PLACES.map((place) => new URL(file, place)).find((url) => existsSync(url))
  return found && readFileSync(found, 'utf8')
}

function expectTests(tests: readonly NamedTest[]): void {
  expect(tests.length, 'the row names a test').toBeGreaterThan(0)
  for (const { file, title } of tests) {
    const source = sourceOf(file)
    expect(source, `${file} exists`).toBeDefined()
    // In the source a title may contain an escaped quote.
    const unescaped = source?.replaceAll("\\'", "'") ?? ''
    expect(unescaped.includes(title), `${file} has a test "${title}"`).toBe(true)
  }
}

test.each(facts.map((row) => [row.fact, row] as const))('fact: %s', (_, { cells, tests }) => {
  for (const cell of cells) expect(cell).not.toBe('')
  expectTests(tests)
})

describe('costs', () => {
  test.each(costs.map((row) => [row.routes.join(', '), row] as const))('%s', (_, row) => {
    expect(row.routes.length).toBeGreaterThan(0)
    expect(['anybody', 'a key']).toContain(row.who)
    expect(row.bound).not.toBe('')
    expectTests(row.tests)
  })

  test('every route has one row, which says who may call it', () => {
    const rows = costs.flatMap(({ routes, who }) => routes.map((route) => [route, who] as const))
    const named = rows.map(([route]) => route)
    expect(named.filter((route, i) => named.indexOf(route) < i)).toEqual([])
    const whoOf = new Map(rows)
    for (const route of routes)
      expect([nameOf(route), whoOf.get(nameOf(route))]).toEqual([
        nameOf(route),
        route.auth === 'public' ? 'anybody' : 'a key',
      ])
    for (const route of OTHER_ROUTES) expect([route, whoOf.get(route)]).toEqual([route, 'anybody'])
  })

  test('every route of a row exists', async () => {
    await using w: World = await world()
    for (const route of costs.flatMap((row) => row.routes)) {
      const [method = '', path = ''] = route.split(' ')
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      expect([route, w.app.hasRoute({ method: method as 'GET', url })]).toEqual([route, true])
    }
  })
})
