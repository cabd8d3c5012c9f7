import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAmount, parseAmount } from '../../service/src/base/kernel/money.ts'
import { Amount } from '../src/purser.ts'

const decimals = fc.integer({ min: 0, max: 36 })
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

test('an amount is written and read again exactly, by any decimals, as the service writes it', () => {
  fc.assert(
    fc.property(units, decimals, (atomic, decimals) => {
      const amount = Amount.atomic(atomic, decimals)
      expect(amount.toString()).toBe(formatAmount(atomic, decimals))
      expect(Amount.of(`${amount}`, decimals).atomic).toBe(atomic)
      expect(JSON.parse(JSON.stringify({ amount }))).toEqual({ amount: String(amount) })
    }),
  )
})

const SERVICE_MOST = 1_000_000_000n * 10n ** 6n
const written = fc.oneof(
  fc
    .tuple(fc.bigInt({ min: 0n, max: SERVICE_MOST }), fc.nat(3))
    .map(
      ([atomic, zeros]) =>
        `${formatAmount(atomic, 6)}${atomic % 1_000_000n ? '0'.repeat(zeros) : ''}`,
    ),
  fc.stringMatching(/^[0-9.+ -]{0,12}$/),
)

test('it takes what the service takes, and reads the same in it', () => {
  const read = (parse: () => bigint) => {
    try {
      return parse()
    } catch {
      return 'refused'
    }
  }
  fc.assert(
    fc.property(written, (text) => {
      const there = read(() => parseAmount(text, 6))
      // The service also has a most that one request may send, which is no matter of exactness.
      fc.pre(there !== 'refused' || text.replace(/\..*$/, '').length < 10)
      expect(read(() => Amount.of(text).atomic)).toBe(there)
    }),
    { numRuns: 2_000 },
  )
})

test('a number that the service sends is the amount that it means, up to 15 digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), (atomic) => {
      const wire: number = JSON.parse(formatAmount(atomic, 6))
      // Below 0.000001 JavaScript writes exponents, and USDC has no such amount.
      expect(Amount.of(wire).atomic).toBe(atomic)
    }),
  )
})

describe('what is not exact is refused, with the reason', () => {
  test.each([
    ['1.2345678', 'has more than 6 decimals'],
    [0.1 + 0.2, 'has more than 15 digits'],
    [Number('12345678901.123456'), 'has more than 15 digits'],
    [2 ** 53, 'has more than 15 digits'],
    [Number.NaN, 'is not a plain decimal'],
    [Number.POSITIVE_INFINITY, 'is not a plain decimal'],
    [-1, 'is not a plain decimal'],
    [1e-7, 'is not a plain decimal'],
    [1e21, 'is not a plain decimal'],
    ['1e3', 'is not a plain decimal'],
    ['0x10', 'is not a plain decimal'],
    ['1,5', 'is not a plain decimal'],
    [' 1', 'is not a plain decimal'],
    ['1.', 'is not a plain decimal'],
    ['.5', 'is not a plain decimal'],
    ['', 'is not a plain decimal'],
    [null, 'is not a plain decimal'],
    [[1], 'is not a plain decimal'],
    [10n, 'use Amount.atomic'],
  ])('%s: %s', (value, why) => {
    expect(() => Amount.of(value as string)).toThrow(RangeError)
    expect(() => Amount.of(value as string)).toThrow(why)
  })

  test('and so are units and decimals that there are not', () => {
    expect(() => Amount.atomic(-1n)).toThrow(RangeError)
    expect(() => Amount.atomic(1 as never)).toThrow('pass a bigint')
    for (const decimals of [-1, 1.5, 256, Number.NaN])
      expect(() => Amount.atomic(1n, decimals)).toThrow('is no number of decimals')
  })
})

test('amounts are compared by value, and do not change', () => {
  const [nine, ten] = [Amount.of('9'), Amount.of(10)]
  expect([ten > nine, ten < nine, nine <= Amount.of('9.000000')]).toEqual([true, false, true])
  expect(() => Object.assign(ten, { atomic: 1n })).toThrow(TypeError)
})
