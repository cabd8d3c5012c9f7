import type { Uses } from '../../../api/http/services.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'

/** Refuses an amount that is worth less than its gas. `value` is in base units of USDC. */
export function checkOnChainMinimum(
  { chain, settings }: Uses<'chain' | 'settings'>,
  value: bigint,
  param: string,
): void {
  const { minimum } = settings.gas
  if (value > 0n && value >= minimum) return
  const { symbol, decimals } = defaultAsset(chain)
  const code = value > 0n ? 'amount_below_minimum' : 'invalid_amount'
  throw new Problem(
    code,
    `${param} must be at least ${minimum > 0n ? minimum : 1n} base units, ${formatAmount(minimum, decimals)} ${symbol}: a smaller payment is not submitted to the chain.`,
    { param, extra: { minimum: String(minimum) } },
  )
}
