import { perLimit } from '../../../base/kernel/card-limits.ts'
import type { ProblemCode } from '../../../base/kernel/problem.ts'
import { pascal } from './names.ts'
import type { Schema } from './shape.ts'

/** The members of every error body. */
const ERROR_SCHEMA: Schema = {
  type: 'object',
  description: 'Why the request was refused. Some codes add members of their own.',
  required: ['error', 'code', 'request_id'],
  properties: {
    error: { type: 'string', description: 'A sentence that says what was wrong and what to do' },
    code: { type: 'string', description: 'Stable: branch on this' },
    request_id: { type: 'string', description: 'As in X-Request-Id' },
    param: { type: 'string', description: 'The request field at fault' },
  },
}

const text = (description: string): Schema => ({ type: 'string', description })
const number = (description: string): Schema => ({ type: 'number', description })
const word = (words: string[], description: string): Schema => ({
  type: 'string',
  enum: words,
  description,
})
const anything = (description: string): Schema => ({ description })

/** The further members that an error body may have. */
const MEMBERS: Readonly<Record<string, Schema>> = {
  available: number('The available amount, in whole units of the asset'),
  requested: number('The requested amount, in whole units of the asset'),
  network: text('CAIP-2 id of the chain'),
  asset: text('Symbol of the asset'),
  withdrawal_fee: number('The fee of the withdrawal'),
  minimum_withdrawal: number('The least that can be withdrawn'),
  minimum: text('The least amount that is carried to the chain'),
  passes_at: { ...text('From when on the card may pay this'), format: 'date-time' },
  status: text('State of the pay link, or of the listing'),
  confirmed_at: { type: ['string', 'null'], description: 'When the link was paid' },
  seen: anything('The transfer as seen before its confirmation; null if none is seen'),
  type: word(['receive'], 'Kind of link'),
  reason: text('Why, as a stable word'),
  challenge: anything('The offers of the seller, each with the reason why it was not taken'),
  problem: anything('The problem document of the seller (RFC 9457)'),
  transaction_id: text('Id of the payment'),
  outcome: word(['not_charged'], 'Nothing was paid'),
  response: anything('The answer of the seller; null where none came'),
  refundable: number('The amount that can still be refunded'),
  migrate_to: text('The operation to call instead'),
  ap2_error: text('The word of AP2 for it'),
  violations: { type: 'array', items: {}, description: 'Each limit of the mandate that it breaks' },
  receipt: text('A signed receipt that says that the mandate was refused'),
  message: text('The text that the sender signs to say that its transaction paid this link'),
  settlement_id: text('Id of the settlement'),
  status_url: text('Where to ask how the payment stands'),
  exception_id: text('Id of the exception'),
  withdrawal_id: text('Id of the withdrawal that gives it back'),
  total_ticked: number('The sum of the ticks so far'),
  remaining: number('The rest of the budget'),
  required: number('The allowance that is needed'),
  allowance: number('The allowance that there is'),
  operator: text('Address of the contract to approve'),
  approval_id: text('Id of the approval that the payment waits for'),
  approve_url: text('The page of that approval, for the owner of the card'),
  expires_at: { ...text('Until when the owner can approve it'), format: 'date-time' },
  success: { type: 'boolean', description: 'false: nothing was paid' },
  decision_id: text('Id of the decision: the owner may allow it'),
  listing_id: text('Id of the open listing'),
  changed: {
    type: 'array',
    items: { type: 'string', description: 'Part of the version of a card, or name of a rule' },
    description: 'What has changed meanwhile',
  },
  version: text('The version of the card now'),
  step: text('The step that the chain would refuse'),
  chainId: { type: 'integer', description: 'Id of the chain' },
}

const OF_CODE: Partial<Record<ProblemCode, readonly string[]>> = {
  insufficient_balance: ['available', 'requested', 'network', 'asset', 'withdrawal_fee'],
  insufficient_funds: ['available'],
  invalid_amount: ['withdrawal_fee', 'minimum_withdrawal', 'network', 'refundable'],
  amount_below_minimum: ['minimum'],
  ...perLimit('code', () => ['passes_at']),
  limit_exceeded: ['passes_at'],
  pay_link_expired: ['status', 'type'],
  pay_link_cancelled: ['status'],
  pay_link_completed: ['status', 'confirmed_at', 'seen'],
  no_payable_option: ['challenge', 'problem', 'reason'],
  payment_rejected: ['outcome', 'transaction_id', 'response', 'problem'],
  payment_exception: ['exception_id', 'reason'],
  already_refunded: ['withdrawal_id'],
  invalid_payment: ['reason'],
  gone: ['migrate_to'],
  binding_required: ['message'],
  settlement_pending: ['settlement_id', 'status_url', 'transaction_id'],
  stream_budget_exceeded: ['total_ticked', 'remaining'],
  approval_required: [
    ...['required', 'allowance', 'operator'],
    ...['approval_id', 'approve_url', 'expires_at', 'success'],
  ],
  approval_denied: ['passes_at'],
  draft_outdated: ['changed'],
  already_listed: ['listing_id'],
  listing_closed: ['status'],
  listing_changed: ['changed', 'version'],
  launch_would_fail: ['step'],
  markets_unavailable: ['chainId'],
}
const OF_MANDATES = ['ap2_error', 'violations', 'receipt']

/** The members of several codes, or of one with many, by the name of the schema that holds them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...Object.entries(OF_CODE)
    .filter(([, names]) => names.length > 1)
    .map(([code, names]) => [`${pascal(code)}Details`, names]),
  ['MandateDetails', OF_MANDATES],
])

const membersOf = (names: readonly string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, MEMBERS[name] ?? {}]))

const groupOf = (code: string): string =>
  code.startsWith('mandate_') && !(code in OF_CODE) ? 'MandateDetails' : `${pascal(code)}Details`

/** A schema for bodies with one of the codes. `more` are members that the operation adds to all of its refusals. */
export function refusalSchema(
  codes: readonly ProblemCode[],
  more: readonly string[] = [],
): { allOf: Schema[] } {
  const groups = [...new Set(codes.map(groupOf))].filter((name) => GROUPS[name])
  const single = codes.flatMap((code) => (GROUPS[groupOf(code)] ? [] : (OF_CODE[code] ?? [])))
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        properties: { code: { enum: codes }, ...membersOf([...new Set([...more, ...single])]) },
      },
      ...groups.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    ],
  }
}

/** The schemas that refusals refer to, by name. */
export const REFUSAL_SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: ERROR_SCHEMA,
  ...Object.fromEntries(
    Object.entries(GROUPS).map(([name, names]) => [
      name,
      { type: 'object', properties: membersOf(names) },
    ]),
  ),
}
