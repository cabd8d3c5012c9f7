import { expect, test } from 'vitest'
import { atomicText, exactPlain, exactText, moneyText } from './amounts.ts'

const decimalsOf = (asset: string): number | undefined => (asset === 'TOK' ? 18 : undefined)

test('an amount is shown to its last unit', () => {
  expect(moneyText(1234567.890123)).toBe('1,234,567.890123')
  expect(moneyText(2)).toBe('2.00')
  expect(atomicText('1', 18)).toBe('0.000000000000000001')
  expect(atomicText('123456789000000000000000001', 18)).toBe('123,456,789.000000000000000001')
  expect(atomicText('7', 0)).toBe('7.00')
})

test('a row of an asset with more decimals than a number holds is read from its base units', () => {
  const row = { asset: 'TOK', amount: 1, amount_atomic: '1000000000000000001' }
  expect(exactText(row, 'amount', decimalsOf)).toBe('1.000000000000000001')
  expect(exactPlain(row, 'amount', decimalsOf)).toBe('1.000000000000000001')
  expect(exactPlain({ ...row, amount_atomic: '3000000000000000000' }, 'amount', decimalsOf)).toBe(
    '3',
  )
})

test('a row names its own decimals, its asset by several names, and nothing is guessed', () => {
  const units = { amount: 0, amount_atomic: '5' }
  expect(exactText({ ...units, asset: 'ACME', decimals: 8 }, 'amount', decimalsOf)).toBe(
    '0.00000005',
  )
  expect(exactText({ ...units, funding_asset: 'TOK' }, 'amount', decimalsOf)).toMatch(/5$/)
  expect(exactText({ ...units, asset: 'ACME' }, 'amount', decimalsOf)).toBe('…')
  expect(exactText({ asset: 'USDC', amount: '1234.5' } as object, 'amount', decimalsOf)).toBe(
    '1,234.50',
  )
})
