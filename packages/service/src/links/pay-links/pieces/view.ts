import type { Uses } from '../../../api/http/services.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, formatAmount, parsePositiveAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { directBlock } from '../../direct/binding.ts'
import { isGateClosed } from '../../direct/gate.ts'
import { depthOf, readSeen } from '../../link/arrivals/seen.ts'
import { assetOf, leastProblem, linkUrl, statusAt } from '../../link/link.ts'
import type { LinkProtocol, LinkStatus, PayLink } from '../../link/store.ts'
import { qrOf } from '../../link/view.ts'
import { eip681 } from './eip681.ts'

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

/**
 * The content of a link's page at `at`. `chosen` is the amount that the payer typed, on a link without one. A malformed
 * amount becomes the page's refusal.
 */
export async function viewCheckout(
  services: Uses<'chain' | 'db' | 'settings'>,
  at: Date,
  asked: { link: PayLink; chosen?: string | undefined; refusal?: Refusal },
): Promise<CheckoutView> {
  const { settings } = services
  const asset = assetOf(services.chain, asked.link)
  const { link } = asked
  const choice = link.amount === null ? readChoice(link, asked.chosen, asset) : {}
  const priced = choice.chosen === undefined ? link : { ...link, amount: choice.chosen }
  const url = linkUrl(services, link)
  const payUri = link.acceptedProtocols.includes('onchain') ? eip681(services, priced) : null
  const direct = directBlock(services, link)
  const refusal = asked.refusal ?? choice.refusal
  const status = statusAt(link, at)
  const seen = await readSeen(services, link)
  const isClosed = status === 'ACTIVE' && (await isGateClosed(services, at, link))
  return {
    link,
    status,
    isGateClosed: isClosed,
    url,
    asset,
    explorerUrl: settings.explorerUrl,
    payUri,
    qrSvg: await qrOf(payUri ?? url),
    at,
    isLocalChain: settings.embeddedRpcUrl !== null,
    localRpcUrl: settings.embeddedRpcUrl,
    ...(choice.chosen === undefined ? {} : { chosen: choice.chosen }),
    ...(seen && {
      seen: { txHash: seen.txHash, amount: seen.amount, ...depthOf(services, seen) },
    }),
    ...(direct && { direct }),
    ...(refusal === undefined ? {} : { refusal }),
  }
}

function readChoice(
  link: PayLink,
  text: string | undefined,
  asset: Asset,
): { chosen?: Amount; refusal?: Refusal } {
  if (text === undefined) return {}
  const refused = ({ message }: Problem) => ({
    refusal: { message, form: 'amount' as const, values: { amount: text } },
  })
  try {
    const chosen = parsePositiveAmount(text.trim(), asset.decimals)
    const small = leastProblem(link, chosen, asset)
    return small ? refused(small) : { chosen }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'invalid_amount')) throw error
    return refused(error)
  }
}
