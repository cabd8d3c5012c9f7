import { type Static, Type } from 'typebox'
import {
  iso,
  isoOrNull,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  Timestamp,
} from '../../../api/http/fields.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { readOpenContent } from '../../../base/protocols/ap2/read/content.ts'
import { exponentOf } from '../../../base/protocols/ap2/read/currency.ts'
import { readHop } from '../../../base/protocols/ap2/read/hop.ts'
import { nameOf } from './open/open-mandate.ts'
import type { OpenMandate } from './open/store.ts'
import type { MandateFacts } from './store.ts'

/** A mandate in a list: a payment that was made, or what an agent may pay. */
export const MandateBody = Type.Object({
  mandate_id: Type.String({ description: 'Id of the mandate' }),
  kind: Type.Unsafe<'open' | 'closed'>({
    type: 'string',
    enum: ['open', 'closed'],
    description: 'open, or closed: one that has paid',
  }),
  merchant: Type.String({ description: 'The payee; of an open mandate all of them' }),
  amount: Type.Number({
    description: 'Whole units of the currency; of an open mandate the most that one payment may be',
  }),
  currency: Type.String({ description: 'Currency of the amount, or the contract of its token' }),
  status: Type.String({
    description: 'SETTLED; of an open mandate ACTIVE, USED, EXPIRED, REVOKED',
  }),
  open_id: NullableString('Hash under which the use of the open mandate is counted'),
  settlement_id: NullableString('Id of the settlement'),
  spent: NullableNumber('The sum spent so far'),
  budget: NullableNumber('The most that may be spent in all'),
  uses: Type.Union([Type.Integer(), Type.Null()], { description: 'How often the link was paid' }),
  max_uses: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How often the link may be paid; 0 for any number',
  }),
  expires_at: NullableTimestamp('When it ends; null for never'),
  revoked_at: NullableTimestamp('When it was revoked; null where it is good'),
  created_at: Timestamp,
})
type MandateBody = Static<typeof MandateBody>

export const closedBody = (mandate: MandateFacts): MandateBody => ({
  mandate_id: mandate.mandateId,
  kind: 'closed',
  merchant: mandate.payeeId,
  amount: toNumber(mandate.amount, exponentOf(mandate.currency)),
  currency: mandate.currency,
  status: 'SETTLED',
  open_id: mandate.openId,
  settlement_id: mandate.settlementId,
  spent: null,
  budget: null,
  uses: null,
  max_uses: null,
  expires_at: null,
  revoked_at: null,
  created_at: iso(mandate.createdAt),
})

export function openBody(open: OpenMandate & { token: string }, at: Date): MandateBody {
  const out = (minor: bigint) => toNumber(minor, exponentOf(open.currency))
  const { payees, most } = limitsOf(open)
  return {
    mandate_id: nameOf(open),
    kind: 'open',
    merchant: payees.join(', '),
    amount: out(most),
    currency: open.currency,
    status: statusOf(open, at),
    open_id: open.openId,
    settlement_id: null,
    spent: out(open.spent),
    budget: open.budgetMax === null ? null : out(open.budgetMax),
    uses: open.uses,
    max_uses: open.maxUses,
    expires_at: isoOrNull(open.expiresAt),
    revoked_at: isoOrNull(open.revokedAt),
    created_at: iso(open.createdAt),
  }
}

function statusOf(open: OpenMandate, at: Date): 'ACTIVE' | 'USED' | 'EXPIRED' | 'REVOKED' {
  if (open.revokedAt) return 'REVOKED'
  if (open.maxUses !== null && open.uses >= open.maxUses) return 'USED'
  if (open.budgetMax !== null && open.spent >= open.budgetMax) return 'USED'
  return open.expiresAt && open.expiresAt <= at ? 'EXPIRED' : 'ACTIVE'
}

/** The payees that it discloses, and the largest single payment. */
function limitsOf({ token }: { token: string }): { payees: readonly string[]; most: bigint } {
  const { constraints } = readOpenContent(readHop(token).content)
  return {
    payees: constraints.flatMap((one) => (one.type === 'payment.allowed_payees' ? one.ids : [])),
    most: constraints.reduce(
      (least, one) =>
        one.type === 'payment.amount_range' && (least === 0n || one.max < least) ? one.max : least,
      0n,
    ),
  }
}
