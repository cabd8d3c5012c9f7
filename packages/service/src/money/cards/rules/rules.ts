import { perLimit } from '../../../base/kernel/card-limits.ts'
import { type Amount, amount } from '../../../base/kernel/money.ts'
import type { Card, KeptRules } from '../card.ts'
import type { Limits } from '../windows.ts'
import { PACE_NAMES, type PaceChange } from './pace.ts'

/** The rules of a card that its owner sets: its controls, and its limits but for that of the whole card. */
export type Rules = Limits &
  Pick<
    Card,
    'mccLocks' | 'allowedMerchants' | 'maxTransaction' | 'approvalAbove' | 'approvalFirstMerchant'
  >
export type RuleChange = Partial<Rules>

/** The rules by their names in the API. */
export const RULE_NAMES = {
  mccLocks: 'mcc_locks',
  allowedMerchants: 'allowed_merchants',
  maxTransaction: 'max_transaction',
  approvalAbove: 'approval_above',
  approvalFirstMerchant: 'approval_first_merchant',
  ...perLimit('field', ({ name }) => name),
} as const satisfies Record<keyof Rules, string>
const RULES = Object.keys(RULE_NAMES) as (keyof Rules)[]

const NAMES: Readonly<Record<string, string>> = { ...RULE_NAMES, ...PACE_NAMES }

/** The names in the API of the controls that are set. */
export const namesIn = (change: RuleChange & PaceChange): string[] =>
  Object.entries(NAMES).flatMap(([field, name]) => (field in change ? [name] : []))

export const rulesOf = (card: Rules): Rules => ({
  mccLocks: card.mccLocks,
  allowedMerchants: card.allowedMerchants,
  maxTransaction: card.maxTransaction,
  approvalAbove: card.approvalAbove,
  approvalFirstMerchant: card.approvalFirstMerchant,
  ...perLimit('field', ({ field }) => card[field]),
})

/** The rules as a draft keeps them. */
export const keepRules = (change: RuleChange): KeptRules =>
  Object.fromEntries(
    RULES.flatMap((rule) => {
      const value = change[rule]
      if (value === undefined) return []
      return [[RULE_NAMES[rule], typeof value === 'bigint' ? String(value) : value]]
    }),
  )

/** Reads what `keepRules` made. Undefined for anything else: a draft that does not read must not stop a payment. */
export function readKeptRules(kept: unknown): RuleChange | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const read: Record<string, unknown> = {}
  for (const rule of RULES) {
    const name = RULE_NAMES[rule]
    if (!(name in kept)) continue
    const value = READ[rule]((kept as Record<string, unknown>)[name])
    if (value === undefined) return undefined
    read[rule] = value
  }
  return read as RuleChange
}

const amountOf = (value: unknown): Amount | null | undefined => {
  if (value === null) return null
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? amount(BigInt(value)) : undefined
}
const READ: { readonly [R in keyof Rules]: (value: unknown) => Rules[R] | undefined } = {
  mccLocks: (value) => (typeof value === 'string' ? value : undefined),
  allowedMerchants: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string') ? value : undefined,
  maxTransaction: amountOf,
  approvalAbove: amountOf,
  approvalFirstMerchant: (value) => (typeof value === 'boolean' ? value : undefined),
  ...perLimit('field', () => amountOf),
}
