import { parseAmount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'

/** How far the chain must be past a transfer before it is credited. `finalized` is later than `safe`. */
export type Finality = 'safe' | 'finalized'
/**
 * The level that applies from this amount on, in base units of USDC. Levels are in rising order; the first is from 0.
 */
export type CreditLevel = { from: bigint; finality: Finality }
/** Every amount at `safe`. */
export const SAFE_LEVELS: readonly CreditLevel[] = [{ from: 0n, finality: 'safe' }]

/** The finality that a transfer of `value` base units waits for. */
export const finalityOf = (levels: readonly CreditLevel[], value: bigint): Finality =>
  levels.findLast(({ from }) => value >= from)?.finality ?? 'finalized'

/** Whether any amount waits for more than `safe`. */
export const waitsLonger = (levels: readonly CreditLevel[]): boolean =>
  levels.some(({ finality }) => finality === 'finalized')

/**
 * Reads levels as `0:safe,10000:finalized`, with amounts in whole USDC. Returns faulty text with what is wrong with it,
 * as the rest of a sentence.
 */
export function readLevels(text: string, decimals: number): readonly CreditLevel[] | string {
  const levels: CreditLevel[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    const [amount = '', finality, ...more] = part.split(':').map((one) => one.trim())
    if ((finality !== 'safe' && finality !== 'finalized') || more.length > 0)
      return `must be amounts with safe or finalized, comma-separated, and "${part}" is not`
    const from = readFrom(amount, decimals)
    if (from === undefined) return `must name amounts of USDC, and "${amount}" is none`
    levels.push({ from, finality })
  }
  if (levels[0]?.from !== 0n) return 'must begin with the amount 0'
  const isRising = levels.every(({ from, finality }, i) => {
    const before = levels[i - 1]
    if (!before) return true
    return from > before.from && !(before.finality === 'finalized' && finality === 'safe')
  })
  return isRising
    ? levels
    : 'must rise: larger amounts later, and never less deep than smaller ones'
}

function readFrom(text: string, decimals: number): bigint | undefined {
  try {
    return parseAmount(text, decimals)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return undefined
  }
}
