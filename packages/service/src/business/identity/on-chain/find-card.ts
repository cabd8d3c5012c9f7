import type { Uses } from '../../../api/http/services.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { readTokenUri } from '../../../chain/client/identity/token-uri.ts'
import { lookAt, type Sight } from '../../../chain/client/identity/vault.ts'
import { findCardOfToken } from '../store.ts'

const NAMED = /\/api\/v1\/credentials\/(card_[0-9a-z]{26})\/registration$/

export type TokenCard = { cardId: Id<'card'>; sight: Sight }

/**
 * The card of an identity token, and what a safe block shows of it. A token that these books do not have names its card in
 * its URI; the vault's record proves it. Undefined if neither knows the token.
 */
export async function findTokenCard(
  { chain, db, settings }: Uses<'chain' | 'db' | 'settings'>,
  token: { registry: Address; tokenId: bigint },
): Promise<TokenCard | undefined> {
  if (settings.identity === null) return undefined
  const { network } = chain
  const known = await findCardOfToken(db.reader, { ...token, network })
  const cardId = known ?? cardIn(await readTokenUri(chain, token))
  if (cardId === undefined) return undefined
  const { vault } = settings.identity
  const [sight] = await lookAt(chain, vault, { cardIds: [cardId], blockTag: 'safe' })
  return sight?.tokenId === token.tokenId ? { cardId, sight } : undefined
}

const cardIn = (uri: string): Id<'card'> | undefined =>
  NAMED.exec(uri)?.[1] as Id<'card'> | undefined
