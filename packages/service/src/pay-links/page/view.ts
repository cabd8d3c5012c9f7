import type { Services } from '../../http/services.ts'
import type { Asset } from '../../kernel/assets.ts'
import { type Amount, parsePositiveAmount } from '../../kernel/money.ts'
import { Problem } from '../../kernel/problem.ts'
import { depthOf, readSeen } from '../arrivals/seen.ts'
import { statusAt } from '../link.ts'
import type { LinkStatus, PayLink } from '../store.ts'
import { eip681, linkUrl, qrOf } from '../view.ts'

/** Everything the page of a link shows. */
export type CheckoutView = {
  link: PayLink
  status: LinkStatus
  url: string
  asset: Asset
  explorerUrl: string | null
  /** The EIP-681 link for wallets; null where the link takes no transfers on chain. */
  payUri: string | null
  /** A picture of `payUri`, or of `url` where that is null. */
  qrSvg: string
  /** When the page is shown; without it the page does not say how long the link still holds. */
  at?: Date
  /** What the payer chose to pay, in base units, on a link without an amount. */
  chosen?: Amount
  /** The chain is the embedded one: its id names a public network that this money is not on. */
  isLocalChain?: boolean
  /** A transfer to the link that is in a block and does not count yet. */
  seen?: { txHash: string; amount: Amount; confirmations: number; needed: number }
  /** Why what was just sent was not taken, and what of it to show again. */
  refusal?: Refusal
}

export type Refusal = {
  message: string
  /** The form that was sent. */
  form: 'amount' | 'card' | 'chain'
  values: Record<string, string | undefined>
}

/** The path of the link's page, and that before every path of the service. */
export function pathsOf(url: string): { page: string; base: string } {
  const page = new URL(url).pathname
  return { page, base: page.replace(/\/pay\/[^/]*$/, '') }
}

/**
 * What the page of a link shows at this time. `chosen` is the amount that its payer typed, on a link without one; what
 * is no amount becomes the page's refusal.
 */
export async function viewCheckout(
  services: Services,
  at: Date,
  asked: { link: PayLink; chosen?: string | undefined; refusal?: Refusal },
): Promise<CheckoutView> {
  const { chain, settings } = services
  const choice = asked.link.amount === null ? readChoice(asked.chosen, chain.asset.decimals) : {}
  const link = asked.link
  const priced = choice.chosen === undefined ? link : { ...link, amount: choice.chosen }
  const url = linkUrl(services, link)
  const payUri = link.acceptedProtocols.includes('onchain') ? eip681(services, priced) : null
  const refusal = asked.refusal ?? choice.refusal
  const seen = await readSeen(services, link)
  return {
    link,
    status: statusAt(link, at),
    url,
    asset: chain.asset,
    explorerUrl: settings.explorerUrl,
    payUri,
    qrSvg: await qrOf(payUri ?? url),
    at,
    isLocalChain: settings.embeddedRpcUrl !== null,
    ...(choice.chosen === undefined ? {} : { chosen: choice.chosen }),
    ...(seen && {
      seen: { txHash: seen.txHash, amount: seen.amount, ...depthOf(services, seen) },
    }),
    ...(refusal === undefined ? {} : { refusal }),
  }
}

function readChoice(
  text: string | undefined,
  decimals: number,
): { chosen?: Amount; refusal?: Refusal } {
  if (text === undefined) return {}
  try {
    return { chosen: parsePositiveAmount(text.trim(), decimals) }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'invalid_amount')) throw error
    return { refusal: { message: error.message, form: 'amount', values: { amount: text } } }
  }
}
