import { afterEach, expect, test, vi } from 'vitest'
import { stubTerminal } from '../test/terminal.ts'
import { pairs } from './output.ts'
import { type Column, table } from './table.ts'

const HASH = `0x${'ab'.repeat(32)}`
const lines = (text: string) => text.split('\n')

let restore = () => {}
/** A terminal of so many columns, or none. */
function write(columns: number | undefined, run: () => string): string {
  vi.stubEnv('COLUMNS', columns === undefined ? undefined : String(columns))
  restore = stubTerminal(columns !== undefined)
  const text = run()
  restore()
  return text
}
afterEach(() => {
  restore()
  vi.unstubAllEnvs()
})

type Row = { id: string; memo: string; sum: string; card: string; nothing?: null }
const ROWS: Row[] = [
  {
    ...{ id: 'stl_01jz9q4m7k5cab456c9eb9d4b7', memo: `a\tword${' of more'.repeat(20)}` },
    ...{ sum: '1.5 USDC', card: 'card_01jz9q4m7k5cab456c9eb9d4b7' },
  },
  {
    ...{ id: 'stl_01jz9q4m7k5cab456c9eb9d4b8', memo: '漢字の長いメモ、とても長い👩\u200d👧です' },
    ...{ sum: '12.000001 USDC', card: 'card_01jz9q4m7k5cab456c9eb9d4b7' },
  },
]
const COLUMNS: readonly Column<Row>[] = [
  ['ID', (row) => row.id],
  ['SUM', (row) => row.sum],
  ['NOTHING', (row) => row.nothing],
  ['MEMO', (row) => row.memo],
  ['CARD', (row) => row.card],
]
const shown = (columns: number | undefined, rows = ROWS) =>
  write(columns, () => table(rows, COLUMNS, { none: 'There is none.' }))

test('a pipe gets a line a row, its cells whole and apart by a tab', () => {
  const text = shown(undefined)
  expect(lines(text).map((line) => line.split('\t').length)).toEqual([5, 5, 5])
  expect(lines(text)[0]).toBe('ID\tSUM\tNOTHING\tMEMO\tCARD')
  expect(lines(text)[2]).toBe(
    `${ROWS[1]?.id}\t12.000001 USDC\t-\t漢字の長いメモ、とても長い👩\u200d👧です\t${ROWS[1]?.card}`,
  )
})

test('a terminal gets a line a row in its width: texts are shortened, numbers and ids are not', () => {
  expect(shown(100, [])).toBe('There is none.')
  expect(lines(shown(400))[1]).toContain('of more of more of more')
  const [head = '', first = '', second = '', ...more] = lines(shown(80))
  expect(more).toEqual([])
  expect(head).not.toContain('NOTHING')
  expect(first).toMatch(
    /^stl_01jz9q4m7k5cab456c9eb9d4b7 {8}1\.5 USDC {2}a word of more… {2}card_01jz9q4m7…$/,
  )
  expect(second).toMatch(/^stl_01jz9q4m7k5cab456c9eb9d4b8 {2}12\.000001 USDC {2}漢字の長.*…/)
  for (const line of [head, first, second]) expect(line.length).toBeLessThanOrEqual(80)
})

test('a column that has no room is left out and named', () => {
  const all = lines(shown(60))
  expect(all[1]).toMatch(/^stl_01jz9q4m7k5cab456c9eb9d4b7 {8}1\.5 USDC {2}a word of m…$/)
  expect(all.slice(3)).toEqual(['No room for CARD: --json shows more.'])
  expect(lines(shown(40)).slice(0, 2)).toEqual(['ID', ROWS[0]?.id])
  expect(lines(shown(20))[1]).toBe('stl_01jz9q4m7k5cab4…')
})

test('names and values fit a terminal, and are one line each in a pipe', () => {
  const values = {
    Memo: 'some words '.repeat(12).trim(),
    Hash: HASH,
    'a name of many words indeed': 'x',
    Left: undefined,
  }
  const text = write(60, () => pairs(values))
  expect(lines(text).filter((line) => line.length > 60)).toEqual([`Hash  ${HASH}`])
  expect(text).toContain('a name of many words indeed\n  x')
  expect(lines(text)[0]).toMatch(/^Memo {2}some words/)
  expect(write(undefined, () => pairs(values))).toBe(
    `Memo\t${values.Memo}\nHash\t${HASH}\na name of many words indeed\tx`,
  )
})
