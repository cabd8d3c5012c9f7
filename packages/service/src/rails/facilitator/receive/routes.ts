import { Type } from 'typebox'
import { keyRoute, passing, type Route } from '../../../api/http/route.ts'
import { encodeJson } from '../../../base/protocols/mpp/headers/wire.ts'
import { encodeHeader, type JsonObject } from '../../../base/protocols/x402/wire.ts'
import { findReceivedX402 } from './receive.ts'
import { findReceivedMpp } from './receive-mpp.ts'
import { receivePayment } from './received.ts'

const strict = { additionalProperties: false }
const Decoded = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })
const Verified = {
  verified: Type.Boolean({
    description: 'The payment has a good signature of its own and settled for this resource',
  }),
  already_used: Type.Optional(
    Type.Boolean({
      description:
        'Of a verified one: whether an earlier call verified it. Serve a payment that was used only to whom you know',
    }),
  ),
  settlement_id: Type.Optional(Type.String({ description: 'Of a verified one' })),
  reason: Type.Optional(
    Type.String({
      description:
        "Why it is not verified, by the protocol's own name; `not_settled` for a good payment that was not carried to the chain",
    }),
  ),
}

const x402 = keyRoute({
  method: 'POST',
  path: '/api/x402/receive',
  tag: 'Facilitator',
  summary: 'Has this x402 payment settled for what I sell, and is this its first use?',
  description:
    'For a pay link of yours by its URL, or for a URL of your own whose payment went to your wallet on the terms that the client accepts (v2). Only the wallet that was paid may ask, and its call uses the payment up: the first call answers `already_used: false`, every later one `true`. Nothing is settled by it.',
  scope: 'paylinks:write',
  body: Type.Object(
    {
      payment_header: Type.Union([Type.String({ maxLength: 32_768 }), Decoded], {
        description: 'The value of PAYMENT-SIGNATURE or of X-PAYMENT, or the object in it',
      }),
      resource_url: Type.String({ maxLength: 2_048, description: 'Address of what was paid for' }),
    },
    strict,
  ),
  response: Type.Object({
    ...Verified,
    resource: Type.Union([Type.String(), Type.Null()], {
      description: 'The URL that it paid for; null where it is not verified',
    }),
  }),
  attack: 'chain',
  costs: { statements: 500, rpc: 300 },
  errors: ['chain_unavailable'],
  handle: async ({ body, caller, at, services, write }) => {
    const { payment_header: given, resource_url: url } = body
    const header = typeof given === 'string' ? given : encodeHeader(given)
    const found = await findReceivedX402(services, { caller, at }, { header, url })
    if ('verified' in found) return passing({ ...found, resource: null })
    const payment = { ...found, walletAddress: caller.walletAddress }
    return write(async (tx) => {
      const received = await receivePayment(tx, at, payment)
      return { ...received, resource: received.verified ? url : null }
    })
  },
})

const mpp = keyRoute({
  method: 'POST',
  path: '/api/mpp/receive',
  tag: 'Facilitator',
  summary: 'Has this MPP credential paid a link of mine, and is this its first use?',
  description:
    'Its challenge must have been made here for that link. Only the owner of the link may ask, and the call uses the payment up: the first call answers `already_used: false`, every later one `true`. Nothing is settled by it.',
  scope: 'paylinks:write',
  body: Type.Object(
    {
      payment_data: Type.Union([Type.String({ maxLength: 32_768 }), Decoded], {
        description: 'The credential, with `Payment` before it or without, or the object in it',
      }),
    },
    strict,
  ),
  response: Type.Object(Verified),
  attack: 'none',
  costs: { statements: 200 },
  errors: ['chain_unavailable'],
  handle: async ({ body, caller, at, services, write }) => {
    const { payment_data: given } = body
    const data = typeof given === 'string' ? given : encodeJson(given as never)
    const found = await findReceivedMpp(services, { caller, at }, data)
    if ('verified' in found) return passing(found)
    const payment = { ...found, walletAddress: caller.walletAddress }
    return write((tx) => receivePayment(tx, at, payment))
  },
})

export const receiveRoutes: Route[] = [x402, mpp]
