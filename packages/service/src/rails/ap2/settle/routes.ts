import { Type } from 'typebox'
import { answer, keyRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import { Problem, type ProblemCode } from '../../../base/kernel/problem.ts'
import { AP2_CODES, Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { DECLINES } from '../../../money/cards/policy.ts'
import { laneOf } from './lane.ts'
import { type Presented, readIntent, readMandate, recallIntent } from './present.ts'
import { rejection, settlementRejected, withReceipt } from './rejection.ts'
import { findReplay } from './replay.ts'
import type { MandateIntent, MandateOutcome } from './settle.ts'
import { AlreadySettledBody, mandateBody, SettledBody } from './view.ts'

/** Longer than the codec accepts, so that the codec makes the refusal. */
const MANDATE_MAX = 200_000

/** The refusals of mandates, cards, policies and links. This operation answers all of them with 422. */
const REJECTIONS: readonly ProblemCode[] = [
  ...AP2_CODES.filter((code) => code !== 'receipt_invalid' && code !== 'checkout_invalid'),
  ...DECLINES,
  'approval_required',
  'invalid_payment',
  'invalid_amount',
  'pay_link_busy',
  'pay_link_expired',
  'pay_link_cancelled',
  'pay_link_completed',
]

const settle = keyRoute({
  method: 'POST',
  path: '/api/ap2/settle',
  tag: 'AP2',
  summary: 'Settle a pay link with a closed AP2 Payment Mandate',
  description:
    'The mandate is an SD-JWT `mandate.payment.1` that a user key of the card signed, or that an agent closed under an open mandate: then `open_mandate` is given, or `closed_mandate` is the chain of both. `card_token` authorizes the debit; the card may be of any wallet. The same mandate again, with the current token of the card, is always answered 200 `ALREADY_SETTLED` and moves nothing, whatever has become of key, link, card or time since. A 422 carries `ap2_error`, all `violations` of the mandate, and a signed error `receipt`.',
  scope: 'payments:write',
  body: Type.Object(
    {
      pay_link_code: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Code of the pay link',
      }),
      closed_mandate: Type.String({
        minLength: 1,
        maxLength: MANDATE_MAX,
        description: 'The closed payment mandate of AP2, as an SD-JWT',
      }),
      open_mandate: Type.Optional(
        Type.String({
          maxLength: MANDATE_MAX,
          description: 'The open payment mandate of AP2, as an SD-JWT',
        }),
      ),
      card_token: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Token of the card: whoever has it may pay with the card',
      }),
    },
    { additionalProperties: false },
  ),
  response: AlreadySettledBody,
  otherResponses: { 201: SettledBody },
  alsoAnswers: {
    200: 'The mandate had settled this link before: nothing is debited again',
    201: 'Settled: the payer card is debited and the link credited',
  },
  attack: 'open',
  costs: { statements: 700, rows: 200 },
  errors: ['protocol_not_accepted', 'invalid_card_token', 'not_found', 'overloaded'],
  rejections: REJECTIONS,
  handle: async ({ body, caller, at, services, submit }) => {
    const presented: Presented = {
      code: body.pay_link_code,
      closedMandate: body.closed_mandate,
      openMandate: body.open_mandate,
    }
    const presentation = readMandate(presented)
    const order = { presented, presentation, token: body.card_token, caller }
    const settled = (intent: MandateIntent) =>
      submit(laneOf(services), intent, (outcome) => answerOf(services, intent.link.code, outcome))
    try {
      const recalled = await recallIntent(services, at, order)
      const answered = recalled && (await settled(recalled).catch(unlessStale))
      return answered ?? (await settled(await readIntent(services, at, order)))
    } catch (error) {
      const isRefused = error instanceof Problem || error instanceof Ap2Refusal
      const replay = isRefused ? await findReplay(services, order) : undefined
      if (replay) return mandateBody(services, 'ALREADY_SETTLED', replay)
      throw await withReceipt(services, at, {
        error,
        presentation: presentation instanceof Ap2Refusal ? undefined : presentation,
      })
    }
  },
})

/** The card or the link changed after the mandate was judged. */
class Stale extends Problem {
  constructor() {
    super('overloaded', 'The card or the link has just changed. Send the mandate again.', {
      headers: { 'retry-after': '1' },
    })
  }
}

function unlessStale(error: unknown): undefined {
  if (!(error instanceof Stale)) throw error
}

function answerOf(services: Services, code: string, outcome: MandateOutcome) {
  switch (outcome.kind) {
    case 'settled':
      return answer(201, mandateBody(services, 'SETTLED', { facts: outcome.facts, code }))
    case 'already':
      return mandateBody(services, 'ALREADY_SETTLED', { facts: outcome.facts, code })
    case 'refused':
      throw rejection(outcome.refusal)
    case 'rejected':
      throw settlementRejected(outcome.problem)
    case 'stale':
      throw new Stale()
  }
}

export const ap2SettleRoutes: Route[] = [settle]
