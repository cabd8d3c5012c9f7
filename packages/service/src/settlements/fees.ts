import { type Amount, amount, feeOf, ZERO } from '../kernel/money.ts'

/** A part of the amount, in basis points, and a flat sum in base units. */
export type FeeRule = { bps: bigint; flat: Amount }

/**
 * The rules that a wallet has of its own, by rail; `*` is for every rail without one. Null for a wallet that pays the
 * service's own fee.
 */
export type FeeRules = Readonly<Record<string, readonly [bps: number, flat: string]>> | null

/** The house pays itself no fee. */
export const NO_FEE: FeeRules = { '*': [0, '0'] }

/** The fee rule of a payee: its own for the rail, else its own for every rail, else the service's. */
export function feeRuleFor(rules: FeeRules, rail: string, standard: FeeRule): FeeRule {
  const own = rules?.[rail] ?? rules?.['*']
  if (!own) return standard
  const [bps, flat] = own
  return { bps: BigInt(bps), flat: amount(BigInt(flat)) }
}

/** The fee that a payee with these rules pays on an amount, in base units. */
export const feeFor = (
  gross: Amount,
  by: { rules: FeeRules; rail: string; standard: FeeRule },
): Amount => (gross === ZERO ? ZERO : feeOf(gross, feeRuleFor(by.rules, by.rail, by.standard)))
