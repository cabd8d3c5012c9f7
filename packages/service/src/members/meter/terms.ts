import type { Reader } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { utcDay } from '../../base/kernel/clock.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { meterKey } from '../../money/ledger/account-keys.ts'
import { readAvailable } from '../../money/ledger/balance.ts'
import { findFeeRules } from '../../money/settlements/fee-rules/store.ts'
import { type FeeRule, feeRuleFor } from '../../money/settlements/fees.ts'
import { findPlanOverage, readStandings, tierAt } from '../membership/store.ts'
import { readOwed, readUsed } from './store.ts'

/** The asset of all fee meters: a wallet prepays its fees in one, whatever its settlements are in. */
export const meterAsset = (chain: Pick<Chain, 'assets'>): Asset => defaultAsset(chain)

/** The terms on which a wallet's DIRECT settlements are metered. */
export type Terms = {
  /** Its membership is ACTIVE or PAST_DUE. */
  hasPlan: boolean
  /** Settlements of a month without a fee. */
  quota: number
  /** The fee of each one above. */
  overage: Amount
}
export type MeterStanding = Terms & {
  used: number
  balance: Amount
  owed: Amount
  resetsAt: Date
}

/**
 * The worth of a DIRECT payment as its fee is compared with it, in base units of the service's asset. Another token has no
 * price here: `named` if it is no less than what the seller asks for, else `unknown`.
 */
export type Worth = Amount | 'named' | 'unknown'

/**
 * Whether a payment is metered. One that is worth less than its own fee is not, and neither is one of unknown worth: anybody
 * can send a seller grains, and they would use up the quota, cost fees and close the gate.
 */
export const isMetered = (worth: Worth, overage: Amount): boolean =>
  worth === 'named' || (worth !== 'unknown' && worth >= overage)

/** The first day of the UTC month, by which the quota counts. */
export const monthOf = (at: Date): string => `${utcDay(at).slice(0, 7)}-01`

/**
 * The overage is that of the plan, or `starter` for a wallet that never had one, unless the operator has set another
 * (`fee_rules`).
 */
export async function readTerms(on: Reader, at: Date, walletAddress: string): Promise<Terms> {
  const [standings, rules] = await Promise.all([
    readStandings(on, [walletAddress], at),
    findFeeRules(on, { wallets: [walletAddress], kind: 'direct_overage', tierOf: tierAt(at) }),
  ])
  const standing = standings.get(walletAddress)
  const byPlan = standing?.overageFee ?? (await findPlanOverage(on, 'starter'))
  const rule = rules.get(walletAddress) ?? null
  const hasPlan = standing?.isLive === true
  return {
    hasPlan,
    quota: hasPlan ? standing.directQuota : 0,
    overage: feeRuleFor(rule, { bps: 0n, flat: byPlan }).flat,
  }
}

/** A wallet's quota and meter, without a lock. */
export async function readMeter(
  on: Reader,
  at: Date,
  { walletAddress, asset }: { walletAddress: string; asset: Asset },
): Promise<MeterStanding> {
  const [terms, used, balance, owed] = await Promise.all([
    readTerms(on, at, walletAddress),
    readUsed(on, { walletAddress, month: monthOf(at) }),
    readAvailable(on, meterKey(asset, walletAddress)),
    readOwed(on, walletAddress),
  ])
  const resetsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
  return { ...terms, used, balance, owed, resetsAt }
}

/** The kinds of fee that are a part of a payment. */
const SHOWN = ['settlement', 'payment', 'sale'] as const
export type Schedule = Record<(typeof SHOWN)[number], FeeRule>

/** The fees of a wallet's payments now. `standard` counts where the operator has set none. */
export async function readSchedule(
  on: Reader,
  at: Date,
  { walletAddress, standard }: { walletAddress: string; standard: FeeRule },
): Promise<Schedule> {
  const rules = await Promise.all(
    SHOWN.map((kind) => findFeeRules(on, { wallets: [walletAddress], kind, tierOf: tierAt(at) })),
  )
  const [settlement, payment, sale] = rules.map((rule) =>
    feeRuleFor(rule.get(walletAddress) ?? null, standard),
  ) as [FeeRule, FeeRule, FeeRule]
  return { settlement, payment, sale }
}
