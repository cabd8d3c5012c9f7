import { importKey } from '../../../../base/protocols/ap2/jose/keys.ts'
import type { Constraint } from '../../../../base/protocols/ap2/read/constraints.ts'
import { PRESETS, readOpenContent } from '../../../../base/protocols/ap2/read/content.ts'
import { invalidField, readSeconds } from '../../../../base/protocols/ap2/read/fields.ts'
import { isObject, type JsonObject, member } from '../../../../base/protocols/json.ts'
import { readField } from '../../read-field.ts'

/** A billing agreement may run for years, and not for ever. */
const LIFE_MAX_SECONDS = 5 * 366 * 24 * 3600
const CLOCK_SKEW_SECONDS = 60
const MEMBERS = new Set(['vct', 'jti', 'constraints', 'cnf', 'iat', 'exp', 'nbf', ...PRESETS])

/**
 * Refuses, as 400, a prepared content that the service will not sign for this card: another card, no end or a late one,
 * no cap, no payees, a constraint or member that is not understood. What it answers is safe to sign as it is.
 */
export function checkOpenContent(at: Date, cardId: string, content: JsonObject): void {
  readField('content', () => {
    const { constraints, agentKey } = readOpenContent(content)
    importKey(agentKey)
    for (const name of Object.keys(content))
      if (!MEMBERS.has(name))
        throw invalidField('content', 'without members that AP2 does not name')
    checkTimes(at, content)
    checkInstruments(cardId, content, constraints)
    checkCaps(constraints)
  })
}

function checkTimes(at: Date, content: JsonObject): void {
  const now = Math.floor(at.getTime() / 1000)
  const [exp, iat] = [readSeconds(content, 'exp'), readSeconds(content, 'iat')]
  if (exp === undefined || exp <= now || exp > now + LIFE_MAX_SECONDS)
    throw invalidField('exp', 'present, in the future and at most five years away')
  if (iat !== undefined && iat > now + CLOCK_SKEW_SECONDS)
    throw invalidField('iat', 'not in the future')
}

/** Exactly this card, wherever an instrument is named. */
function checkInstruments(
  cardId: string,
  content: JsonObject,
  constraints: readonly Constraint[],
): void {
  const lists = constraints.filter(({ type }) => type === 'payment.allowed_payment_instruments')
  const isThisCard = (one: Constraint): boolean =>
    one.type === 'payment.allowed_payment_instruments' &&
    one.ids.length > 0 &&
    one.ids.every((id) => id === cardId)
  if (lists.length === 0 || !lists.every(isThisCard))
    throw invalidField('payment.allowed_payment_instruments', 'present and name this card alone')
  const preset = member(content, 'payment_instrument')
  if (isObject(preset) && member(preset, 'id') !== cardId)
    throw invalidField('payment_instrument', 'this card')
}

function checkCaps(constraints: readonly Constraint[]): void {
  const of = (type: Constraint['type']) => constraints.filter((one) => one.type === type)
  const [unresolved] = of('unresolved')
  if (unresolved?.type === 'unresolved')
    throw invalidField(`constraint ${unresolved.name}`, `understood: ${unresolved.why}`)
  if (of('payment.amount_range').length !== 1)
    throw invalidField('payment.amount_range', 'present once')
  const payees = of('payment.allowed_payees')
  if (
    payees.length === 0 ||
    payees.some((one) => one.type === 'payment.allowed_payees' && one.ids.length === 0)
  )
    throw invalidField('payment.allowed_payees', 'present and not empty')
  const recurrences = of('payment.agent_recurrence').length
  if (recurrences > 1 || (recurrences === 1 && of('payment.budget').length === 0))
    throw invalidField('payment.agent_recurrence', 'present once at most, beside a payment.budget')
}
