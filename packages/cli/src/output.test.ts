import { expect, test, vi } from 'vitest'
import { pairs, table } from './output.ts'

const HASH = `0x${'ab'.repeat(32)}`
const lines = (text: string) => text.split('\n')

test('a table fits 60 columns: what does not fit goes on below, and no value is cut', () => {
  vi.stubEnv('COLUMNS', undefined)
  const rows = [
    { id: 'card_01jz9q4m7k5cab456c9eb9d4b7', memo: 'a word '.repeat(20).trim(), sum: '1.5 USDC' },
    { id: 'card_01jz9q4m7k5cab456c9eb9d4b8', memo: '-', sum: '12.000001 USDC' },
  ]
  const text = table(
    rows,
    [
      ['ID', (row) => row.id],
      ['SUM', (row) => row.sum],
      ['HASH', () => HASH],
      ['MEMO', (row) => row.memo],
      ['NOTHING', () => null],
    ],
    'none',
  )
  expect(lines(text).filter((line) => line.length > 60)).toEqual([`  ${HASH}`, `  ${HASH}`])
  expect(text).toContain('card_01jz9q4m7k5cab456c9eb9d4b7        1.5 USDC\n')
  expect(text).toContain('card_01jz9q4m7k5cab456c9eb9d4b8  12.000001 USDC\n')
  expect(text.match(/word/g)).toHaveLength(20)
  expect(text).not.toContain('NOTHING')
  vi.unstubAllEnvs()
})

test('a wider terminal has a row in one line', () => {
  vi.stubEnv('COLUMNS', '200')
  const columns = [
    ['A', () => HASH],
    ['B', () => HASH],
  ] as const
  expect(lines(table([{}], columns, 'none'))).toHaveLength(2)
  vi.unstubAllEnvs()
})

test('names and values fit 60 columns, and a value that fits no line stays beside its name', () => {
  vi.stubEnv('COLUMNS', undefined)
  const long = 'some words '.repeat(12).trim()
  const text = pairs({
    Memo: long,
    Hash: HASH,
    'a name of many words indeed': 'x',
    Left: undefined,
  })
  expect(lines(text).filter((line) => line.length > 60)).toEqual([`Hash  ${HASH}`])
  expect(text).toContain('a name of many words indeed\n  x')
  expect(lines(text)[0]).toMatch(/^Memo {2}some words/)
  vi.unstubAllEnvs()
})
