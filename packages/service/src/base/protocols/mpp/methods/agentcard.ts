import type { Asset } from '../../../kernel/assets.ts'
import type { Amount } from '../../../kernel/money.ts'
import { isObject, type JsonObject, member } from '../../json.ts'
import type { BindingKeys } from '../binding.ts'
import type { Challenge } from '../headers/challenge.ts'
import { readPrice, readText } from '../headers/wire.ts'
import { openClaims, sealClaims } from '../mac.ts'
import { MppRefusal } from '../refusal.ts'

/**
 * The custodial method of this service, for cards whose money the issuer holds. The agent asks the issuer to pay a
 * challenge, gets a card token, and presents it; nothing touches the chain. It is not the `card` method of other
 * drafts, which is a network token.
 */
export const AGENTCARD_CHARGE = { method: 'agentcard', intent: 'charge' } as const

const TOKEN_USE = 'agentcard.charge'

export type AgentcardCharge = {
  /** The URL of the service whose cards pay. */
  readonly issuer: string
  /** The symbol of the asset in lower case, e.g. `usdc`. */
  readonly currency: string
  /** Base units, above zero. */
  readonly amount: bigint
  /** The issuer's name for the payee, e.g. the code of a pay link. */
  readonly recipient: string
  readonly decimals: number
  readonly externalId: string | undefined
}

export type AgentcardSkipReason =
  | 'malformed'
  | 'invalid_amount'
  | 'invalid_asset'
  | 'invalid_recipient'

export const agentcardTerms = (charge: {
  issuer: string
  asset: Asset
  amount: Amount
  recipient: string
  externalId?: string
}): JsonObject => ({
  amount: charge.amount.toString(),
  currency: charge.asset.symbol.toLowerCase(),
  recipient: charge.recipient,
  ...(charge.externalId !== undefined && { externalId: charge.externalId }),
  methodDetails: { issuer: charge.issuer, decimals: charge.asset.decimals },
})

/** Reads the terms of a charge to a card, or answers why they cannot be paid. */
export function readAgentcardTerms(terms: JsonObject): AgentcardCharge | AgentcardSkipReason {
  const details = member(terms, 'methodDetails')
  if (!isObject(details)) return 'malformed'
  const issuer = readText(member(details, 'issuer'))
  const decimals = member(details, 'decimals')
  if (issuer === undefined || typeof decimals !== 'number') return 'malformed'
  const amount = readPrice(member(terms, 'amount'))
  if (amount === undefined) return 'invalid_amount'
  const currency = readText(member(terms, 'currency'))
  if (currency === undefined) return 'invalid_asset'
  const recipient = readText(member(terms, 'recipient'))
  if (recipient === undefined) return 'invalid_recipient'
  const externalId = readText(member(terms, 'externalId'))
  return { issuer, currency, amount, recipient, decimals, externalId }
}

/** The claims of a card token: this card pays exactly this challenge, and its money is set aside under `hold`. */
export type CardToken = { readonly card: string; readonly hold: string }

/** A token by which the card pays the challenge, valid until the challenge expires. */
export function makeCardToken(key: Uint8Array, challenge: Challenge, token: CardToken): string {
  return sealClaims(key, TOKEN_USE, { ...token, ...claimsOf(challenge) })
}

/** The payload of a credential that pays by card. */
export const agentcardPayload = (token: string): { type: 'cardToken'; token: string } => ({
  type: 'cardToken',
  token,
})

/**
 * The card and hold of a credential's token. Throws `card_token_invalid` for a token that we did not make, and
 * `card_token_mismatch` for another challenge or other terms. The hold ensures that the token is used once.
 */
export function readCardToken(
  keys: BindingKeys,
  challenge: Challenge,
  payload: JsonObject,
): CardToken {
  const token = member(payload, 'token')
  if (member(payload, 'type') !== 'cardToken' || typeof token !== 'string')
    throw new MppRefusal('payload_invalid', 'The payload is not a cardToken with its token.')
  const claims = openClaims(keys, TOKEN_USE, token)
  const [card, hold] = [readText(claims?.card), readText(claims?.hold)]
  if (!claims || card === undefined || hold === undefined)
    throw new MppRefusal('card_token_invalid', 'The card token was not issued here.')
  for (const [name, value] of Object.entries(claimsOf(challenge)))
    if (member(claims, name) !== value)
      throw new MppRefusal('card_token_mismatch', 'The card token is for another challenge.')
  return { card, hold }
}

/** Our ids cover every term. The terms are repeated because the card's issuer may not be the challenge's maker. */
function claimsOf(challenge: Challenge): { [name: string]: string } {
  const { id, realm, request, expires = '' } = challenge
  return { challenge: id, realm, request, expires }
}
