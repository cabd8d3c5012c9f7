import { randomUuid } from '../crypto/uuid.ts'
import { checkNames, type NamesOf } from '../options/names.ts'
import { digestOf, randomText } from './encode.ts'
import { type MandateKey, signToken, thumbprintOf } from './key.ts'
import { invalidTerms, type Merchant, secondsOf, wholeNumber } from './open.ts'
import { disclose, isObject, type JsonObject, readToken, serialize, type Token } from './token.ts'

/** The `ap2` block of a pay link's view: all that an agent needs to pay the link. */
export type LinkTerms = {
  payee: Merchant
  /** Whole minor units; `amount` is null if the payer chooses it. */
  payment_amount: { amount: number | null; currency: string }
  audience: string
  transaction_id: string
}

export type CloseOrder = {
  link: LinkTerms
  /** The payer card. */
  cardId: string
  /** With an open mandate, the agent key that the mandate names; otherwise a user key of the card. */
  key: MandateKey
  openMandate?: string
  /** Minor units. Only for a link whose payer chooses the amount. */
  amount?: number
  /** How long the mandate is valid. Default: five minutes. */
  expiresInSeconds?: number
  /** The mandate's `jti`, which identifies the payment. Default: a new one. */
  mandateId?: string
  /** The time of signing. Default: now. */
  at?: Date
}

/** A signed payment. It is safe to settle it more than once: the service pays it once. */
export type ClosedMandate = {
  closedMandate: string
  openMandate?: string
  mandateId: string
  expiresAt: Date
}

const FIVE_MINUTES = 300

const NAMES: NamesOf<CloseOrder> = {
  link: true,
  cardId: true,
  key: true,
  openMandate: true,
  amount: true,
  expiresInSeconds: true,
  mandateId: true,
  at: true,
}

/**
 * Signs the payment of one link (AP2 v0.2, `mandate.payment.1`): directly with a user key of the card, or with the
 * agent key of an open mandate. Throws `PurserError`: `invalid_terms` for terms that cannot be signed, such as a key that
 * the open mandate does not name; `mandate_malformed` if `openMandate` cannot be read.
 *
 * ```ts
 * const { ap2 } = await purser.GET('/api/pay/{code}/prepare', { params: { path: { code } } })
 * const closed = await closeMandate({ link: ap2, cardId: card.id, key: agent, openMandate: open.mandate })
 * ```
 */
export async function closeMandate(order: CloseOrder): Promise<ClosedMandate> {
  checkNames(order, NAMES, 'closeMandate')
  const open = order.openMandate === undefined ? undefined : await readOpen(order.openMandate)
  if (open) await checkAgent(open, order.key)
  const issued = secondsOf(order.at ?? new Date())
  const expires = issued + wholeNumber(order.expiresInSeconds ?? FIVE_MINUTES, 'expiresInSeconds')
  const mandateId = order.mandateId ?? randomUuid()
  const disclosures: string[] = []
  const content = { ...contentOf(order, mandateId), iat: issued, exp: expires }
  const payload = { delegate_payload: [await disclose(content, disclosures)], _sd_alg: 'sha-256' }
  const jwt = open
    ? await signToken(
        { typ: 'kb+sd-jwt' },
        { ...payload, ...(await boundTo(open, order)) },
        order.key,
      )
    : await signToken({ typ: 'dc+sd-jwt', kid: order.key.kid }, payload, order.key)
  return {
    closedMandate: serialize(jwt, disclosures),
    ...(open && { openMandate: open.serialized }),
    mandateId,
    expiresAt: new Date(expires * 1000),
  }
}

function contentOf({ link, amount, cardId }: CloseOrder, jti: string): Record<string, unknown> {
  const { amount: fixed, currency } = link.payment_amount
  const paid = fixed ?? amount
  if (paid === undefined)
    throw invalidTerms('The payer chooses the amount of this link: pass an amount')
  if (fixed !== null && amount !== undefined && amount !== fixed)
    throw invalidTerms('The amount of this link is fixed: leave amount out')
  const { id, name, website } = link.payee
  return {
    vct: 'mandate.payment.1',
    jti,
    transaction_id: link.transaction_id,
    payee: { id, name, ...(website !== undefined && { website }) },
    payment_amount: { amount: wholeNumber(paid, 'amount'), currency },
    payment_instrument: { id: cardId, type: 'card' },
  }
}

/** The claims that bind a payment to this open mandate and this service. */
const boundTo = async (open: Token, { link, at }: CloseOrder): Promise<JsonObject> => ({
  iat: secondsOf(at ?? new Date()),
  aud: link.audience,
  nonce: randomText(),
  sd_hash: await digestOf(open.serialized, open.algorithm),
})

async function readOpen(text: string): Promise<Token> {
  const open = await readToken(text.endsWith('~') ? text : `${text}~`)
  if (open.content.vct !== 'mandate.payment.open.1')
    throw invalidTerms('openMandate is not an open payment mandate')
  return open
}

/** The service would refuse a foreign key too. Checking here gives a clearer reason. */
async function checkAgent({ content }: Token, key: MandateKey): Promise<void> {
  const jwk = isObject(content.cnf) ? content.cnf.jwk : undefined
  const named =
    isObject(jwk) && typeof jwk.x === 'string' && typeof jwk.y === 'string'
      ? await thumbprintOf({ kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y })
      : undefined
  if (named !== (await thumbprintOf(key.publicJwk)))
    throw invalidTerms('The open mandate names another agent key')
}
