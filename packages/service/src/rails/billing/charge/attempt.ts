import type { CancelReason, CompleteReason } from '../../../api/events/types/agreements.ts'
import type { Uses } from '../../../api/http/services.ts'
import { notFound, Problem, type Refusal, refuse } from '../../../base/kernel/problem.ts'
import { nextPeriodStart, usageRulesOf } from '../../../base/protocols/ap2/judge/recurrence.ts'
import type { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { settleLink } from '../../../links/pay-links/settle.ts'
import type { Agreement, Charge } from '../../../members/agreements/agreement.ts'
import { settle } from '../../../money/settlements/settle.ts'
import type { PaidMandate } from '../../../money/settlements/settlement.ts'
import type { OpenMandate } from '../../ap2/mandates/open/store.ts'
import { type JudgedMandate, type MandateOutcome, payByMandate } from '../../ap2/settle/settle.ts'
import type { Attempt } from './outcome.ts'
import type { ChargeRows } from './rows.ts'

/** The outcome of a charge, and the refusal as a caller gets it. */
export type Decided = { attempt: Attempt; problem?: Problem | Ap2Refusal }
type Order = { agreement: Agreement; charge: Charge }

/** Refusals after which no retry can succeed. */
const ENDS: Readonly<Record<string, CancelReason>> = {
  mandate_revoked: 'mandate_revoked',
  mandate_expired: 'mandate_expired',
  mandate_key_untrusted: 'key_revoked',
  // A root without a `kid` is tried with the keys that are left.
  mandate_invalid_signature: 'key_revoked',
  pay_link_expired: 'pay_link_closed',
  pay_link_cancelled: 'pay_link_closed',
  pay_link_completed: 'pay_link_closed',
  card_closed: 'card_closed',
}
const USED_UP: Readonly<Record<string, CompleteReason>> = {
  mandate_budget_exceeded: 'budget',
  mandate_occurrences_exceeded: 'occurrences',
  mandate_already_used: 'occurrences',
}

/** The charge of a card that its wallet has sold: the buyer owes nothing. */
export const soldCard = (): Decided => ({
  attempt: { kind: 'refused', code: 'card_sold', ends: 'card_sold' },
  problem: notFound('card'),
})

/** An attempt that ends with a refusal. */
export const refused = (problem: Problem | Ap2Refusal): Decided => ({
  attempt: { kind: 'refused', code: problem.code, ends: ENDS[problem.code] },
  problem,
})

/**
 * Decides one charge on rows already read, in the books that its batch writes: as a mandate that anybody presents. It reads
 * and writes nothing.
 */
export function attemptCharge(
  rows: ChargeRows,
  {
    services,
    judged,
    order,
  }: { services: Uses<'chain' | 'settings'>; judged: JudgedMandate; order: Order },
): Decided {
  const { books } = rows
  const { payLinkCode } = order.agreement
  const link = payLinkCode === null ? null : books.links.now.get(payLinkCode)
  if (link === undefined) return refused(notFound('pay link'))
  const outcome = payByMandate(books, judged, {
    payLinkId: link?.id ?? null,
    pay: (mandate) => pay(rows, { services, order, mandate }),
  })
  return decidedBy(rows, { outcome, judged, order })
}

function pay(
  { books, wallets, meters }: ChargeRows,
  {
    services,
    order,
    mandate,
  }: { services: Uses<'chain' | 'settings'>; order: Order; mandate: PaidMandate },
): ReturnType<typeof settleLink> | ReturnType<typeof settle> | Refusal {
  const { agreement } = order
  const { amount, id: agreementId } = agreement
  const payer = books.batch.cards.get(agreement.payerCardId ?? '')
  if (!payer) return refuse(notFound('card'))
  const asset = assetOf(services.chain, agreement)
  const { fee } = services.settings
  // A threshold tops up the fee meter of the card's own wallet.
  const isAgreed = agreement.chargesMade > 0 || agreement.triggerType === 'threshold'
  const charge = { agreementId, ...(isAgreed && { isCharged: true as const }) }
  const by = { payer, amount, rail: 'ap2' as const, asset, fee, mandate, ...charge }
  if (agreement.payLinkCode !== null) {
    const link = books.links.now.get(agreement.payLinkCode)
    return link ? settleLink(books, { ...by, link }) : refuse(notFound('pay link'))
  }
  const payee =
    agreement.triggerType === 'threshold'
      ? meters.get(agreement.payerWallet)
      : wallets.get(agreement.merchantWallet)
  return payee ? settle(books.batch, { ...by, payee }) : refuse(notFound('wallet'))
}

function decidedBy(
  { books }: ChargeRows,
  of: { outcome: MandateOutcome; judged: JudgedMandate; order: Order },
): Decided {
  const { outcome, judged, order } = of
  const { openId = '' } = judged.presentation
  const open = books.opens.get(openId)
  switch (outcome.kind) {
    case 'settled':
    case 'already': {
      const settlementId = outcome.facts.settlementId as `stl_${string}`
      const usedUp = open && leftOf(open, judged)
      return { attempt: { kind: 'paid', settlementId, usedUp } }
    }
    case 'stale':
      return refused(new Problem('overloaded', 'The card or the link has just changed.'))
    case 'rejected':
      return refused(outcome.problem)
    case 'refused': {
      const { code } = outcome.refusal
      const problem = outcome.refusal
      const from = code === 'mandate_too_early' && open ? earliest(open, judged) : undefined
      if (from) return { attempt: { kind: 'too_early', from }, problem }
      const reason = USED_UP[code]
      // A new agreement is refused by it, and one that was charged has come to its end.
      if (reason && order.agreement.chargesMade > 0)
        return { attempt: { kind: 'used_up', reason }, problem }
      return refused(problem)
    }
  }
}

/** Why the open mandate allows no further charge of the same amount; undefined if it does. */
function leftOf(open: OpenMandate, { presentation }: JudgedMandate): CompleteReason | undefined {
  const { amount } = presentation.closed.amount
  if (open.maxUses !== null && open.uses >= open.maxUses) return 'occurrences'
  if (open.budgetMax !== null && open.spent + amount > open.budgetMax) return 'budget'
  return undefined
}

/** The start of the next period of the open mandate. */
function earliest(open: OpenMandate, { presentation }: JudgedMandate): Date | undefined {
  const recurrence = usageRulesOf(presentation)?.recurrence
  const { uses, spent, firstAt, lastAt } = open
  return (
    recurrence &&
    nextPeriodStart(
      { uses, spent, ...(firstAt && { firstAt }), ...(lastAt && { lastAt }) },
      recurrence,
    )
  )
}
