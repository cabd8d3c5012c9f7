import { Type } from 'typebox'
import { keyRoute, type Route } from '../http/route.ts'
import { receiveMpp, receiveX402 } from './receive.ts'

const strict = { additionalProperties: false }
const Reason = Type.Optional(Type.String({ description: "Why not, by the protocol's own name" }))

const x402 = keyRoute({
  method: 'POST',
  path: '/api/x402/receive',
  tag: 'Facilitator',
  summary: 'Is this x402 header a good payment for what I sell?',
  description:
    'For a pay link of yours by its URL, or for a URL of your own whose payment goes to your wallet on the terms that the client accepts (v2). Nothing is settled by it: pass the header on to the link, or settle it.',
  scope: 'paylinks:read',
  body: Type.Object(
    {
      payment_header: Type.String({
        maxLength: 32_768,
        description: 'The value of PAYMENT-SIGNATURE, or of X-PAYMENT',
      }),
      resource_url: Type.String({ maxLength: 2_048 }),
    },
    strict,
  ),
  response: Type.Object({
    verified: Type.Boolean(),
    resource: Type.Union([Type.String(), Type.Null()], {
      description: 'The URL that it pays for; null where it is not verified',
    }),
    reason: Reason,
  }),
  errors: ['chain_unavailable'],
  handle: async ({ body, caller, at, services }) => {
    const asked = { header: body.payment_header, url: body.resource_url }
    const received = await receiveX402(services, { caller, at }, asked)
    return { ...received, resource: received.verified ? body.resource_url : null }
  },
})

const mpp = keyRoute({
  method: 'POST',
  path: '/api/mpp/receive',
  tag: 'Facilitator',
  summary: 'Is this MPP credential a good payment of a link of mine?',
  description:
    'The credential as `Authorization` carries it. Its challenge must have been made here for that link. Nothing is settled by it.',
  scope: 'paylinks:read',
  body: Type.Object(
    {
      payment_data: Type.String({
        maxLength: 32_768,
        description: 'The credential, with `Payment` before it or without',
      }),
    },
    strict,
  ),
  response: Type.Object({ verified: Type.Boolean(), reason: Reason }),
  errors: ['chain_unavailable'],
  handle: ({ body, caller, at, services }) =>
    receiveMpp(services, { caller, at }, body.payment_data),
})

export const receiveRoutes: Route[] = [x402, mpp]
