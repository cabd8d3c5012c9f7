import type { BuiltEvent } from '../../api/events/define.ts'
import { logFact } from '../../api/events/fact-id.ts'
import { record } from '../../api/events/record.ts'
import {
  payLinkCancelled,
  payLinkCompleted,
  type payLinkCreated,
  payLinkExpired,
} from '../../api/events/types/pay-links.ts'
import { type Caller, mayUseCard } from '../../api/http/caller.ts'
import { perServices, type Uses } from '../../api/http/services.ts'
import type { Settings } from '../../api/http/settings.ts'
import { gather } from '../../base/db/lanes/gather.ts'
import { lockOwned, type Owned } from '../../base/db/owned.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { formatAmount } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { type Assets, assetAt, defaultAsset, shownAsset } from '../../chain/client/rails.ts'
import { checkNotOnSale } from '../../money/cards/controls/own-card.ts'
import { findCard } from '../../money/cards/store.ts'
import { lockLink, markCancelled, normalCode, type PayLink, readLinks, saveLinks } from './store.ts'

/** Links are read far more often than paid, so simultaneous requests share a read. */
const linkOf = perServices(({ db, clock }: Uses<'clock' | 'db'>) =>
  gather((codes) => readLinks(db.reader, clock.now(), codes)),
)

/** The link of this code, or `not_found`. */
export async function mustFindLink(services: Uses<'clock' | 'db'>, code: string): Promise<PayLink> {
  const link = await linkOf(services)(normalCode(code))
  if (!link) throw notFound('pay link')
  return link
}

/** The asset that the link is paid in, as its row says: an asset of the service, or the token of a DIRECT link. */
export function assetOfLink(
  chain: Assets,
  link: Pick<PayLink, 'asset' | 'token' | 'tokenDecimals'>,
): Asset {
  if (link.token === null) return shownAsset(chain, link)
  const ours = assetAt(chain, link.token)
  return (
    ours ?? {
      ...defaultAsset(chain),
      symbol: link.asset,
      decimals: link.tokenDecimals ?? 0,
      contract: link.token,
      // Nothing is signed for this token by its own EIP-712 domain: it is paid by Permit2 or a plain transfer.
      eip712: { name: '', version: '' },
    }
  )
}

/**
 * Whether the link is paid by transfers that its asset's own EIP-712 domain signs (EIP-3009). Any other token is paid by Permit2
 * or a plain transfer, and its worth is not known.
 */
export const isInOurs = (chain: Assets, link: Pick<PayLink, 'token'>): boolean =>
  link.token === null || assetAt(chain, link.token) !== undefined

/** The refusal of a payment by card: the money of a DIRECT link never enters the books. */
export const directProblem = (link: PayLink): Problem =>
  new Problem(
    'protocol_not_accepted',
    `This link is paid on chain alone, by ${link.acceptedProtocols.join(', ')}: its seller settles DIRECT.`,
  )

/** The page of the link, and the resource that x402 and MPP pay for. */
export const linkUrl = ({ settings }: Uses<'settings'>, { code }: Pick<PayLink, 'code'>): string =>
  `${settings.publicUrl}/pay/${code}`

/** The service's name in challenges of MPP, whatever host a request came by. */
export const realmOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  new URL(publicUrl).hostname

/** The memo's length limit in headers: all headers together must stay below 8 KB. */
const SUMMARY_CHARACTERS = 120

/** The purpose of a link, for the headers of its demands. */
export const summaryOf = (link: PayLink): string =>
  [...(link.memo || `Pay link ${link.code}`)].slice(0, SUMMARY_CHARACTERS).join('')

/** The seller of a link as a card's policy sees it, on every rail. */
export const payeeOf = (link: PayLink) => ({
  merchants: [link.code, link.walletAddress, link.cardId],
  mcc: link.category,
})

/** The link's status at `at`. A link is EXPIRED from its end on, even before the job has marked it. */
export const statusAt = (link: PayLink, at: Date): PayLink['status'] =>
  link.status === 'ACTIVE' && link.expiresAt !== null && link.expiresAt <= at
    ? 'EXPIRED'
    : link.status

const CLOSED = {
  EXPIRED: ['pay_link_expired', 'The pay link has expired. Ask the seller for a new one.'],
  CANCELLED: ['pay_link_cancelled', 'The seller has cancelled this pay link.'],
  COMPLETED: ['pay_link_completed', 'The pay link has been paid and takes no more payments.'],
} as const

/** Why the link will never take a payment again; undefined while it is ACTIVE. */
export function endedProblem(link: PayLink, at: Date): Problem | undefined {
  const status = statusAt(link, at)
  if (status === 'ACTIVE') return undefined
  const [code, message] = CLOSED[status]
  return new Problem(code, message, { extra: { status } })
}

