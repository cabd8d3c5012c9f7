import { Type } from 'typebox'
import { AmountIn, expiryOf, HoursField, MetadataIn, TextField } from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { CARD_LIMITS, perLimit } from '../../../base/kernel/card-limits.ts'
import { type Amount, parseAmount, parsePositiveAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { type PaceChange, paceFields } from '../rules/pace.ts'
import type { RuleChange } from '../rules/rules.ts'
import type { CardOrder } from './issue.ts'

const MccField = Type.String({
  maxLength: 1000,
  description:
    'Comma-separated 4-digit merchant category codes the card is locked to; empty for none',
})
const MerchantsField = Type.Array(TextField({ minLength: 1, maxLength: 253 }), {
  maxItems: 100,
  description:
    'Hosts (`*.example.com` for all below), pay link codes or wallet addresses; empty for any',
})

const APPROVAL_ABOVE =
  'A payment above this amount waits for the approval of the owner; null for none'
const FirstMerchantField = Type.Boolean({
  description: 'Whether the first payment to each payee waits for the approval of the owner',
})

/** The fields of a card order; bulk issue takes many orders. */
export const orderFields = {
  purpose: TextField({ minLength: 1, maxLength: 200, description: 'Human-readable label' }),
  limit_amount: AmountIn,
  mcc_locks: Type.Optional(MccField),
  single_use: Type.Optional(
    Type.Boolean({ description: 'Whether the card ends with its first payment' }),
  ),
  expires_in: Type.Optional(HoursField),
  ...perLimit('name', () => Type.Optional(AmountIn)),
  max_transaction: Type.Optional(AmountIn),
  ...paceFields(),
  approval_above: Type.Optional(AmountIn),
  approval_first_merchant: Type.Optional(FirstMerchantField),
  allowed_merchants: Type.Optional(MerchantsField),
  settlement_mode: Type.Optional(
    Type.Unsafe<'CUSTODIAL' | 'DIRECT'>({
      type: 'string',
      enum: ['CUSTODIAL', 'DIRECT'],
      description:
        'DIRECT: payers pay your own wallet on chain. The card takes no money from your balance, and spends none',
    }),
  ),
  metadata: Type.Optional(MetadataIn),
}
export const OrderBody = Type.Object(orderFields, { additionalProperties: false })
type Order = Type.Static<typeof OrderBody>

const ruleFields = {
  mcc_locks: Type.Optional(MccField),
  ...perLimit('name', ({ description }) =>
    Type.Optional(Type.Union([AmountIn, Type.Null()], { description })),
  ),
  max_transaction: Type.Optional(
    Type.Union([AmountIn, Type.Null()], {
      description: 'The most that one payment may be; null for no limit',
    }),
  ),
  approval_above: Type.Optional(
    Type.Union([AmountIn, Type.Null()], { description: APPROVAL_ABOVE }),
  ),
  approval_first_merchant: Type.Optional(FirstMerchantField),
  allowed_merchants: Type.Optional(MerchantsField),
}
/** The rules that a draft may have. */
export const RulesBody = Type.Object(ruleFields, { additionalProperties: false })
export const ControlsBody = Type.Object(
  { ...ruleFields, ...paceFields() },
  { additionalProperties: false },
)

/** Reads a card order, refusing the first wrong field. */
export function readOrder(
  order: Order,
  with_: { at: Date; walletAddress: string; asset: Asset; prefix?: string },
): CardOrder {
  const { at, walletAddress, asset, prefix = '' } = with_
  const optional = (value: number | string | undefined, name: string): Amount | null =>
    value === undefined ? null : parsePositiveAmount(value, asset.decimals, prefix + name)
  return {
    walletAddress,
    asset,
    purpose: order.purpose,
    limitAmount: parsePositiveAmount(order.limit_amount, asset.decimals, `${prefix}limit_amount`),
    mccLocks: readMccLocks(order.mcc_locks ?? '', `${prefix}mcc_locks`),
    singleUse: order.single_use ?? false,
    expiresAt: expiryOf(at, order.expires_in),
    ...perLimit('field', ({ name }) => optional(order[name], name)),
    maxTransaction: optional(order.max_transaction, 'max_transaction'),
    rollingLimit: optional(order.rolling_30d_limit ?? undefined, 'rolling_30d_limit'),
    maxPaymentsPerMinute: order.max_payments_per_minute ?? null,
    maxLikePayments: order.max_like_payments ?? null,
    approvalAbove: readAbove(order.approval_above ?? null, asset, `${prefix}approval_above`),
    approvalFirstMerchant: order.approval_first_merchant ?? false,
    allowedMerchants: order.allowed_merchants ?? [],
    settlementMode: order.settlement_mode ?? 'CUSTODIAL',
    metadata: order.metadata ?? {},
  }
}

/** Reads changed controls. A missing field changes nothing; null removes a limit. */
export const readControls = (
  body: Type.Static<typeof ControlsBody>,
  asset: Asset,
): RuleChange & PaceChange => ({ ...readRules(body, asset), ...readPace(body, asset) })

/** Reads changed rules, as `readControls`. */
export function readRules(body: Type.Static<typeof RulesBody>, asset: Asset): RuleChange {
  const limit = (value: number | string | null, name: string): Amount | null =>
    value === null ? null : parsePositiveAmount(value, asset.decimals, name)
  const change: RuleChange = {}
  if (body.mcc_locks !== undefined) change.mccLocks = readMccLocks(body.mcc_locks, 'mcc_locks')
  for (const { field, name } of CARD_LIMITS) {
    const value = body[name]
    if (value !== undefined) change[field] = limit(value, name)
  }
  if (body.max_transaction !== undefined)
    change.maxTransaction = limit(body.max_transaction, 'max_transaction')
  if (body.approval_above !== undefined)
    change.approvalAbove = readAbove(body.approval_above, asset, 'approval_above')
  if (body.approval_first_merchant !== undefined)
    change.approvalFirstMerchant = body.approval_first_merchant
  if (body.allowed_merchants !== undefined) change.allowedMerchants = body.allowed_merchants
  return change
}

/** Reads changed limits of pace, as `readControls`. */
function readPace(body: Type.Static<typeof ControlsBody>, asset: Asset): PaceChange {
  const { rolling_30d_limit: rolling, max_payments_per_minute, max_like_payments } = body
  const change: PaceChange = {}
  if (rolling !== undefined)
    change.rollingLimit =
      rolling === null ? null : parsePositiveAmount(rolling, asset.decimals, 'rolling_30d_limit')
  if (max_payments_per_minute !== undefined) change.maxPaymentsPerMinute = max_payments_per_minute
  if (max_like_payments !== undefined) change.maxLikePayments = max_like_payments
  return change
}

/** With zero the owner is asked about every payment. */
const readAbove = (value: number | string | null, asset: Asset, param: string): Amount | null =>
  value === null ? null : parseAmount(value, asset.decimals, param)

function readMccLocks(text: string, param: string): string {
  const codes = text
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '')
  if (codes.some((code) => !/^\d{4}$/.test(code)))
    throw new Problem(
      'invalid_field',
      `${param} must be 4-digit codes with commas between, e.g. "5734,7372".`,
      { param },
    )
  return [...new Set(codes)].join(',')
}
