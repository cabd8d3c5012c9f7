import type { Uses } from '../../../api/http/services.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { lookAt } from '../../../chain/client/identity/vault.ts'
import { perChain } from '../../../chain/client/per-chain.ts'
import { type Identity, identityOf, NO_IDENTITY } from '../identity.ts'
import { findIdentityRows } from '../store.ts'

/** How long a look at the chain is shown again. */
const FRESH_MS = 60_000
const MOST_KEPT = 10_000

type Look = { isAttested: boolean; isDeployed: boolean; at: number }
const looks = perChain(() => new Map<string, Look>())

/**
 * As `readIdentities`, with the attestation and the holder account as the chain shows them now, or did a minute ago. While
 * the chain does not answer, nothing counts as attested.
 */
export async function readLiveIdentities(
  services: Uses<'db' | 'chain' | 'settings' | 'log'>,
  at: Date,
  cardIds: readonly string[],
): Promise<Map<string, Identity>> {
  const rows = cardIds.length === 0 ? [] : await findIdentityRows(services.db.reader, cardIds)
  const minted = rows.filter(({ tokenId }) => tokenId !== null).map(({ cardId }) => cardId)
  const seen = await lookLive(services, at, minted)
  const known = new Map<string, Identity>(
    rows.map((row) => {
      const look = seen.get(row.cardId) ?? { isAttested: false, isDeployed: row.isDeployed }
      const { isAttested, isDeployed } = look
      return [row.cardId, identityOf({ ...row, isAttested, isDeployed })]
    }),
  )
  return new Map(cardIds.map((id) => [id, known.get(id) ?? NO_IDENTITY]))
}

async function lookLive(
  { chain, settings, log }: Uses<'chain' | 'settings' | 'log'>,
  at: Date,
  cardIds: readonly string[],
): Promise<Map<string, Look>> {
  const kept = looks(chain)
  const now = at.getTime()
  const stale = cardIds.filter((id) => Math.abs(now - (kept.get(id)?.at ?? 0)) >= FRESH_MS)
  if (stale.length > 0 && settings.identity !== null) {
    if (kept.size + stale.length > MOST_KEPT) kept.clear()
    try {
      const { vault } = settings.identity
      const found = await lookAt(chain, vault, { cardIds: stale, blockTag: 'latest' })
      for (const [i, id] of stale.entries()) {
        const { isAttested, isDeployed } = found[i] ?? { isAttested: false, isDeployed: false }
        kept.set(id, { isAttested, isDeployed, at: now })
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      log.warn({ err: error.cause }, 'the chain did not show the attestations of identities')
      for (const id of stale) kept.delete(id)
    }
  }
  return new Map(cardIds.flatMap((id) => (kept.has(id) ? [[id, kept.get(id) as Look]] : [])))
}
