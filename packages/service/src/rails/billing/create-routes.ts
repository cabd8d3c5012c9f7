import { Type } from 'typebox'
import { AmountIn, iso, TextField, Timestamp } from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { violates } from '../../base/db/sql.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { Problem, type ProblemCode } from '../../base/kernel/problem.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { AgreementBody, showAgreement } from '../../members/agreements/view.ts'
import { lockOwnCard, mine, ownCard } from '../../money/cards/controls/own-card.ts'
import { DECLINES } from '../../money/cards/policy.ts'
import { MandateField } from '../ap2/fields.ts'
import { createAgreement, hasThreshold } from './create.ts'
import { LIFE_MAX_HOURS, prepareAgreement } from './prepare.ts'
import { readTerms, termsIn } from './terms.ts'

const strict = { additionalProperties: false }
const TERMS_ERRORS: readonly ProblemCode[] = [
  'missing_field',
  'invalid_field',
  'invalid_amount',
  'amount_below_minimum',
  'invalid_address',
  'invalid_payment',
  'protocol_not_accepted',
  'not_found',
  'pay_link_expired',
  'pay_link_cancelled',
  'pay_link_completed',
]

const prepare = keyRoute({
  method: 'POST',
  path: '/api/billing/agreements/prepare',
  tag: 'Billing',
  summary: 'Have a key made for an agreement, and the open mandate proposed that funds it',
  description:
    'Sign `content` with a user key of the card, or have the service sign it (`POST /api/ap2/open-mandate` with `content`), then make the agreement. The key is kept for 24 hours; 20 may wait at once.',
  scope: 'billing:write',
  body: Type.Object(
    {
      ...termsIn,
      max_occurrences: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'How often the mandate may pay in all',
        }),
      ),
      budget: Type.Optional(AmountIn),
      expires_in: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LIFE_MAX_HOURS,
          description: 'Hours until the open mandate ends; 366 days without it',
        }),
      ),
    },
    strict,
  ),
  response: Type.Object({
    billing_key: Type.Object(
      {
        kty: Type.String({ description: 'Type of the key: EC' }),
        crv: Type.String({ description: 'Curve of the key: P-256' }),
        x: Type.String({ description: 'First coordinate of the key, base64url' }),
        y: Type.String({ description: 'Second coordinate of the key, base64url' }),
      },
      { description: 'The public key that the open mandate names in `cnf`' },
    ),
    kid: Type.String({ description: 'RFC 7638 thumbprint of the key' }),
    content: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The content of a `mandate.payment.open.1`',
    }),
    audience: Type.String({ description: 'The `aud` of each charge' }),
    expires_at: Timestamp,
  }),
  attack: { capped: '20 prepared keys a wallet' },
  costs: { statements: 1_100, rows: 20 },
  errors: [...TERMS_ERRORS, 'limit_reached'],
  handle: async ({ body, caller, at, services, write }) => {
    const { walletAddress: payerWallet } = caller
    await ownCard(services.db.reader, caller, body.payer_card_id)
    const terms = await readTerms(services, at, { body, payerWallet })
    const { max_occurrences: maxOccurrences, budget, expires_in: expiresInHours } = body
    const limits = { maxOccurrences, budget, expiresInHours }
    return write(async (tx) => {
      const card = await lockOwnCard(tx, at, mine(caller, body.payer_card_id))
      const made = await prepareAgreement(tx, at, { services, card, terms, limits })
      return {
        billing_key: made.jwk,
        kid: made.kid,
        content: made.content,
        audience: services.settings.publicUrl,
        expires_at: iso(made.expiresAt),
      }
    })
  },
})

const create = keyRoute({
  method: 'POST',
  path: '/api/billing/agreements',
  tag: 'Billing',
  summary: 'Make an agreement, funded by an open mandate, and charge its first period',
  description:
    'By the payer: `card_token` authorizes it. The open mandate is stored encrypted and never shown. If the first charge is refused nothing is made, and the refusal is the answer.',
  scope: 'billing:write',
  body: Type.Object(
    {
      ...termsIn,
      open_mandate: MandateField,
      card_token: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Token of the card: whoever has it may pay with the card',
      }),
      plan_ref: Type.Optional(TextField({ maxLength: 255, description: 'Your own label' })),
      description: Type.Optional(
        TextField({ maxLength: 500, description: 'Description of the agreement, in words' }),
      ),
    },
    strict,
  ),
  response: Type.Object({ agreement: AgreementBody }),
  attack: 'open',
  costs: { statements: 3_200, rows: 200 },
  errors: [
    ...TERMS_ERRORS,
    ...DECLINES,
    'approval_required',
    'invalid_card_token',
    'forbidden_scope',
    'invalid_state',
    'pay_link_busy',
    'mandate_malformed',
    'mandate_key_untrusted',
    'mandate_already_used',
    'mandate_constraint_violated',
    'mandate_currency_mismatch',
    'mandate_expired',
    'mandate_revoked',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    if (caller.maxAmount !== null)
      throw new Problem(
        'forbidden_scope',
        'A key restricted to an amount cannot make an agreement. Use a key without max_amount.',
      )
    const { walletAddress: payerWallet } = caller
    await ownCard(services.db.reader, caller, body.payer_card_id)
    const terms = await readTerms(services, at, { body, payerWallet })
    const order = {
      caller,
      terms,
      cardId: body.payer_card_id,
      cardToken: body.card_token,
      openMandate: body.open_mandate,
      planRef: body.plan_ref ?? null,
      description: body.description ?? null,
    }
    try {
      const answer = await write(async (tx) => {
        const made = await createAgreement(tx, at, { services, order })
        if (made instanceof Problem) return made
        const asset = assetOf(services.chain, made)
        return { agreement: showAgreement(made, { viewer: payerWallet, asset }) }
      })
      reach('agreements.after_create')
      return answer
    } catch (error) {
      throw violates(error, 'one_live_threshold_agreement') ? hasThreshold() : error
    }
  },
})

export const billingCreateRoutes: Route[] = [prepare, create]
