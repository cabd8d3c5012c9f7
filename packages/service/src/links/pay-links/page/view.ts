import type { Uses } from '../../../api/http/services.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, formatAmount, readPositiveAmount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { directBlock } from '../../direct/binding.ts'
import { isGateClosed } from '../../direct/gate.ts'
import { depthOf, readSeen } from '../../link/arrivals/seen.ts'
import { assetOfLink, leastProblem, linkUrl, statusAt } from '../../link/link.ts'
import type { PayLink } from '../../link/store.ts'
import { qrOf } from '../../link/view.ts'
import { METHODS } from '../methods/methods.ts'
import { readSeller } from '../pieces/seller.ts'
import type { CheckoutView, Refusal } from '../pieces/view.ts'

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
  const asset = assetOfLink(services.chain, asked.link)
  const { link } = asked
  const choice = link.amount === null ? readChoice(link, asked.chosen, asset) : {}
  const priced = choice.chosen === undefined ? link : { ...link, amount: choice.chosen }
  const url = linkUrl(services, link)
  const payUri = payUriOf(services, priced)
  const direct = directBlock(services, link)
  const refusal = asked.refusal ?? choice.refusal
  const status = statusAt(link, at)
  const [seen, seller] = await Promise.all([
    readSeen(services, link),
    readSeller(services, link.walletAddress),
  ])
  const isClosed = status === 'ACTIVE' && (await isGateClosed(services, at, link))
  return {
    link,
    status,
    isGateClosed: isClosed,
    url,
    asset,
    explorerUrl: settings.explorerUrl,
    payUri,
    qrSvg: await qrOf(
      payUri ??
        `${url}${choice.chosen === undefined ? '' : `?amount=${formatAmount(choice.chosen, asset.decimals)}`}`,
    ),
    at,
    isLocalChain: settings.embeddedRpcUrl !== null,
    localRpcUrl: settings.embeddedRpcUrl,
    ...(choice.chosen === undefined ? {} : { chosen: choice.chosen }),
    ...(seen && {
      seen: { txHash: seen.txHash, amount: seen.amount, ...depthOf(services, seen) },
    }),
    ...(direct && { direct }),
    ...(seller && { seller }),
    ...(refusal === undefined ? {} : { refusal }),
  }
}

function payUriOf(services: Uses<'chain'>, link: PayLink): string | null {
  const method = METHODS.find(
    ({ protocol, page }) => page?.uri && link.acceptedProtocols.includes(protocol),
  )
  return method?.page?.uri?.(services, link) ?? null
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
  const chosen = readPositiveAmount(text.trim(), asset.decimals)
  if (chosen instanceof Problem) return refused(chosen)
  const small = leastProblem(link, chosen, asset)
  return small ? refused(small) : { chosen }
}
