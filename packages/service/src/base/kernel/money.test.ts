import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, feeOf, minus, plus } from './money.ts'

const tariff = (bps: bigint, flat = 0n) => ({ bps, flat: amount(flat) })

test('no payment is so small that it pays no fee', () => {
  // 50 basis points of 99 base units are 0.495, which would round to zero.
  for (const gross of [1n, 2n, 99n, 100n, 199n, 299n])
    expect(feeOf(amount(gross), tariff(50n))).toBe(1n)
  expect(feeOf(amount(300n), tariff(50n))).toBe(2n)
  expect(feeOf(amount(99n), tariff(0n))).toBe(0n)
  expect(feeOf(amount(99n), tariff(50n, 7n))).toBe(8n)
  expect(feeOf(amount(0n), tariff(50n, 7n))).toBe(0n)
})

test('a payment is its net and its fee, neither below zero, and in parts it never pays less', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 12n })
  fc.assert(
    fc.property(
      units,
      units,
      fc.bigInt({ min: 1n, max: 10_000n }),
      fc.bigInt({ min: 0n, max: 10n ** 6n }),
      (a, b, bps, flat) => {
        const of = (gross: bigint) => feeOf(amount(gross), tariff(bps, flat))
        const fee = of(a)
        expect(fee).toBeGreaterThanOrEqual(1n)
        expect(plus(minus(amount(a), fee), fee)).toBe(a)
        // Rounding half up loses less than one base unit a part.
        expect(of(a) + of(b) + 1n).toBeGreaterThanOrEqual(of(a + b))
      },
    ),
  )
})
