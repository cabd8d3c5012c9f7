import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import { type Amount, amount, plus } from '../../../base/kernel/money.ts'
import { payeeName } from '../consent.ts'
import type { DeclineRow } from '../decisions.ts'

/** A step of the owner by which a declined payment would pass. Amounts are in base units. */
export type Remedy =
  | { action: 'allow_once' }
  | { action: 'allow_payee'; payee: string }
  | { action: 'raise_limit'; limit: RaisedLimit; to: Amount }
  | { action: 'fund'; amount: Amount }
  | { action: 'unfreeze' }

/** The limits of a card that its owner raises, by their names in the API. */
export const RAISED_LIMITS = [
  'max_transaction',
  'approval_above',
  ...CARD_LIMITS.map(({ name }) => name),
] as const
export type RaisedLimit = (typeof RAISED_LIMITS)[number]
type Declined = Pick<DeclineRow, 'rule' | 'amount' | 'merchants' | 'inputs'>

/** The remedies of a decline, as the card stood then. */
export function remediesOf(row: Declined): Remedy[] {
  const once: Remedy = { action: 'allow_once' }
  const payee: Remedy = { action: 'allow_payee', payee: payeeName(row) }
  const raise = (limit: RaisedLimit, to: Amount): Remedy => ({ action: 'raise_limit', limit, to })
  if (row.inputs.refused_by !== undefined) return WAIVED.includes(row.rule) ? [once] : []
  switch (row.rule) {
    case 'card_frozen':
      return [{ action: 'unfreeze' }]
    case 'merchant_not_allowed':
      return payee.payee === '' ? [once] : [once, payee]
    case 'mcc_blocked':
      return [once]
    case 'max_transaction_exceeded':
      return [once, raise('max_transaction', row.amount)]
    case 'approval_required':
    case 'approval_denied':
      return isAbove(row) ? [once, raise('approval_above', row.amount)] : [once, payee]
    case 'limit_exceeded':
      return [
        { action: 'fund', amount: missing(row, ['spent', 'held', 'delegated'], 'limit_amount') },
      ]
    case 'insufficient_funds':
      return [{ action: 'fund', amount: missing(row, [], 'available') }]
  }
  const limit = CARD_LIMITS.find(({ code }) => code === row.rule)
  return limit ? [once, raise(limit.name, plus(row.amount, inputOf(row, limit.usedName)))] : []
}

/** The rules of a card above that a grant lets its child's payment pass. Its limits are raised on that card itself. */
const WAIVED: readonly string[] = [
  'mcc_blocked',
  'merchant_not_allowed',
  'max_transaction_exceeded',
  ...CARD_LIMITS.map(({ code }) => code),
]

const isAbove = (row: Declined): boolean =>
  typeof row.inputs.approval_above === 'string' && row.amount > inputOf(row, 'approval_above')

const inputOf = ({ inputs }: Declined, name: string): Amount =>
  amount(BigInt(String(inputs[name] ?? 0)))

function missing(row: Declined, used: string[], limit: string): Amount {
  const wanted = used.reduce((sum, name) => plus(sum, inputOf(row, name)), row.amount)
  return amount(wanted - inputOf(row, limit))
}
