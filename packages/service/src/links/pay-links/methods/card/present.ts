import { setTimeout as wait } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { AmountIn } from '../../../../api/http/fields.ts'
import { type Claim, claimOf, dropKey, takeKey } from '../../../../api/http/idempotency.ts'
import type { Uses } from '../../../../api/http/services.ts'
import { notFound, Problem } from '../../../../base/kernel/problem.ts'
import { randomToken } from '../../../../base/kernel/secrets.ts'
import { CARD_RAILS, type CardRail } from '../../../../base/protocols/rails.ts'
import { DECLINES } from '../../../../money/cards/policy.ts'
import { findCard } from '../../../../money/cards/store.ts'
import { checkToken, isTokenOf } from '../../../../money/cards/token.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { settledBody } from '../../../link/view.ts'
import type { PageForm, SettleByBody } from '../method.ts'
import { type CardPayment, cardPaymentLane } from './settle.ts'

const Body = Type.Object({
  protocol: Type.Optional(
    Type.String({
      maxLength: 32,
      description:
        'By card: card, ap2, x402 or mpp, if the link accepts it; the record names it. Without it: card, or what the link accepts',
    }),
  ),
  payer_card_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Id of the card that pays' }),
  ),
  payer_card_token: Type.Optional(
    Type.String({ maxLength: 100, description: 'Token of the card that pays' }),
  ),
  amount: Type.Optional(AmountIn),
})
type Body = Static<typeof Body>

/** Pays a link by the card that the body names. */
export const cardSettle: SettleByBody = {
  description:
    'By card: `payer_card_id`, `payer_card_token`, and `amount` where the payer chooses it.',
  fields: Body.properties,
  key: 'payer_card_id',
  errors: [
    'missing_field',
    'invalid_amount',
    'amount_below_minimum',
    'invalid_card_token',
    'mandate_required',
    ...DECLINES,
    'approval_required',
  ],
  isMeant: (body) => body.payer_card_id !== undefined || body.payer_card_token !== undefined,
  pay: async ({ params, body: sent, caller, services, submit }) => {
    const body: Body = sent
    const payment = {
      // The lane reads the link. A read here as well took half of the total time, measured.
      code: params.code,
      cardId: required(body, 'payer_card_id'),
      token: required(body, 'payer_card_token'),
      amount: body.amount ?? null,
      protocol: railNamed(body.protocol),
      caller,
      chain: services.chain,
      fee: services.settings.fee,
    }
    return submit(cardPaymentLane, payment, (outcome) => {
      if (outcome.kind === 'refused') throw outcome.problem
      return settledBody(services, outcome.settled)
    })
  },
  // The card's token proves that the key is the card's, and nobody else can learn whether it was used. Each of its owners
  // has keys of its own.
  keyOwner: async (sent, { db }) => {
    const { payer_card_id: id, payer_card_token: token }: Body = sent
    const card = id && token ? await findCard(db.reader, id) : undefined
    return card && token && isTokenOf(card, token) ? `${card.id} ${card.ownerNo}` : undefined
  },
}

function railNamed(protocol: string | undefined): CardRail | null {
  if (protocol === undefined) return null
  const named = CARD_RAILS.find((rail) => rail === protocol)
  if (named) return named
  throw new Problem(
    'protocol_not_accepted',
    `protocol must be one of ${CARD_RAILS.join(', ')}; a payment on chain is named by its tx_hash.`,
    { param: 'protocol' },
  )
}

function required(body: Body, name: 'payer_card_id' | 'payer_card_token'): string {
  const value = body[name]
  if (!value)
    throw new Problem('missing_field', `${name} is required for a payment by card.`, {
      param: name,
    })
  return value
}

/** The form of the checkout page. `attempt` names the form that was shown. */
export const cardForm: PageForm = {
  fields: {
    attempt: Type.Optional(Type.String({ maxLength: 64 })),
    payer_card_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Id of the card that pays' }),
    ),
    payer_card_token: Type.Optional(
      Type.String({ maxLength: 100, description: 'Token of the card that pays' }),
    ),
  },
  asks: 'the card id and the card token',
  shown: ['payer_card_id'],
  isMeant: (form) => form.payer_card_id !== undefined || form.payer_card_token !== undefined,
  pay: async (services, at, { link, form, caller }) => {
    const { payer_card_id: cardId, payer_card_token: token } = form
    if (!cardId || !token)
      throw new Problem('missing_field', 'Enter the card id and the card token.')
    const settlement = await payByForm(services, at, {
      attempt: form.attempt || randomToken(),
      payment: {
        code: link.code,
        cardId,
        token,
        amount: form.amount || null,
        protocol: 'card',
        caller,
        chain: services.chain,
        fee: services.settings.fee,
      },
    })
    return { settlement }
  },
}

const ASK_AGAIN_MS = 250
const ASK_TIMES = 40

/**
 * Pays a link by card from a form. A form that is sent twice, by a double click or a reload, pays once and answers the
 * same settlement. Throws the refusal.
 */
async function payByForm(
  services: Uses<'answerKey' | 'db' | 'lanes'>,
  at: Date,
  form: { attempt: string; payment: CardPayment },
): Promise<LinkSettlement['id']> {
  const { db, lanes } = services
  const { payment } = form
  const card = await findCard(db.reader, payment.cardId)
  if (!card) throw notFound('card')
  // Only the card's token may take an attempt of the card, or learn that it was taken.
  checkToken(card, payment.token)
  const claim = claimOf(form.attempt, {
    walletAddress: payment.cardId,
    reader: payment.cardId,
    route: 'POST /pay/{code}/paid',
    url: payment.code,
    body: { token: payment.token, amount: payment.amount?.toString() ?? null },
  })
  const earlier = await takeAttempt(services, at, claim)
  if (earlier !== undefined) return earlier
  try {
    const outcome = await lanes.submit(cardPaymentLane, payment, (decided) =>
      decided.kind === 'settled'
        ? { claim, status: 200, body: decided.settled.settlement.id }
        : undefined,
    )
    if (outcome.kind === 'refused') throw outcome.problem
    return outcome.settled.settlement.id
  } catch (error) {
    await db.write((tx) => dropKey(tx, claim))
    throw error
  }
}

/** Claims the form for this request, or answers the settlement of an earlier one. Waits for one that is still running. */
async function takeAttempt(
  { db, answerKey }: Uses<'answerKey' | 'db'>,
  at: Date,
  claim: Claim,
): Promise<LinkSettlement['id'] | undefined> {
  for (let times = 0; ; times++) {
    try {
      const stored = await db.write((tx) => takeKey(tx, at, claim, answerKey))
      return stored && (JSON.parse(stored.body) as LinkSettlement['id'])
    } catch (error) {
      const isRunning = error instanceof Problem && error.code === 'idempotency_in_progress'
      if (!isRunning || times >= ASK_TIMES) throw error
      await wait(ASK_AGAIN_MS)
    }
  }
}
