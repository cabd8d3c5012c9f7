import type { Uses } from '../../../api/http/services.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'
import { assetOfLink, leastOf } from '../../link/link.ts'
import type { PayLink } from '../../link/store.ts'

/** Whether a payment of `value` base units of USDC is worth its gas. */
export const isWorthCarrying = ({ settings }: Uses<'settings'>, value: bigint): boolean =>
  value > 0n && value >= settings.gas.minimum

/**
 * Whether a payment of a link is submitted to the chain: it is what the link takes, and worth its gas. The worth of another
 * token than ours is not known.
 */
export const isLinkWorthCarrying = (
  services: Uses<'chain' | 'settings'>,
  link: PayLink,
  value: bigint,
): boolean =>
  value >= (leastOf(link) ?? 0n) &&
  (assetOfLink(services.chain, link) === defaultAsset(services.chain)
    ? isWorthCarrying(services, value)
    : value > 0n)

/** The refusal of a payment of a link on chain below the minimum, as x402 names it; undefined for any other. */
export function belowMinimum(services: Uses<'chain' | 'settings'>, link: PayLink, value: bigint) {
  if (isLinkWorthCarrying(services, link, value)) return undefined
  const { symbol, decimals } = assetOfLink(services.chain, link)
  const { minimum } = services.settings.gas
  const least = link.minAmount === null || link.minAmount < minimum ? minimum : link.minAmount
  const hint = least === minimum ? ' Pay less by card or by AP2 mandate.' : ''
  const detail = `A payment on chain must be at least ${formatAmount(least, decimals)} ${symbol}.${hint}`
  return { kind: 'refused', reason: 'amount_below_minimum', detail } as const
}
