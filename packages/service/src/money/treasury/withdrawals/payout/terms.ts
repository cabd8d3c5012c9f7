import { shownAmounts } from '../../../../api/http/fields.ts'
import type { Uses } from '../../../../api/http/services.ts'
import type { Settings } from '../../../../api/http/settings.ts'
import { type Amount, toNumber } from '../../../../base/kernel/money.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import type { Rail } from '../../../../chain/client/chain.ts'
import { isTokenRail } from '../../../../chain/client/rails.ts'
import { findPayoutWay, type PayoutWay } from '../../../../chain/client/tokens/payout-way.ts'
import { allowPermit2 } from '../../../../chain/relay/pull/permit2.ts'

/** The fee of a withdrawal in the rail's asset, and its least amount, in base units. */
export const termsOf = (settings: Settings, rail: Rail): Settings['withdrawal'] =>
  isTokenRail(rail) ? settings.tokenWithdrawal : settings.withdrawal

/** The fee of a withdrawal of this amount. Refuses an amount below the minimum, or one that the fee would use up. */
export function withdrawalFee(amount: Amount, settings: Settings, rail: Rail): Amount {
  const { fee, minimum } = termsOf(settings, rail)
  if (amount >= minimum && amount > fee) return fee
  const { symbol, decimals } = rail.asset
  const show = (value: bigint) => toNumber(value, decimals)
  const least = amount < minimum ? `at least ${show(minimum)}` : `above the fee of ${show(fee)}`
  throw new Problem('invalid_amount', `A withdrawal must be ${least} ${symbol}.`, {
    param: 'amount',
    extra: {
      ...shownAmounts({ withdrawal_fee: fee, minimum_withdrawal: minimum }, decimals),
      network: settings.network,
    },
  })
}

/** A way in which the treasury can pay out. */
export type OpenWay = Exclude<PayoutWay, { kind: 'none' }>

/** The way to pay the rail's asset out. Throws `invalid_asset` if there is none. */
export async function payoutWayOf(rail: Rail): Promise<OpenWay> {
  const way = await findPayoutWay(rail)
  if (way.kind !== 'none') return way
  throw new Problem(
    'invalid_asset',
    `${rail.asset.symbol} cannot be withdrawn here: ${way.why}. It pays memberships; withdraw USDC instead.`,
    { param: 'asset' },
  )
}

/**
 * Ensures that Permit2 may move the amount where it pays. The first time, a relayer carries the treasury's signed allowance;
 * without one that can be signed, an operator must have given it.
 */
export async function preparePayout(
  services: Uses<'db' | 'relay'>,
  at: Date,
  { rail, way, amount }: { rail: Rail; way: OpenWay; amount: bigint },
): Promise<void> {
  if (way.kind !== 'permit2') return
  const paid = { ...rail, asset: way.asset }
  await allowPermit2({ rail: paid, db: services.db, relay: services.relay }, at, {
    needed: amount,
    canPermit: way.canPermit,
  })
}
