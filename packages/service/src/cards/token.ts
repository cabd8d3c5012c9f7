import { Problem } from '../kernel/problem.ts'
import { equalBytes, randomToken, sha256 } from '../kernel/secrets.ts'
import type { Card } from './card.ts'

const TOKEN = /^tok_[A-Za-z0-9_-]{43}$/

/** A new card token: shown once, stored as its SHA-256 and its last four characters. */
export function newCardToken(): { token: string; hash: Buffer; hint: string } {
  const token = `tok_${randomToken()}`
  return { token, hash: sha256(token), hint: token.slice(-4) }
}

/** Whether the token is this card's, in constant time. */
export const isTokenOf = (card: Pick<Card, 'tokenHash'>, token: string): boolean =>
  TOKEN.test(token) && equalBytes(sha256(token), card.tokenHash)

export function checkToken(card: Pick<Card, 'tokenHash'>, token: string): void {
  if (!isTokenOf(card, token)) throw wrongToken()
}

export const wrongToken = (): Problem =>
  new Problem(
    'invalid_card_token',
    'The card token is not the token of this card. Use the one shown when it was issued or rotated.',
    {
      param: 'card_token',
    },
  )

export const maskedToken = (card: Pick<Card, 'tokenHint'>): string => `tok_…${card.tokenHint}`
