import { type Amount, amount, feeOf, ZERO } from '../../base/kernel/money.ts'

/** A part of the amount, in basis points, and a flat sum in base units. */
export type FeeRule = { bps: bigint; flat: Amount }

/** The payments that a rule is for. The receiver's wallet decides for a settlement, the payer's for `/api/pay`. */
export const FEE_KINDS = ['settlement', 'payment', 'sale', 'direct_overage'] as const
export type FeeKind = (typeof FEE_KINDS)[number]
export const FEE_SCOPES = ['default', 'tier', 'wallet'] as const
export type FeeScope = (typeof FEE_SCOPES)[number]

/** The rule that counts for a wallet, as rows are read with it. Null: the service's configuration counts. */
export type SetRule = readonly [bps: number, flat: string] | null

/** The house pays itself no fee. */
export const NO_FEE: SetRule = [0, '0']

/** The rule itself: the one that was set, else the service's own. */
export function feeRuleFor(rule: SetRule, standard: FeeRule): FeeRule {
  if (!rule) return standard
  const [bps, flat] = rule
  return { bps: BigInt(bps), flat: amount(BigInt(flat)) }
}

/** The fee on an amount under this rule, in base units. */
export const feeFor = (gross: Amount, by: { rule: SetRule; standard: FeeRule }): Amount =>
  gross === ZERO ? ZERO : feeOf(gross, feeRuleFor(by.rule, by.standard))
