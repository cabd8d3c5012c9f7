import type { FastifyRequest } from 'fastify'
import type { Caller, Scope } from '../../api/http/caller.ts'
import type { Authenticate } from '../../api/http/server/router.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { randomToken, sha256Hex } from '../../base/kernel/secrets.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'

/** A card's token without a key may do over MCP what concerns its own card. */
const CARD_SCOPES: readonly Scope[] = [
  'cards:read',
  'payments:read',
  'payments:write',
  'paylinks:read',
  'paylinks:write',
  'approvals:read',
]

/**
 * Callers that were admitted at `/mcp` by their card's token, for as long as their request runs. The calls that it causes
 * inside this process carry a ticket in place of a key.
 */
export class Tickets {
  readonly #callers = new Map<string, Caller>()

  admit(card: CardWithMoney, token: string, at: Date): { ticket: string; end(): void } {
    const ticket = `ticket_${randomToken()}`
    this.#callers.set(ticket, {
      walletAddress: card.walletAddress as Address,
      kind: 'key',
      credentialHash: sha256Hex(token),
      authenticatedAt: at,
      scopes: CARD_SCOPES,
      cardIds: [card.id],
      maxAmount: null,
      requestId: '',
    })
    return { ticket, end: () => void this.#callers.delete(ticket) }
  }

  /** Knows the callers that were admitted, and asks `others` for the rest. */
  authenticate(others: Authenticate): Authenticate {
    return async (request: FastifyRequest, at: Date) => {
      const ticket = request.headers.authorization?.slice('Bearer '.length) ?? ''
      const admitted = this.#callers.get(ticket)
      return admitted ? { ...admitted, requestId: request.id } : others(request, at)
    }
  }
}
