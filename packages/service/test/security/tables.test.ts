import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { world } from '../world.ts'
import { classOf, exposed, mostOf } from './exposed.ts'

const PAGE = readFileSync(new URL('README.md', import.meta.url), 'utf8')

/** The cells of each row of the table below a heading. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  expect(rows.length, `${heading} has rows`).toBeGreaterThan(0)
  for (const row of rows) expect(row, 'as many cells as the head').toHaveLength(head.length)
  return rows
}

/** Folders in which a named test may be. */
const PLACES = ['../../src/', '../', '../../../../'].map((path) => new URL(path, import.meta.url))

/** Fails unless the cell names tests that exist: `` `keys/limits.test.ts` "a title" ``. */
function expectTests(cell: string): void {
  const named = [...cell.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)]
  expect(named.length, 'the row names a test').toBeGreaterThan(0)
  for (const [, file = '', title = ''] of named) {
    const place = PLACES.map((folder) => new URL(file, folder)).find((url) => existsSync(url))
    expect(place, `${file} exists`).toBeDefined()
    // In the source a title may contain an escaped quote.
    const source = readFileSync(place!, 'utf8').replaceAll("\\'", "'")
    expect(source.includes(title), `${file} has a test "${title}"`).toBe(true)
  }
}

test.each(rowsBelow('Facts').map((row) => [row[0], row]))('fact: %s', (_, cells) => {
  for (const cell of cells) expect(cell).not.toBe('')
  expectTests(cells.at(-1) ?? '')
})

const bounds = rowsBelow('Bounds')
test.each(bounds.map((row) => [row[1], row]))('bound: %s', (_, [, bound, tests]) => {
  expect(bound).not.toBe('')
  expectTests(tests ?? '')
})

test('each class of attack has a test of what stops it', () => {
  const classes = new Set(exposed.map(classOf))
  expect([...new Set(bounds.map(([name]) => name?.replaceAll('`', '')))].sort()).toEqual(
    [...classes].sort(),
  )
})

describe('the attack of a route is what its costs say', () => {
  test.each(exposed)('$name', (route) => {
    const { rows, jobs, rpc, dns, requests, gas } = mostOf(route.costs)
    const [leaves, asks] = [rows + jobs, dns + requests]
    switch (classOf(route)) {
      case 'none':
        return expect({ leaves, asks, rpc, gas }).toEqual({ leaves: 0, asks: 0, rpc: 0, gas: 0 })
      case 'chain':
        return expect({ leaves, asks, isAsked: rpc > 0 }).toEqual({
          ...{ leaves: 0, asks: 0, isAsked: true },
        })
      case 'outgoing':
        return expect({ leaves, asks: asks > 0 }).toEqual({ leaves: 0, asks: true })
      case 'gas':
        return expect({ rows, isAsked: rpc > 0 }).toEqual({ rows: 0, isAsked: true })
      default:
        return expect(rows).toBeGreaterThan(0)
    }
  })
})

test('every path that is declared beside the route table is one of the server', async () => {
  await using w = await world()
  for (const { name, tag } of exposed) {
    const [method = '', url = ''] = name.replace(/\{(\w+)\}/g, ':$1').split(' ')
    expect([name, tag, w.app.hasRoute({ method: method as 'GET', url })]).toEqual([name, tag, true])
  }
})
