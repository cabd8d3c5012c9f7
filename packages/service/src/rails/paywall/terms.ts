import { type Caller, mayUseCard } from '../../api/http/caller.ts'
import type { Uses } from '../../api/http/services.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { findLinkById, type PayLink } from '../../links/link/store.ts'
import { createLink } from '../../links/pay-links/create.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { lockOwnCard } from '../../money/cards/controls/own-card.ts'
import { listCards } from '../../money/cards/lists/store.ts'
import { listPaywallLinks, savePaywallLink } from './store.ts'

/**
 * The link by which cards of this service pay the routes of the caller: the newest that takes payments, or a new one on the named
 * card, else on the caller's newest card that can receive. Undefined if there is no such card.
 */
export async function paywallLink(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  { caller, cardId }: { caller: Caller; cardId: string | undefined },
): Promise<PayLink | undefined> {
  const { db } = services
  const known = await findOpen(services, { caller, cardId })
  if (known) return known
  const card = await findReceiver(services, at, { caller, cardId })
  if (!card) return undefined
  const { chain, settings, signing } = services
  const signer = await signing.current(at)
  return db.write(async (tx) => {
    // Two processes that start together make one link.
    await lockOwnCard(tx, at, { walletAddress: caller.walletAddress, cardId: card.id })
    const made = await findOpen({ db: { ...db, reader: tx } }, { caller, cardId: card.id })
    if (made) return made
    const link = await createLink(tx, at, {
      ...{ walletAddress: caller.walletAddress, cardId: card.id },
      ...{ amount: null, minAmount: null, terms: null, expiresAt: null },
      memo: 'Paid requests',
      mcc: null,
      linkType: 'RECURRING',
      maxUses: 0,
      acceptedProtocols: ['mpp', 'card'],
      metadata: {},
      requiresCheckout: false,
      ...{ chain, signer, publicUrl: settings.publicUrl },
    })
    const { walletAddress } = caller
    await savePaywallLink(tx, at, { walletAddress, cardId: card.id, payLinkId: link.id })
    return link
  })
}

async function findOpen(
  { db }: { db: Pick<Uses<'db'>['db'], 'reader'> },
  { caller, cardId }: { caller: Caller; cardId: string | undefined },
): Promise<PayLink | undefined> {
  for (const { cardId: on, payLinkId } of await listPaywallLinks(db.reader, caller.walletAddress)) {
    if ((cardId !== undefined && on !== cardId) || !mayUseCard(caller, on)) continue
    const link = await findLinkById(db.reader, payLinkId)
    if (link?.status === 'ACTIVE' && link.walletAddress === caller.walletAddress) return link
  }
  return undefined
}

/** The card that receives: it keeps its money here, in the asset of the prices. */
async function findReceiver(
  { db, chain }: Uses<'chain' | 'db'>,
  at: Date,
  { caller, cardId }: { caller: Caller; cardId: string | undefined },
): Promise<CardWithMoney | undefined> {
  const { walletAddress, cardIds } = caller
  if (cardId !== undefined && !mayUseCard(caller, cardId)) throw noCard(cardId)
  const ids = cardId === undefined ? cardIds : [cardId]
  const cards = await listCards(db.reader, walletAddress, { ids, status: 'ACTIVE', limit: 100 })
  const card = cards.find(
    ({ kind, settlementMode, asset, expiresAt }) =>
      kind === 'spending' &&
      settlementMode === 'CUSTODIAL' &&
      asset === defaultAsset(chain).symbol &&
      (expiresAt === null || expiresAt > at),
  )
  if (!card && cardId !== undefined) throw noCard(cardId)
  return card
}

const noCard = (cardId: string): Problem =>
  new Problem(
    'not_found',
    `No ACTIVE card ${cardId.slice(0, 64)} of this key can receive: it must be CUSTODIAL and in the asset of the prices.`,
    { param: 'card_id' },
  )
