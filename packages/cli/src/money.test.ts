import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountIn, decimal, fromAtomic } from './money.ts'

/** The decimal of an amount as the service writes it. */
const written = (units: bigint, decimals: number): string => fromAtomic(String(units), decimals)

test('an amount is shown to its last base unit, in any size that JSON carries exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n), (units) => {
      expect(decimal(JSON.parse(written(units, 6)))).toBe(written(units, 6))
    }),
  )
  expect(decimal(0.000001)).toBe('0.000001')
  expect(decimal(1e-7)).toBe('0.0000001')
  expect(decimal(0)).toBe('0')
  expect(decimal('0.10')).toBe('0.10')
})

test('a number that JSON may have rounded says so, and its exact form goes before', () => {
  expect(decimal(JSON.parse('12345678901.234567'))).toMatch(/^~12345678901\.23456/)
  expect(decimal(1e21)).toBe('1000000000000000000000')
  const row = { amount: 1.2345678901234567, amount_atomic: '1234567890123456789', decimals: 18 }
  expect(amountIn({ ...row, asset: 'DAI' }, 'amount')).toBe('1.234567890123456789 DAI')
  expect(amountIn({ amount: null, asset: 'DAI' }, 'amount')).toBe('-')
})

test('a member named token is the asset only where it looks like one', () => {
  expect(amountIn({ amount: 1, token: 'USDC' }, 'amount')).toBe('1 USDC')
  expect(amountIn({ amount: 1, token: 'tok_abc' }, 'amount')).toBe('1')
  expect(amountIn({ amount: 1, token: `0x${'a'.repeat(40)}` }, 'amount')).toBe('1')
})
