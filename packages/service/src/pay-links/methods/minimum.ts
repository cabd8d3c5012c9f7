import type { Services } from '../../http/services.ts'
import { formatAmount } from '../../kernel/money.ts'
import { assetOf } from '../link.ts'
import type { PayLink } from '../store.ts'

/** Whether a payment of `value` base units of USDC is worth its gas. */
export const isWorthCarrying = ({ settings }: Pick<Services, 'settings'>, value: bigint): boolean =>
  value > 0n && value >= settings.gas.minimum

/** Whether a payment of a link on chain is worth its gas. The worth of another token than ours is not known. */
export const isLinkWorthCarrying = (
  services: Pick<Services, 'chain' | 'settings'>,
  link: PayLink,
  value: bigint,
): boolean =>
  assetOf(services.chain, link) === services.chain.asset
    ? isWorthCarrying(services, value)
    : value > 0n

/** The refusal of a payment on chain below the minimum, as x402 names it. */
export function belowMinimum({ chain, settings }: Pick<Services, 'chain' | 'settings'>) {
  const { symbol, decimals } = chain.asset
  const least = formatAmount(settings.gas.minimum, decimals)
  const detail = `A payment on chain must be at least ${least} ${symbol}. Pay less by card or by AP2 mandate.`
  return { kind: 'refused', reason: 'amount_below_minimum', detail } as const
}
