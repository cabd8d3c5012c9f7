import { Type } from 'typebox'
import type { Caller } from '../../../../api/http/caller.ts'
import { iso, Timestamp } from '../../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../../api/http/route.ts'
import type { Services } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import type { JsonObject } from '../../../../base/protocols/json.ts'
import { assetOfCurrency } from '../../../../links/pay-links/methods/ap2/prices.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import { CardIdField, CardTokenField, strict } from '../../fields.ts'
import { lockByToken } from '../../own-card.ts'
import { checkOpenContent } from './content.ts'
import { contentFor, issueOpen } from './issue.ts'
import { nameOf } from './open-mandate.ts'
import type { OpenMandate } from './store.ts'
import { checkTermsAmount, readAgentKey, readTerms, type TermsIn, termsIn } from './terms.ts'

const openMandateRoute = keyRoute({
  method: 'POST',
  path: '/api/ap2/open-mandate',
  tag: 'AP2',
  summary: 'Have the service sign an open mandate: what an agent may pay with a card',
  description:
    'Either terms (`max_amount`, `currency`, `payees`, …) or a prepared `content`, as a billing agreement proposes one, which is signed as it is. Amounts are whole units of the currency. The mandate always names this card alone and always ends. Without `agent_key` the service keeps the key and closes mandates for you with `POST /api/ap2/mandate`.',
  scope: 'payments:write',
  body: Type.Object(
    {
      card_id: CardIdField,
      card_token: CardTokenField,
      ...termsIn,
      content: Type.Optional(
        Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
          maxProperties: 20,
          description: 'The content of a `mandate.payment.open.1`, instead of terms',
        }),
      ),
    },
    strict,
  ),
  response: Type.Object({
    mandate: Type.String({ description: 'The SD-JWT: give it to the agent' }),
    mandate_id: Type.String({ description: 'Revoke it by this id' }),
    open_id: Type.String({ description: 'The hash under which its use is counted' }),
    agent_kid: Type.String({ description: 'Thumbprint of the only key that may close under it' }),
    expires_at: Timestamp,
  }),
  attack: 'open',
  costs: { statements: 1_200, rows: 200 },
  errors: [
    'invalid_address',
    'missing_field',
    'invalid_field',
    'invalid_amount',
    'invalid_card_token',
    'forbidden_scope',
    'not_found',
    'invalid_state',
  ],
  handle: async ({ body, caller, at, services, write }) => {
    const { card_id, card_token, content, ...terms } = body
    const plan =
      content === undefined
        ? await planTerms(services, at, { caller, terms })
        : planContent(at, { caller, terms, content: content as JsonObject })
    const signer = await services.signing.current(at)
    return write(async (tx) => {
      const card = await lockByToken(tx, caller, { card_id, card_token })
      return openBody(await issueOpen(tx, at, { card, signer, content: await plan(tx, card) }))
    })
  },
})

/** Makes the content to sign, once the card is locked. */
type Plan = (tx: Tx, card: CardWithMoney) => Promise<JsonObject>

async function planTerms(
  services: Services,
  at: Date,
  asked: { caller: Caller; terms: TermsIn },
): Promise<Plan> {
  const agentKey = readAgentKey(asked.terms.agent_key)
  const terms = await readTerms(services, at, asked.terms)
  checkTermsAmount(terms, {
    caller: asked.caller,
    asset: assetOfCurrency(services.chain, terms.amountRange.currency),
  })
  const { sealKey } = services
  return (tx, card) => contentFor(tx, at, { card, terms, agentKey, sealKey })
}

function planContent(
  at: Date,
  { caller, terms, content }: { caller: Caller; terms: TermsIn; content: JsonObject },
): Plan {
  const [extra] = Object.keys(terms)
  if (extra !== undefined)
    throw new Problem('unknown_field', `Send content or ${extra}, not both.`, { param: extra })
  if (caller.maxAmount !== null)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to an amount cannot have a prepared content signed. Use a key without max_amount.',
    )
  return async (_, card) => {
    checkOpenContent(at, card.id, content)
    return content
  }
}

function openBody(open: OpenMandate & { token: string }) {
  assert(open.expiresAt, 'an issued mandate ends')
  return {
    mandate: open.token,
    mandate_id: nameOf(open),
    open_id: open.openId,
    agent_kid: open.agentKid,
    expires_at: iso(open.expiresAt),
  }
}

export const ap2OpenRoutes: Route[] = [openMandateRoute]
