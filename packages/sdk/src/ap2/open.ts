import { randomUuid } from '../crypto/uuid.ts'
import { PurserError } from '../error.ts'
import { checkNames, type NamesOf } from '../options/names.ts'
import { digestOf } from './encode.ts'
import { type MandateKey, type PublicJwk, signToken } from './key.ts'
import { disclose, serialize } from './token.ts'

export type Merchant = { id: string; name: string; website?: string }
export type Frequency =
  | 'ON_DEMAND'
  | 'DAILY'
  | 'WEEKLY'
  | 'BIWEEKLY'
  | 'MONTHLY'
  | 'QUARTERLY'
  | 'ANNUALLY'

/**
 * The limits within which an agent may use a card. Amounts are whole minor units: cents of `USD`, millionths of `USDC`.
 */
export type OpenOrder = {
  /** The user's key, registered on the card with the role `user`. */
  key: MandateKey
  cardId: string
  /** The only key that may close mandates under this one. */
  agentKey: PublicJwk
  currency: string
  /** The largest single payment. */
  maxAmount: number
  /** The smallest single payment. Default: 0. */
  minAmount?: number
  /** The payees allowed: the `payee` of each link's `ap2` block, or the merchant's wallet address as `id`. */
  payees: readonly Merchant[]
  /** The limit of all payments together. Required with `recurrence`. */
  budget?: number
  /** Without it the mandate allows one payment. */
  recurrence?: { frequency: Frequency; maxOccurrences?: number }
  /** How long the mandate is valid. Default: one hour. */
  expiresInSeconds?: number
  /** The time of signing. Default: now. */
  at?: Date
}

export type OpenMandate = {
  mandate: string
  /** Identifies the mandate's use and revocation in the service. */
  mandateId: string
  expiresAt: Date
}

const HOUR = 3600

const NAMES: NamesOf<OpenOrder> = {
  key: true,
  cardId: true,
  agentKey: true,
  currency: true,
  maxAmount: true,
  minAmount: true,
  payees: true,
  budget: true,
  recurrence: true,
  expiresInSeconds: true,
  at: true,
}
const RECURRENCE_NAMES: NamesOf<NonNullable<OpenOrder['recurrence']>> = {
  frequency: true,
  maxOccurrences: true,
}

/**
 * Signs an open payment mandate (AP2 v0.2, `mandate.payment.open.1`) with the user's key: what an agent may pay, with
 * which card, to whom and until when. Throws `PurserError` with the code `invalid_terms` for terms that cannot be signed.
 *
 * ```ts
 * const open = await openMandate({
 *   key: user, cardId: card.id, agentKey: agent.publicJwk,
 *   currency: 'USD', maxAmount: 500, payees: [link.ap2.payee],
 * })
 * ```
 */
export async function openMandate(order: OpenOrder): Promise<OpenMandate> {
  checkNames(order, NAMES, 'openMandate')
  checkNames(order.recurrence, RECURRENCE_NAMES, 'recurrence')
  const issued = secondsOf(order.at ?? new Date())
  const expires = issued + wholeNumber(order.expiresInSeconds ?? HOUR, 'expiresInSeconds')
  if (order.recurrence && order.budget === undefined)
    throw invalidTerms('A recurring mandate needs a budget')
  const disclosures: string[] = []
  const content = {
    vct: 'mandate.payment.open.1',
    jti: randomUuid(),
    constraints: await constraintsOf(order, disclosures),
    cnf: { jwk: order.agentKey },
    iat: issued,
    exp: expires,
  }
  const delegated = [await disclose(content, disclosures)]
  const jwt = await signToken(
    { typ: 'dc+sd-jwt', kid: order.key.kid },
    { delegate_payload: delegated, _sd_alg: 'sha-256' },
    order.key,
  )
  return {
    mandate: serialize(jwt, disclosures),
    mandateId: `sha256:${await digestOf(jwt.slice(0, jwt.lastIndexOf('.')))}`,
    expiresAt: new Date(expires * 1000),
  }
}

/** The presenter may withhold only elements of `allowed` lists. A limit that could be withheld would not bind. */
async function constraintsOf(order: OpenOrder, disclosures: string[]): Promise<unknown[]> {
  const hide = (items: readonly unknown[]) =>
    Promise.all(items.map((item) => disclose(item, disclosures)))
  const { currency, budget, recurrence } = order
  return [
    {
      type: 'payment.amount_range',
      currency,
      min: order.minAmount === undefined ? 0 : wholeNumber(order.minAmount, 'minAmount'),
      max: wholeNumber(order.maxAmount, 'maxAmount'),
    },
    { type: 'payment.allowed_payees', allowed: await hide(order.payees) },
    {
      type: 'payment.allowed_payment_instruments',
      allowed: await hide([{ id: order.cardId, type: 'card' }]),
    },
    ...(budget === undefined
      ? []
      : [{ type: 'payment.budget', max: majorUnits(budget, currency), currency }]),
    ...(recurrence === undefined
      ? []
      : [
          {
            type: 'payment.agent_recurrence',
            frequency: recurrence.frequency,
            ...(recurrence.maxOccurrences !== undefined && {
              max_occurrences: wholeNumber(recurrence.maxOccurrences, 'maxOccurrences'),
            }),
          },
        ]),
  ]
}

/** Only `payment.budget` is in major units: 6050 cents are 60.5. */
function majorUnits(minor: number, currency: string): number {
  const exponent = exponentOf(currency)
  const digits = String(wholeNumber(minor, 'budget')).padStart(exponent + 1, '0')
  const [whole, fraction] = [
    digits.slice(0, digits.length - exponent),
    digits.slice(digits.length - exponent).replace(/0+$/, ''),
  ]
  const text = fraction ? `${whole}.${fraction}` : whole
  if (String(Number(text)) !== text)
    throw invalidTerms('A JSON number cannot hold that budget exactly')
  return Number(text)
}

/** The currencies of ISO 4217 that have not two decimals. JavaScript's own list counts as people pay: it has none for HUF. */
const DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

function exponentOf(currency: string): number {
  if (currency === 'USDC') return 6
  if (!/^[A-Z]{3}$/.test(currency))
    throw invalidTerms('currency must be an upper case ISO 4217 code or USDC')
  const found = Object.entries(DECIMALS).find(([, names]) => names.includes(currency))
  return found ? Number(found[0]) : 2
}

export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)

export function wholeNumber(value: number, name: string): number {
  if (!Number.isSafeInteger(value) || value <= 0)
    throw invalidTerms(`${name} must be a whole number above 0`)
  return value
}

export const invalidTerms = (error: string): PurserError =>
  new PurserError(0, { error: `${error}.`, code: 'invalid_terms' })
