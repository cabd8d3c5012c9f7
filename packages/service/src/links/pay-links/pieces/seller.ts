import type { Uses } from '../../../api/http/services.ts'
import { findProfile, type Profile } from '../../profile/store.ts'
import { logoPath } from '../../profile/view.ts'
import { type Html, html } from './html.ts'
import { copyable, shortAddress } from './layout.ts'

/** How the seller shows itself. The wallet is always named beside the name: anybody may choose a name. */
export type Seller = Omit<Profile, 'updatedAt'>

export const readSeller = async (
  { db }: Uses<'db'>,
  walletAddress: string,
): Promise<Profile | undefined> => findProfile(db.reader, walletAddress)

/** The head of the page: the seller's logo and name, or ours. */
export function brand(seller: Seller | undefined, base: string): Html {
  if (!seller?.name && !seller?.logoHash) return html`<p class="brand">Purser</p>`
  const { name, logoHash } = seller
  return html`<p class="brand">${logoHash && html`<img class="logo" src="${base}${logoPath(logoHash)}" alt="${name ? '' : 'Logo of the seller'}">`}${name && html`<bdi>${name}</bdi>`}</p>`
}

/** The seller's wallet, with the name that it chose. */
export const sellerFact = (seller: Seller | undefined, walletAddress: string): Html =>
  html`${seller?.name && html`<bdi>${seller.name}</bdi><br>`}<span class="mono${seller?.name && ' soft'}" title="${walletAddress}">${shortAddress(walletAddress)}</span>`

/** The same, with the whole address: for a receipt, which is kept. */
export const sellerInFull = (seller: Seller | undefined, walletAddress: string): Html =>
  html`${seller?.name && html`<bdi>${seller.name}</bdi><br>`}<span class="mono">${walletAddress}</span>`

/** A receipt is shown to others, and a card's id is half of what pays with the card: it is always masked. */
export const payerText = ({ payer }: { payer: string }): string =>
  payer.startsWith('0x') ? shortAddress(payer) : `card …${payer.slice(-4)}`

/** How a payer reaches the seller. */
export function reachSeller(seller: Seller | undefined, walletAddress: string): Html {
  const name = seller?.name ? html`<bdi>${seller.name}</bdi>` : html`the seller`
  if (!seller?.supportUrl)
    return html`<p>The seller has left no address here. Ask where you found the link. The seller's wallet: ${copyable(walletAddress, "the seller's address")}</p>`
  const { protocol, host, pathname } = new URL(seller.supportUrl)
  const shown = protocol === 'mailto:' ? decodeURIComponent(pathname) : host
  return html`<p><a class="secondary" href="${seller.supportUrl}" rel="noreferrer"><span>Ask ${name} (${shown})</span></a></p>`
}
