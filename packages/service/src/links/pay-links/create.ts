import { record } from '../../api/events/record.ts'
import { payLinkCreated } from '../../api/events/types/pay-links.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assert } from '../../base/kernel/assert.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { newId, newPayLinkCode } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { checkNotOnSale } from '../../money/cards/controls/own-card.ts'
import { findCategory } from '../../money/cards/merchants/store.ts'
import { findCard } from '../../money/cards/store.ts'
import { autopayOnly } from '../../money/cards/token.ts'
import type { DirectTerms } from '../direct/terms.ts'
import { assetOfLink, linkEvent } from '../link/link.ts'
import { insertLink, type LinkProtocol, type PayLink } from '../link/store.ts'
import { type CheckoutTerms, signCheckout } from './methods/ap2/checkout.ts'
import { insertCheckout } from './methods/ap2/store.ts'

export type LinkOrder = {
  walletAddress: string
  cardId: string
  amount: Amount | null
  /** The least that the payer may choose; only without an amount. */
  minAmount: Amount | null
  memo: string
  mcc: string | null
  linkType: 'SINGLE' | 'RECURRING'
  maxUses: number
  acceptedProtocols: LinkProtocol[]
  expiresAt: Date | null
  metadata: Record<string, string>
  /** Only these agents may pay; anybody if left out. */
  allowedAgents?: string[] | null
  /** A wallet that has paid gets its receipt again. */
  payersReturn?: boolean
  /** Checked by `readReturnUrl`. */
  successUrl?: string | null
  cancelUrl?: string | null
  /** The token of a DIRECT card's link; null for a CUSTODIAL card. */
  terms: DirectTerms | null
  /** Accept only mandates of the checkout that is signed for the link. */
  requiresCheckout: boolean
}

/**
 * Opens a link that pays into the wallet's card. The trigger `seller_has_card` asks again for the owner and for a sale on
 * chain, behind whoever has the card locked, and has this run again. The link has an address
 * of its own for payments on chain.
 */
export async function createLink(
  tx: Tx,
  at: Date,
  {
    chain,
    signer,
    publicUrl,
    requiresCheckout,
    terms,
    allowedAgents = null,
    payersReturn = false,
    successUrl = null,
    cancelUrl = null,
    ...order
  }: LinkOrder & Pick<CheckoutTerms, 'signer' | 'publicUrl'> & { chain: Chain },
): Promise<PayLink> {
  const card = await findCard(tx, order.cardId)
  if (card?.walletAddress !== order.walletAddress) throw notFound('card')
  if (card.kind === 'autopay') throw autopayOnly()
  checkNotOnSale(card)
  if (card.status === 'CLOSED')
    throw new Problem('invalid_state', 'The card is CLOSED and can receive no more payments.')
  assert((card.settlementMode === 'DIRECT') === (terms !== null), 'a card keeps its mode')
  const id = newId('pl', at)
  const link: PayLink = {
    ...order,
    allowedAgents,
    payersReturn,
    successUrl,
    cancelUrl,
    id,
    code: newPayLinkCode(),
    network: chain.network,
    asset: terms?.symbol ?? card.asset,
    category: await findCategory(tx, order.walletAddress),
    status: 'ACTIVE',
    uses: 0,
    reserved: 0,
    payTo: terms ? (order.walletAddress as Address) : chain.depositSigner(id).address,
    token: terms?.contract ?? null,
    tokenDecimals: terms?.decimals ?? null,
    tokenType: terms?.type ?? null,
    confirmedAt: null,
    createdAt: at,
  }
  await insertLink(tx, link)
  if (link.acceptedProtocols.includes('ap2')) {
    const terms = {
      signer,
      publicUrl,
      at,
      asset: assetOfLink(chain, link),
      isRequired: requiresCheckout,
    }
    await insertCheckout(tx, at, await signCheckout(link, terms))
  }
  await record(tx, at, [linkEvent(payLinkCreated, link, assetOfLink(chain, link))])
  return link
}
