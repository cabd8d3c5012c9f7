import { Type } from 'typebox'
import { debitRefusal } from '../../../../api/http/caller.ts'
import { AmountOut, iso, Success, Timestamp } from '../../../../api/http/fields.ts'
import { publicRoute } from '../../../../api/http/route.ts'
import { amount, toNumber } from '../../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../../base/kernel/problem.ts'
import { isObject, type JsonObject, member } from '../../../../base/protocols/json.ts'
import {
  type Challenge,
  readChallenges,
  readEcho,
} from '../../../../base/protocols/mpp/headers/challenge.ts'
import { writeCredential } from '../../../../base/protocols/mpp/headers/credential.ts'
import { encodeJson } from '../../../../base/protocols/mpp/headers/wire.ts'
import { AGENTCARD_CHARGE } from '../../../../base/protocols/mpp/methods/agentcard.ts'
import { MppRefusal } from '../../../../base/protocols/mpp/refusal.ts'
import { assetOf } from '../../../../chain/client/rails.ts'
import { declined } from '../../../../money/cards/debit.ts'
import { DECLINES } from '../../../../money/cards/policy.ts'
import { lockCard } from '../../../../money/cards/store.ts'
import { checkToken } from '../../../../money/cards/token.ts'
import { issueCardToken } from '../../../../money/cards/tokens/issue.ts'
import { readTokenOrder } from './issue-token.ts'

const Body = Type.Object(
  {
    card_id: Type.String({
      maxLength: 64,
      description: 'Id of the card',
    }),
    card_token: Type.String({
      maxLength: 100,
      description: 'Token of the card: whoever has it may pay with the card',
    }),
    challenge: Type.Union(
      [Type.String({ maxLength: 16_384 }), Type.Record(Type.String(), Type.Unknown())],
      {
        description:
          'The value of WWW-Authenticate of a 402 of a pay link of this service, or its agentcard challenge as an MPP client has parsed it',
      },
    ),
  },
  { additionalProperties: false },
)

/** For agents with an MPP client of their own: what `POST /api/pay` does by itself for the others. */
export const agentcardRoute = publicRoute({
  method: 'POST',
  path: '/api/mpp/agentcard',
  isOpenToSites: true,
  heedsKey: true,
  tag: 'Pay links',
  summary: 'Have a card pay an MPP challenge of a pay link: the credential to present',
  description:
    "The card's policy decides, the amount goes on hold, and the answer is the credential for the link's URL, good until the challenge expires: then the money is free again by itself. The same challenge with the same card gets the same credential, and never a second hold.",
  body: Body,
  response: Type.Object({
    success: Success,
    transaction_id: Type.String({
      description: 'The transaction of the card, PENDING until it is redeemed',
    }),
    card_id: Type.String({ description: 'Id of the card' }),
    amount: AmountOut,
    expires_at: Timestamp,
    header: Type.String({ description: 'The request header that the credential goes into' }),
    credential: Type.String({ description: 'The value of that header. It is money: never log it' }),
    payload: Type.Object(
      {
        type: Type.Literal('cardToken', { description: 'cardToken' }),
        token: Type.String({ description: 'The token. Keep it secret' }),
      },
      { description: 'The payload alone, for a client that writes the credential itself' },
    ),
  }),
  waits: true,
  attack: 'open',
  costs: { statements: 1_200, rows: 200 },
  errors: [
    'invalid_payment',
    'invalid_card_token',
    'not_found',
    'invalid_state',
    'pay_link_expired',
    'pay_link_cancelled',
    'pay_link_completed',
    'pay_link_busy',
    'no_payable_option',
    ...DECLINES,
  ],
  handle: async ({ body, caller, at, services }) => {
    const challenge = readAsked(body.challenge)
    const outcome = await services.db.write(async (tx) => {
      const card = await lockCard(tx, body.card_id)
      if (!card) throw notFound('card')
      checkToken(card, body.card_token)
      const order = await readTokenOrder(tx, at, { services, card, challenge })
      const { asset, charge } = order
      const denied = debitRefusal(caller, { cardId: card.id, amount: amount(charge.amount), asset })
      if (denied) throw denied
      return issueCardToken(tx, at, order)
    })
    if (outcome.kind === 'declined') throw declined(outcome.denied)
    const { token, payload } = outcome
    const { headerName, headerValue } = writeCredential({ challenge, payload })
    return {
      success: true,
      transaction_id: token.transactionId,
      card_id: token.cardId,
      amount: toNumber(token.amount, assetOf(services.chain, token).decimals),
      expires_at: iso(token.expiresAt),
      header: headerName,
      credential: headerValue,
      payload,
    }
  },
})

/** The challenge to pay: of several in a header value the one for cards. */
function readAsked(asked: string | Record<string, unknown>): Challenge {
  try {
    if (typeof asked !== 'string') return readEcho(encoded(asked as JsonObject))
    const { challenges } = readChallenges(asked)
    const { method, intent } = AGENTCARD_CHARGE
    const ours = challenges.find((one) => one.method === method && one.intent === intent)
    const [first] = challenges
    const challenge = ours ?? first
    if (challenge) return challenge
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
  }
  throw new Problem(
    'invalid_payment',
    'challenge is neither the value of a WWW-Authenticate header with a Payment challenge nor such a challenge as an object.',
    { param: 'challenge' },
  )
}

/** As it stood on the wire: clients such as mppx hand on `request` and `opaque` decoded. */
const encoded = (challenge: JsonObject): JsonObject => ({
  ...challenge,
  ...Object.fromEntries(
    ['request', 'opaque'].flatMap((name) => {
      const value = member(challenge, name)
      return isObject(value) ? [[name, encodeJson(value)]] : []
    }),
  ),
})
