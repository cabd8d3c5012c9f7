import type { BuiltEvent } from '../../../api/events/define.ts'
import {
  approvalApproved,
  type approvalDenied,
  type approvalExpired,
  approvalRequested,
} from '../../../api/events/types/approvals.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { newId } from '../../../base/kernel/ids.ts'
import type { CardWithMoney } from '../card.ts'
import { type Approval, type Consent, payeeName, wordOn } from '../consent.ts'
import type { Decision, Spend } from '../policy.ts'
import type { KnownPayee } from './store.ts'

/** The time in which an owner answers. */
const REQUEST_HOURS = 24

export type Waiting = Extract<Decision, { rule: 'approval_required' }>

/** The page of an approval. */
export const approvalPath = (id: string): string => `/approvals/${id}`

/** The question that a payment waits for: the one that was asked before, or a new one. */
export function questionOf(
  at: Date,
  of: { card: CardWithMoney; spend: Spend; reason: string; consent: Consent },
): { approval: Approval; isNew: boolean } {
  const { card, spend, reason, consent } = of
  const pending = wordOn(card, spend, { consent, at, status: 'PENDING' })
  if (pending) return { approval: pending, isNew: false }
  const approval: Approval = {
    id: newId('apr', at),
    cardId: card.id,
    walletAddress: card.walletAddress,
    ownerNo: card.ownerNo,
    kind: 'asked',
    reason,
    rail: spend.rail,
    amount: spend.amount,
    merchants: [...spend.merchants],
    mcc: spend.mcc,
    request: spend.request ?? '',
    waives: null,
    decisionId: null,
    status: 'PENDING',
    createdAt: at,
    expiresAt: addHours(at, REQUEST_HOURS),
    decidedAt: null,
    usedAt: null,
    usedBy: null,
  }
  return { approval, isNew: true }
}

/** The payee that is known from now on, to each card of the family that asks about new ones. */
export const payeesOfGrant = (family: readonly CardWithMoney[], grant: Approval): KnownPayee[] =>
  family
    .filter(({ approvalFirstMerchant }) => approvalFirstMerchant)
    .map(({ id, ownerNo }) => ({ cardId: id, ownerNo, payee: payeeName(grant) }))

const dataOf = (approval: Approval) => ({
  approval_id: approval.id,
  card_id: approval.cardId,
  merchant: payeeName(approval),
  rail: approval.rail,
  amount: approval.amount,
  expires_at: approval.expiresAt.toISOString(),
})

export const askedEvent = (
  kind: Pick<typeof approvalRequested, 'of'>,
  approval: Approval,
  asset: Asset,
): BuiltEvent =>
  kind.of({
    walletAddress: approval.walletAddress,
    asset,
    data: { ...dataOf(approval), reason: approval.reason },
  })

export const requestedEvent = (approval: Approval, asset: Asset): BuiltEvent =>
  askedEvent(approvalRequested, approval, asset)
export const approvedEvent = (approval: Approval, asset: Asset): BuiltEvent =>
  askedEvent(approvalApproved, approval, asset)

export const endedEvent = (
  kind: Pick<typeof approvalDenied | typeof approvalExpired, 'of'>,
  approval: Approval,
  asset: Asset,
): BuiltEvent => kind.of({ walletAddress: approval.walletAddress, asset, data: dataOf(approval) })
