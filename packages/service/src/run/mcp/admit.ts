import type { Scope } from '../../api/http/caller.ts'
import type { Authenticate } from '../../api/http/server/router.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { sha256Hex } from '../../base/kernel/secrets.ts'
import { findCardByToken } from '../../money/cards/store.ts'

/** The token of a card in place of a key may do what concerns that card. */
export const CARD_SCOPES: readonly Scope[] = [
  'cards:read',
  'payments:read',
  'payments:write',
  'paylinks:read',
  'paylinks:write',
  'approvals:read',
]

/** The credential in `Authorization: Bearer`; empty without one. */
export const bearerOf = (headers: { authorization?: string | undefined }): string =>
  /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''

export const isCardToken = (credential: string): boolean => credential.startsWith('tok_')

/** Knows a caller by the token of its card too. */
export function withCardTokens({ db }: Uses<'db'>, byKey: Authenticate): Authenticate {
  return async (request, at) => {
    const token = bearerOf(request.headers)
    const card = isCardToken(token) ? await findCardByToken(db.reader, token) : undefined
    if (!card) return byKey(request, at)
    return {
      walletAddress: card.walletAddress as Address,
      kind: 'key',
      credentialHash: sha256Hex(token),
      authenticatedAt: at,
      scopes: CARD_SCOPES,
      cardIds: [card.id],
      maxAmount: null,
      requestId: request.id,
    }
  }
}
