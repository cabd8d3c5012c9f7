import type { Services } from '../../../http/services.ts'
import { addSeconds } from '../../../kernel/clock.ts'
import { type Amount, amount } from '../../../kernel/money.ts'
import { randomToken } from '../../../kernel/secrets.ts'
import type { JsonObject } from '../../../protocols/json.ts'
import { makeChallenge } from '../../../protocols/mpp/binding.ts'
import {
  type Challenge,
  PAYMENT_AUTHORIZATION_HEADER,
} from '../../../protocols/mpp/headers/challenge.ts'
import { AGENTCARD_CHARGE, agentcardTerms } from '../../../protocols/mpp/methods/agentcard.ts'
import { EVM_CHARGE, evmTerms } from '../../../protocols/mpp/methods/evm.ts'
import { isWorthCarrying } from '../../minimum.ts'
import type { PayLink } from '../../store.ts'

/** How long a challenge may be paid: longer than a person takes to agree, as short as money may be held for nothing. */
export const CHALLENGE_SECONDS = 300

/** As much of a memo as headers carry: all of them together must stay below 8 KB. */
const SUMMARY_CHARACTERS = 120

type Here = Pick<Services, 'chain' | 'settings'>

/** The one name that challenges give this service, whatever host a request came by. */
export const realmOf = (settings: Services['settings']): string =>
  new URL(settings.publicUrl).hostname

/** One way to pay a link by MPP, as it stands for `amount` base units. */
export type MppOffer = { method: string; intent: string; terms: JsonObject }

/** The ways to pay `value` to a link by MPP: on chain by anybody's USDC, where that is worth its gas, or by a card of this service. */
export function mppOffers({ chain, settings }: Here, link: PayLink, value: Amount): MppOffer[] {
  const { asset } = chain
  const shared = { asset, amount: value, externalId: link.code }
  const onChain = { ...EVM_CHARGE, terms: evmTerms({ ...shared, recipient: link.depositAddress }) }
  return [
    ...(isWorthCarrying({ settings }, value) ? [onChain] : []),
    {
      ...AGENTCARD_CHARGE,
      terms: agentcardTerms({ ...shared, issuer: settings.publicUrl, recipient: link.code }),
    },
  ]
}

/** What a link is for, in the headers of its demands. */
export const summaryOf = (link: PayLink): string =>
  [...(link.memo || `Pay link ${link.code}`)].slice(0, SUMMARY_CHARACTERS).join('')

/**
 * A fresh challenge for each way to pay a link by MPP; none where it takes no MPP, or the amount is still to be chosen.
 * Each is bound to the link, the amount and the body of the request, and is nobody else's.
 */
export function mppChallenges(
  services: Here & Pick<Services, 'mppKeys'>,
  at: Date,
  demand: {
    link: PayLink
    /** Base units, where the payer chooses. */
    chosen: bigint | null
    body: Uint8Array
    /** The credential must go elsewhere than into `Authorization`. */
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