/** Why the link takes no payment now; undefined if it does. */
export function closedProblem(link: PayLink, at: Date): Problem | undefined {
  const ended = endedProblem(link, at)
  if (ended) return ended
  if (link.maxUses > 0 && link.uses + link.reserved >= link.maxUses)
    return new Problem(
      'pay_link_busy',
      'Another payment of this link is being settled. Try again in a few seconds.',
      {
        headers: { 'retry-after': '3' },
      },
    )
  return undefined
}

/** The least that settles the link: its amount, or the least that its payer may choose. */
export const leastOf = ({ amount, minAmount }: Pick<PayLink, 'amount' | 'minAmount'>) =>
  amount ?? minAmount

/** Why the payer may not choose this amount, on a link that names the least; undefined if the payer may. */
export function leastProblem(
  link: PayLink,
  value: bigint,
  { decimals }: Asset,
): Problem | undefined {
  const { minAmount } = link
  if (minAmount === null || value >= minAmount) return undefined
  return new Problem(
    'amount_below_minimum',
    `This link takes ${formatAmount(minAmount, decimals)} ${link.asset} or more. Choose such an amount.`,
    { param: 'amount', extra: { minimum: String(minAmount) } },
  )
}

/** The link with one more use counted. Its last use makes it COMPLETED. */
export function withUse<L extends PayLink>(link: L, at: Date): L {
  const uses = link.uses + 1
  const isLast = link.maxUses > 0 && uses >= link.maxUses
  return { ...link, uses, confirmedAt: at, status: isLast ? 'COMPLETED' : link.status }
}

const toSeller = (link: PayLink, asset: Asset) => ({
  walletAddress: link.walletAddress,
  asset,
  data: {
    pay_link_id: link.id,
    pay_link_code: link.code,
    card_id: link.cardId,
    status: link.status,
    memo: link.memo,
    amount: link.amount,
  },
})

/** An event of a link, for its seller. */
export const linkEvent = (
  kind: Pick<typeof payLinkCreated, 'of'>,
  link: PayLink,
  asset: Asset,
): BuiltEvent => kind.of(toSeller(link, asset))

/** The end of a link, if this use was its last. `log` is the transfer that paid it, if one did. */
export const completion = (
  used: PayLink,
  { asset, log }: { asset: Asset; log: { txHash: string; logIndex: number } | null },
): BuiltEvent[] => {
  if (used.status !== 'COMPLETED') return []
  const { network } = used
  const fact = log && logFact({ network, txHash: log.txHash, logIndex: log.logIndex })
  return [payLinkCompleted.of({ ...toSeller(used, asset), fact })]
}

/** Locks the caller's link. Throws `invalid_state` while its card is being sold on chain: a buyer has paid for it too. */
export async function lockOwnLink(
  tx: Tx,
  at: Date,
  { caller, code }: { caller: Caller; code: string },
): Promise<Owned<PayLink>> {
  const isMine = ({ walletAddress, cardId }: PayLink) =>
    walletAddress === caller.walletAddress && mayUseCard(caller, cardId)
  const link = await lockOwned<PayLink>(lockLink(tx, at, code), isMine, 'pay link')
  const card = await findCard(tx, link.cardId)
  if (card) checkNotOnSale(card)
  return link
}

/** Cancels a link for good. A payment that was claimed before still settles it. */
export async function cancelLink(
  tx: Tx,
  at: Date,
  { link, chain }: { link: Owned<PayLink>; chain: Assets },
): Promise<PayLink> {
  const status = statusAt(link, at)
  if (status === 'CANCELLED') return link
  if (status !== 'ACTIVE')
    throw new Problem(
      'invalid_state',
      `The pay link is ${status}; only an ACTIVE one can be cancelled.`,
    )
  const cancelled: PayLink = { ...link, status: 'CANCELLED' }
  await markCancelled(tx, at, link.id)
  await record(tx, at, [linkEvent(payLinkCancelled, cancelled, assetOfLink(chain, link))])
  return cancelled
}

/** Marks the link EXPIRED if it has reached its end. */
export async function expireLink(
  tx: Tx,
  at: Date,
  of: { code: string; chain: Assets },
): Promise<void> {
  const link = await lockLink(tx, at, of.code)
  if (link?.status !== 'ACTIVE' || statusAt(link, at) !== 'EXPIRED') return
  const expired: PayLink = { ...link, status: 'EXPIRED' }
  await saveLinks(tx, [expired])
  await record(tx, at, [linkEvent(payLinkExpired, expired, assetOfLink(of.chain, link))])
}
