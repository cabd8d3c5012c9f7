import { Type } from 'typebox'
import {
  AssetField,
  AtomicOut,
  iso,
  isoOrNull,
  NullableString,
  NullableTimestamp,
  OneOf,
  shownAmounts,
  Timestamp,
} from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { RAILS } from '../../../base/protocols/rails.ts'
import { APPROVAL_KINDS, APPROVAL_STATUSES, type Approval, payeeName } from '../consent.ts'
import { standingAt } from './answer.ts'
import { approvalPath } from './ask.ts'
import type { Remedy } from './remedies.ts'

export const ApprovalBody = Type.Object({
  id: Type.String({ description: 'Id of the approval' }),
  card_id: Type.String({ description: 'Id of the card that pays' }),
  kind: OneOf(APPROVAL_KINDS, 'asked: a payment waited; allowed_once: a decline was allowed'),
  reason: Type.String({
    description: '`above_amount`, `first_merchant`, or the rule of the decline that was allowed',
  }),
  status: OneOf(APPROVAL_STATUSES, 'State of the approval'),
  amount: Type.Number({ description: 'The most that the payment may take from the card' }),
  amount_atomic: AtomicOut,
  asset: AssetField,
  payee: Type.String({ description: 'The host, wallet or address that is paid' }),
  merchants: Type.Array(Type.String(), { description: 'Every name of the payee' }),
  mcc: NullableString('Merchant category code, four digits; null for none'),
  protocol: OneOf(RAILS, 'Protocol by which it is paid'),
  approve_url: Type.String({ description: 'The page of the approval' }),
  created_at: Timestamp,
  expires_at: Type.String({
    ...Timestamp,
    description: 'Until when it can be answered; of an approved one: until when it can be used',
  }),
  decided_at: NullableTimestamp('When the owner answered; null until then'),
  used_at: NullableTimestamp('When the payment was made; null until then'),
  used_by: NullableString('Id of the payment that it let pass; null until then'),
})

export const RemedyBody = Type.Object({
  action: OneOf(
    ['allow_once', 'allow_payee', 'raise_limit', 'fund', 'unfreeze'],
    'What would let the payment pass',
  ),
  text: Type.String({ description: 'The same in words' }),
  payee: Type.Optional(Type.String({ description: 'The payee that would be allowed' })),
  limit: Type.Optional(Type.String({ description: 'The limit that would be raised' })),
  to: Type.Optional(Type.Number({ description: 'The limit with which it would have passed' })),
  amount: Type.Optional(Type.Number({ description: 'The amount that was missing on the card' })),
  method: Type.String({ description: 'HTTP method of the operation that does it' }),
  path: Type.String({ description: 'Path of that operation' }),
  body: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Body of that operation' }),
  ),
})

/** The remedies of a decision as the API shows them, each with the operation that does it. */
export const shownRemedies = (
  remedies: readonly Remedy[],
  of: { id: string; cardId: string; asset: Asset },
) => remedies.map((remedy) => ({ method: 'POST', ...shownRemedy(remedy, of) }))

function shownRemedy(
  remedy: Remedy,
  { id, cardId, asset }: { id: string; cardId: string; asset: Asset },
) {
  const { action } = remedy
  const allow = { path: `/api/decisions/${id}/allow` }
  const out = (value: bigint) => toNumber(value, asset.decimals)
  switch (remedy.action) {
    case 'allow_once':
      return { action, text: 'Allow this payment once', ...allow, body: { once: true } }
    case 'allow_payee': {
      const { payee } = remedy
      return { action, text: `Allow the payee ${payee}`, payee, ...allow, body: { payee: true } }
    }
    case 'raise_limit': {
      const { limit } = remedy
      const to = out(remedy.to)
      const text = `Raise ${limit} to ${to} ${asset.symbol}`
      return { action, text, limit, to, ...allow, body: { limit: true } }
    }
    case 'fund': {
      const missing = out(remedy.amount)
      const text = `Fund the card with ${missing} ${asset.symbol}`
      const body = { amount: missing }
      return { action, text, amount: missing, path: `/api/cards/${cardId}/fund`, body }
    }
    case 'unfreeze':
      return { action, text: 'Unfreeze the card', path: `/api/cards/${cardId}/unfreeze` }
  }
}

export function approvalBody(
  found: Approval,
  { at, asset, publicUrl }: { at: Date; asset: Asset; publicUrl: string },
) {
  const approval = standingAt(found, at)
  return {
    id: approval.id,
    card_id: approval.cardId,
    kind: approval.kind,
    reason: approval.reason,
    status: approval.status,
    ...shownAmounts({ amount: approval.amount }, asset.decimals),
    asset: asset.symbol,
    payee: payeeName(approval),
    merchants: approval.merchants,
    mcc: approval.mcc,
    protocol: approval.rail,
    approve_url: publicUrl + approvalPath(approval.id),
    created_at: iso(approval.createdAt),
    expires_at: iso(approval.expiresAt),
    decided_at: isoOrNull(approval.decidedAt),
    used_at: isoOrNull(approval.usedAt),
    used_by: approval.usedBy,
  }
}
