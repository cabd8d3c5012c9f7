import { Type } from 'typebox'
import { judgeSignIn } from '../../api/agents/sign-in.ts'
import { insertNonce } from '../../api/agents/store.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { type Refused, refused } from '../../base/protocols/x402/refusal.ts'
import { readSignIn, signInRefusal } from '../../base/protocols/x402/sign-in.ts'
import { findPaidResource } from './store.ts'

const AGE = { default: 300, most: 3_600 }

const signIn = keyRoute({
  method: 'POST',
  path: '/api/x402/sign-in',
  tag: 'Facilitator',
  summary: 'x402 facilitator: has this wallet paid for the resource before?',
  description:
    'For a seller that offers `sign-in-with-x`: pass on the header SIGN-IN-WITH-X and the URL of the resource. Answers 200 whatever the outcome. `verified`: the wallet signed the message, for your host and lately; a message is verified once. `paid`: this facilitator has settled a payment of the wallet for exactly that URL, by a key of yours.',
  scope: 'facilitator:write',
  body: Type.Object(
    {
      header: Type.String({
        minLength: 1,
        maxLength: 16_000,
        description: 'Value of SIGN-IN-WITH-X',
      }),
      resource: Type.String({
        minLength: 1,
        maxLength: 2_048,
        description:
          'URL of the resource, as its 402 names it. Never take its host from the request',
      }),
      max_age_seconds: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: AGE.most,
          description: 'How old the message may be; 300 if absent',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    verified: Type.Boolean({
      description: 'Whether the wallet signed the message for this resource',
    }),
    paid: Type.Boolean({ description: 'Whether the wallet has paid for the resource through you' }),
    address: Type.Optional(Type.String({ description: 'The wallet; only if verified' })),
    settlement_id: Type.Optional(
      Type.String({ description: 'Its newest settlement; only if paid' }),
    ),
    reason: Type.Optional(
      Type.String({ description: 'Why it is not verified, as a word of x402' }),
    ),
    message: Type.Optional(Type.String({ description: 'Why it is not verified, in words' })),
  }),
  attack: { fleeting: 'until the message is too old, an hour at most' },
  costs: { statements: 500, rows: 100, rpc: 200 },
  errors: ['invalid_url', 'chain_unavailable'],
  perMinute: 600,
  handle: async ({ body, caller, at, services, write }) => {
    const url = URL.parse(body.resource)
    if (!url) throw new Problem('invalid_url', 'resource must be a URL.', { param: 'resource' })
    const maxAge = body.max_age_seconds ?? AGE.default
    const read = readSignIn(body.header)
    if (!read.ok) return unverified(read)
    const { network } = services.chain
    const wrong = signInRefusal(read.signIn, { url, network, at, maxAgeMs: maxAge * 1000 })
    if (wrong) return unverified(wrong)
    const { address, nonce, issuedAt } = read.signIn
    if (!(await judgeSignIn(services, read.signIn)))
      return unverified(refused('invalid_siwx_signature', 'The wallet did not sign this message.'))
    return write(async (tx) => {
      // As long as any seller may believe the message.
      const expiresAt = addSeconds(issuedAt, AGE.most)
      const scope = caller.walletAddress
      if (!(await insertNonce(tx, { scope, keyId: address, nonce, expiresAt })))
        return unverified(refused('invalid_siwx_nonce', 'The message was used before.'))
      const paid = await findPaidResource(tx, {
        walletAddress: caller.walletAddress,
        payer: address,
        resourceUrl: body.resource,
      })
      return {
        verified: true,
        paid: paid !== undefined,
        address,
        ...(paid && { settlement_id: paid.id }),
      }
    })
  },
})

const unverified = ({ reason, detail }: Refused) => ({
  verified: false,
  paid: false,
  reason,
  message: detail,
})

export const signInRoutes: Route[] = [signIn]
