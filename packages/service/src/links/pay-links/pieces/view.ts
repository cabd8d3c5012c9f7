import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, formatAmount } from '../../../base/kernel/money.ts'
import type { LinkProtocol, LinkStatus, PayLink } from '../../link/store.ts'
import type { Seller } from './seller.ts'

/** Everything the page of a link shows. */
export type CheckoutView = {
  link: PayLink
  status: LinkStatus
  url: string
  asset: Asset
  explorerUrl: string | null
  /** The EIP-681 link for wallets; null if the link takes no transfers on chain. */
  payUri: string | null
  /** A picture of `payUri`, or of `url` if `payUri` is null. */
  qrSvg: string
  /** The time of the request. Without it the page does not show the time left. */
  at?: Date
  /** The payer's amount in base units, on a link without one. */
  chosen?: Amount
  /** Whether the chain is the embedded one, whose id is that of a public network. */
  isLocalChain?: boolean
  /** The RPC of the embedded chain. That of a public chain may hold a secret of the operator. */
  localRpcUrl?: string | null
  /** A transfer to the link that is in a block and is not credited yet. */
  seen?: { txHash: string; amount: Amount; confirmations: number; needed: number }
  /** Why the form that was just sent was refused, and the values to show again. */
  refusal?: Refusal
  /** The way to bind a transfer to a DIRECT link. */
  direct?: { memo: string | null; message: string }
  /** How the seller shows itself; left out by one that has not said. */
  seller?: Seller
  /** The seller's plan covers no more DIRECT payments: the page offers none. */
  isGateClosed?: boolean
}

export type Refusal = {
  message: string
  /** The form that was sent: the amount's, or that of a method; null for an empty one. */
  form: 'amount' | LinkProtocol | null
  values: Record<string, string | undefined>
}

/** The path of the link's page, and the prefix of every path of the service. */
export function pathsOf(url: string): { page: string; base: string } {
  const page = new URL(url).pathname
  return { page, base: page.replace(/\/pay\/[^/]*$/, '') }
}

/** The URL before the link's path. */
export const originOf = ({ url, link }: CheckoutView): string =>
  url.slice(0, -`/pay/${link.code}`.length)

/** The query that names the payer's amount, for a link without one; an example until the payer has chosen. */
export const amountQuery = ({ link, chosen, asset }: CheckoutView): string => {
  if (link.amount !== null) return ''
  return `?amount=${chosen === undefined ? '1.00' : formatAmount(chosen, asset.decimals)}`
}
