import fc from 'fast-check'
import { expect, test } from 'vitest'
import { liquidityOf, priceOf, rangeOf, startTickOf, tokensOf } from './price.ts'
import { MAX_TICK, outermostTick, sqrtPriceAt } from './ticks.ts'

// The contract's own constants, and values of its published tests.
test('the ends of all prices are those of the contract', () => {
  expect(sqrtPriceAt(-MAX_TICK)).toBe(4295128739n)
  expect(sqrtPriceAt(MAX_TICK)).toBe(1461446703485210103287273052203988822378723970342n)
  expect(sqrtPriceAt(0)).toBe(2n ** 96n)
  expect(sqrtPriceAt(50)).toBe(79426470787362580746886972461n)
  expect(sqrtPriceAt(-50)).toBe(79030349367926598376800521322n)
  expect(sqrtPriceAt(250_000)).toBe(21246587762933397357449903968194344n)
  expect(sqrtPriceAt(-500_000)).toBe(1101692437043807371n)
})

const prices = fc.bigInt({ min: 10n ** 6n, max: 10n ** 24n })
const spacings = fc.constantFrom(200, 60, 10, 173)

test('the start is the lowest step that is not below the price asked for, whichever currency comes first', () => {
  fc.assert(
    fc.property(prices, spacings, fc.boolean(), (price, spacing, isFirst) => {
      const tick = startTickOf(price, spacing, { isFirst })!
      expect(tick % spacing === 0).toBe(true)
      // One part in 1e6 for the rounding of the smallest prices to a unit.
      const slack = price / 1_000_000n + 1n
      expect(priceOf(sqrtPriceAt(tick), { isFirst })).toBeGreaterThanOrEqual(price - slack)
      const before = tick + (isFirst ? -spacing : spacing)
      expect(priceOf(sqrtPriceAt(before), { isFirst })).toBeLessThan(price + slack)
    }),
  )
})

test('the position takes in all that is sold but for less than a billionth of a token', () => {
  fc.assert(
    fc.property(
      prices,
      spacings,
      fc.boolean(),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      (price, spacing, isFirst, whole) => {
        const tokens = whole * 10n ** 18n
        const range = rangeOf(startTickOf(price, spacing, { isFirst })!, spacing, { isFirst })
        const liquidity = liquidityOf(tokens, range, { isFirst })
        const taken = tokensOf(liquidity, range, { isFirst })
        expect(liquidity).toBeGreaterThan(0n)
        expect(taken).toBeLessThanOrEqual(tokens)
        expect(tokensOf(liquidity + 1n, range, { isFirst })).toBeGreaterThan(tokens)
        expect(Math.abs(range.lowerTick)).toBeLessThanOrEqual(outermostTick(spacing))
      },
    ),
  )
})
