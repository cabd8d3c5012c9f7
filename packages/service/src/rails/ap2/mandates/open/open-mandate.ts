import { digestOf } from '../../../../base/protocols/ap2/jose/digest.ts'
import { thumbprintOf } from '../../../../base/protocols/ap2/jose/keys.ts'
import {
  type OpenPaymentMandate,
  readOpenContent,
} from '../../../../base/protocols/ap2/read/content.ts'
import { readJti, readSeconds } from '../../../../base/protocols/ap2/read/fields.ts'
import { readHop } from '../../../../base/protocols/ap2/read/hop.ts'
import { Ap2Refusal } from '../../../../base/protocols/ap2/refusal.ts'
import { isObject, member } from '../../../../base/protocols/json.ts'
import type { OpenMandate } from './store.ts'

/** The largest values of the columns. A larger limit has no effect. */
const BIGINT_MAX = 2n ** 63n - 1n
const INTEGER_MAX = 2 ** 31 - 1

/**
 * The row of an open mandate that has not backed a payment yet: one that is issued here, or revoked before its first use.
 * Throws `Ap2Refusal` for a malformed token.
 */
export function openMandateOf(
  at: Date,
  of: { cardId: string; token: string; issuedHere: boolean },
): OpenMandate & { token: string } {
  const { cardId, issuedHere } = of
  const token = of.token.endsWith('~') ? of.token : `${of.token}~`
  const { signingInput, content } = readHop(token)
  // As `readPresentation` has it: over what the root signed, and not over its signature.
  const openId = `sha256:${digestOf(signingInput)}`
  const open = readOpenContent(content)
  return { ...newOpenMandate(at, { cardId, openId, open, token }), issuedHere, token }
}

/** As `openMandateOf`, of one that somebody else issued and that is read already. */
export function newOpenMandate(
  at: Date,
  of: { cardId: string; openId: string; open: OpenPaymentMandate; token: string | null },
): OpenMandate {
  const { cardId, openId, open, token } = of
  const end = readSeconds(open.content, 'exp')
  return {
    cardId,
    openId,
    jti: readJti(open.content) ?? null,
    issuedHere: false,
    agentKid: thumbprintOf(open.agentKey),
    ...limitsOf(open),
    spent: 0n,
    uses: 0,
    firstAt: null,
    lastAt: null,
    expiresAt: end === undefined ? null : new Date(end * 1000),
    revokedAt: null,
    token,
    createdAt: at,
  }
}

/** The limits over all payments, in the one currency that its cap leaves it. */
function limitsOf(
  open: OpenPaymentMandate,
): Pick<OpenMandate, 'currency' | 'budgetMax' | 'maxUses'> {
  const currency = currencyOf(open)
  let budgetMax: bigint | null = null
  let maxUses: number | null = 1
  for (const constraint of open.constraints) {
    if (constraint.type === 'payment.budget' && constraint.currency === currency)
      budgetMax = least(constraint.max, budgetMax ?? BIGINT_MAX)
    if (constraint.type === 'payment.agent_recurrence')
      maxUses =
        constraint.maxOccurrences === undefined
          ? null
          : Math.min(constraint.maxOccurrences, INTEGER_MAX)
  }
  return { currency, budgetMax, maxUses }
}

function currencyOf({ constraints, content }: OpenPaymentMandate): string {
  const range = constraints.find((constraint) => constraint.type === 'payment.amount_range')
  if (range?.type === 'payment.amount_range') return range.currency
  const preset = member(content, 'payment_amount')
  const currency = isObject(preset) ? member(preset, 'currency') : undefined
  if (typeof currency === 'string') return currency
  throw new Ap2Refusal('mandate_limits_missing', 'The open mandate caps no amount')
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The name of an open mandate for callers. */
export const nameOf = ({ jti, issuedHere, openId }: OpenMandate): string =>
  issuedHere && jti !== null && jti !== '' ? jti : openId
