import { Problem } from '../../base/kernel/problem.ts'
import { equalBytes, randomToken, sha256 } from '../../base/kernel/secrets.ts'
import type { Card } from './card.ts'

const TOKEN = /^tok_[A-Za-z0-9_-]{43}$/

/** A new card token: shown once, stored as its SHA-256 and its last four characters. */
export function newCardToken(): { token: string; hash: Buffer; hint: string } {
  const token = `tok_${randomToken()}`
  return { token, hash: sha256(token), hint: token.slice(-4) }
}

/** Whether the token is this card's, in constant time. */
export const isTokenOf = (card: Pick<Card, 'tokenHash'>, token: string): boolean =>
  card.tokenHash !== null && TOKEN.test(token) && equalBytes(sha256(token), card.tokenHash)

export function checkToken(card: Pick<Card, 'tokenHash'>, token: string): void {
  if (!isTokenOf(card, token)) throw wrongToken(card)
}

/** The refusal of a change to an autopay card, and of any debit but a renewal. */
export const autopayOnly = (): Problem =>
  new Problem(
    'invalid_state',
    'This card holds the reserve of a membership and pays its renewals alone. End auto-renew to have the money back.',
  )

/** The refusal of a token that is not the card's. */
export function wrongToken(card: Pick<Card, 'tokenHash'>): Problem {
  if (card.tokenHash === null) return autopayOnly()
  return new Problem(
    'invalid_card_token',
    'The card token is not the token of this card. Use the one shown when it was issued or rotated.',
    {
      param: 'card_token',
    },
  )
}

/** The card's token as it is shown later. Empty for a card that has none. */
export const maskedToken = (card: Pick<Card, 'tokenHint'>): string =>
  card.tokenHint && `tok_…${card.tokenHint}`

/** A card as the other side of its payments may see it. */
export const maskedCard = (id: string): string => `card_…${id.slice(-4)}`
