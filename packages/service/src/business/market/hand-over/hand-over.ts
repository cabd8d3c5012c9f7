import { chainFact } from '../../../api/events/fact-id.ts'
import { record } from '../../../api/events/record.ts'
import { credentialTransferred } from '../../../api/events/types/market/listings.ts'
import type { Settings } from '../../../api/http/settings.ts'
import { endRightsTo } from '../../../api/keys/api-key.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Address, Asset, Hex } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { moveLinks } from '../../../links/link/store.ts'
import { handOverAgreements } from '../../../members/agreements/hand-over.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { closeBelow } from '../../../money/cards/controls/claim.ts'
import { moveCard } from '../../../money/cards/owners/move.ts'
import { endSigning } from '../../../rails/ap2/hand-over.ts'
import { deletePreparedKeysOf } from '../../../rails/billing/store.ts'
import { readIdentities } from '../../identity/identity.ts'
import { requestTransfer } from '../../identity/request.ts'
import type { Belongings } from './lock.ts'

export type HandOver = Belongings & {
  toWallet: Address
  /** The listing, the price and the fee of a sale, and its transaction on the chain; null for a transfer. */
  sold: { listingId: string; price: Amount; fee: Amount; txHash?: Hex } | null
  asset: Asset
  settings: Settings
}

/** As `handOverOutside`, and the identity token follows. */
export async function handOver(
  tx: Tx,
  at: Date,
  given: HandOver,
): Promise<{ card: CardWithMoney; token: string }> {
  const moved = await handOverOutside(tx, at, given)
  await moveIdentity(tx, at, given)
  return moved
}

/**
 * Gives a locked card with all that belongs to it to another wallet, and ends all that must not outlive its owner. The money
 * of a sale is the caller's, and the identity token has moved on chain. Returns the card's new token.
 */
export async function handOverOutside(
  tx: Tx,
  at: Date,
  given: HandOver,
): Promise<{ card: CardWithMoney; token: string }> {
  const { card, agreements, toWallet, sold, asset } = given
  const { id: cardId, walletAddress: fromWallet } = card
  const listingId = sold?.listingId ?? null
  await record(tx, at, await closeBelow(tx, at, { card, reason: 'the card above was sold', asset }))
  const moved = await moveCard(tx, at, { card, toWallet, listingId })
  await moveLinks(tx, { cardId, toWallet })
  reach('market.moved')
  await handOverAgreements(tx, at, { agreements, cardId, fromWallet, toWallet, asset })
  await endSigning(tx, at, cardId)
  await deletePreparedKeysOf(tx, cardId)
  await endRightsTo(tx, at, { walletAddress: fromWallet as Address, cardId })
  const data = { card_id: cardId, from_wallet: fromWallet, to_wallet: toWallet }
  const price = sold?.price ?? null
  const fact = sold?.txHash ? chainFact(sold.txHash, cardId) : null
  await record(
    tx,
    at,
    [fromWallet, toWallet].map((walletAddress) =>
      credentialTransferred.of({
        walletAddress,
        ...{ asset, fact },
        data: { ...data, listing_id: listingId, price },
      }),
    ),
  )
  return moved
}

/** The identity token follows its card. A sale requests one for a card without; a gift must not use up its receiver's. */
async function moveIdentity(
  tx: Tx,
  at: Date,
  { card, toWallet, sold, asset, settings }: HandOver,
): Promise<void> {
  const identity = (await readIdentities(tx, [card.id])).get(card.id)
  const hasNone = identity?.status === 'NONE' || identity?.status === 'FAILED'
  if (sold === null && hasNone) return
  const askedBy =
    sold === null ? (card.walletAddress as Address) : paysGas(sold.fee, asset) ? null : toWallet
  await requestTransfer(tx, at, { settings, cardId: card.id, askedBy, toWallet })
}

/** Whether a fee pays for what a mint costs on Base: five cents. */
const paysGas = (fee: Amount, { decimals }: Asset): boolean => fee * 20n >= 10n ** BigInt(decimals)
