import { Type } from 'typebox'
import type { Uses } from '../../../../api/http/services.ts'
import { addSeconds } from '../../../../base/kernel/clock.ts'
import { type Amount, amount } from '../../../../base/kernel/money.ts'
import { randomToken } from '../../../../base/kernel/secrets.ts'
import type { JsonObject } from '../../../../base/protocols/json.ts'
import { makeChallenge } from '../../../../base/protocols/mpp/binding.ts'
import { preferred } from '../../../../base/protocols/mpp/headers/accept.ts'
import {
  CHALLENGE_HEADER,
  type Challenge,
  echoOf,
  PAYMENT_AUTHORIZATION_HEADER,
  writeChallenge,
} from '../../../../base/protocols/mpp/headers/challenge.ts'
import {
  AGENTCARD_CHARGE,
  agentcardTerms,
} from '../../../../base/protocols/mpp/methods/agentcard.ts'
import { EVM_CHARGE, evmTerms } from '../../../../base/protocols/mpp/methods/evm.ts'
import { PROBLEM_CONTENT_TYPE } from '../../../../base/protocols/mpp/problem.ts'
import { assetOfLink, isInOurs, leastOf, linkUrl, realmOf, summaryOf } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'
import type { Asked, Demand, DemandPart, Prepare } from '../method.ts'
import { isLinkWorthCarrying } from '../minimum.ts'

/** How long a challenge can be paid. A person needs time to agree, but a card's money must not stay on hold for nothing. */
export const CHALLENGE_SECONDS = 300

type Here = Uses<'chain' | 'settings'>

/** One way to pay a link by MPP, with the terms of its challenge. */
export type MppOffer = { method: string; intent: string; terms: JsonObject }

/** The ways to pay `value` to a link by MPP: on chain if the amount is worth its gas, and by a card of this service. */
export function mppOffers({ chain, settings }: Here, link: PayLink, value: Amount): MppOffer[] {
  const asset = assetOfLink(chain, link)
  if (value < (leastOf(link) ?? 0n)) return []
  const shared = { asset, amount: value, externalId: link.code }
  const onChain = { ...EVM_CHARGE, terms: evmTerms({ ...shared, recipient: link.payTo }) }
  const isWorthIt = isLinkWorthCarrying({ chain, settings }, link, value)
  if (link.token !== null) return isInOurs(chain, link) && isWorthIt ? [onChain] : []
  return [
    ...(isWorthIt ? [onChain] : []),
    {
      ...AGENTCARD_CHARGE,
      terms: agentcardTerms({ ...shared, issuer: settings.publicUrl, recipient: link.code }),
    },
  ]
}

export const mppPrepare: Prepare = {
  field: 'mpp',
  schema: Type.Union(
    [
      Type.Object({
        url: Type.String({ description: 'Where the 402 with fresh challenges comes from' }),
        realm: Type.String({ description: 'The host that asks for the payment (MPP)' }),
        charges: Type.Array(
          Type.Object({
            method: Type.String({ description: 'Method of MPP: evm, or agentcard' }),
            intent: Type.String({
              description: 'Intent of MPP: charge',
            }),
            request: Type.Any({ description: 'The payment request of the challenge, decoded' }),
          }),
          {
            description:
              'The terms of the coming challenges; empty until the payer has chosen an amount',
          },
        ),
      }),
      Type.Null(),
    ],
    { description: 'What a payer by MPP needs; null where the link does not take it' },
  ),
  read: async (services, _, link) => ({
    url: linkUrl(services, link),
    realm: realmOf(services.settings),
    charges:
      link.amount === null
        ? []
        : mppOffers(services, link, link.amount).map(({ method, intent, terms }) => ({
            method,
            intent,
            request: terms,
          })),
  }),
}

export const mppDemand: Demand = {
  headers: {
    [CHALLENGE_HEADER]: 'MPP challenges of the scheme `Payment`, where the link takes MPP',
  },
  make: makeDemand,
}

/** A challenge for each method, in a problem document. The client's preferences order and limit them (`Accept-Payment`). */
function makeDemand(
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  at: Date,
  asked: Asked,
): DemandPart {
  const { headers, rawBody } = asked.request
  const made = mppChallenges(services, at, {
    ...asked,
    body: Buffer.from(rawBody),
    // A request that carries another credential in `Authorization` needs a different field for the payment.
    isAuthorizationTaken: /^(?!payment\b)\S/i.test(headers.authorization ?? ''),
  })
  const challenges = preferred(made, headers['accept-payment'])
  const isOffered = challenges.length > 0
  return {
    isOffered,
    headers: isOffered
      ? {
          [CHALLENGE_HEADER]: challenges.map(writeChallenge),
          'content-type': PROBLEM_CONTENT_TYPE,
        }
      : {},
    // In the form that `POST /api/mpp/agentcard` takes.
    body: { mpp: challenges.map((one) => ({ ...echoOf(one), request: one.terms })) },
  }
}

/**
 * A fresh challenge for each way to pay a link by MPP. None if the link does not accept MPP or has no amount yet. Each
 * challenge is unique, and bound to the link, the amount and the request's body.
 */
function mppChallenges(
  services: Here & Uses<'mppKeys'>,
  at: Date,
  demand: {
    link: PayLink
    /** In base units; only if the payer chooses. */
    chosen: bigint | null
    body: Uint8Array
    /** The credential needs another header than `Authorization`. */
    isAuthorizationTaken: boolean
  },
): Challenge[] {
  const { link, chosen, body, isAuthorizationTaken } = demand
  const value = link.amount ?? chosen
  if (!link.acceptedProtocols.includes('mpp') || value === null || value <= 0n) return []
  const [key] = services.mppKeys.challenges
  return mppOffers(services, link, amount(value)).map((offer) =>
    makeChallenge(key, {
      ...offer,
      realm: realmOf(services.settings),
      scope: link.code,
      salt: randomToken(),
      expires: addSeconds(at, CHALLENGE_SECONDS),
      body,
      description: summaryOf(link),
      ...(isAuthorizationTaken && { header: PAYMENT_AUTHORIZATION_HEADER }),
    }),
  )
}
