import { formatAmount } from '../../../base/kernel/money.ts'
import { leastOf } from '../../link/link.ts'
import type { LinkStatus } from '../../link/store.ts'
import { type Html, html } from '../pieces/html.ts'
import {
  capital,
  copyable,
  document,
  fact,
  figure,
  moment,
  moneyText,
  networkData,
  networkName,
  shortAddress,
  timeLeft,
} from '../pieces/layout.ts'
import { backLink } from '../pieces/return-urls.ts'
import { brand, reachSeller, sellerFact } from '../pieces/seller.ts'
import { type CheckoutView, pathsOf, type Refusal } from '../pieces/view.ts'
import { afterwards, amountForm, waysToPay } from './ways.ts'

/** The checkout page of a link: its terms and every way to pay it, or why it takes no more payments. */
export function renderCheckout(view: CheckoutView): string {
  const { link, status, asset } = view
  const { base, page } = pathsOf(view.url)
  const isOpen = status === 'ACTIVE' && !view.isGateClosed
  const value = link.amount ?? view.chosen ?? null
  const network = networkName(asset, view.isLocalChain ?? false)
  const what = link.memo || 'Pay link'
  const sum = value === null ? '' : `${moneyText(value, asset)} ${asset.symbol} · `
  return document({
    title: `${view.refusal ? 'Not taken · ' : ''}${STATES[status].title}${sum}${what}`,
    base,
    brand: brand(view.seller, base),
    accent: view.seller?.accent ?? null,
    network: { name: network.label, isTest: network.isTest },
    skipTo: {
      id: 'pay',
      text: isOpen ? 'Skip to the ways to pay' : 'Skip to the status',
    },
    data: {
      state: status,
      code: link.code,
      base,
      page,
      network: network.name,
      symbol: asset.symbol,
      decimals: String(asset.decimals),
      'chain-id': String(asset.chainId),
      token: asset.contract,
      ...networkData(asset, view.localRpcUrl ?? null),
      ...(value === null
        ? {}
        : { value: value.toString(), amount: formatAmount(value, asset.decimals) }),
      ...(link.amount === null ? { 'is-open': '' } : {}),
      ...(link.maxUses !== 1 ? { several: '' } : {}),
      ...(view.seen ? { seen: view.seen.txHash } : {}),
    },
    isWaiting: isWaiting(view),
    ...(view.seen && isWaiting(view) && { leadsTo: paymentPath(view, view.seen) }),
    main: html`${view.refusal && refusalNote(view.refusal)}
<div class="columns">
${summary(view, value)}
<section class="pay" id="pay" aria-labelledby="pay-title">
${status === 'ACTIVE' ? payPanel(view, value) : closedPanel(view, status)}
</section>
</div>`,
  })
}

const isWaiting = ({ seen, status }: CheckoutView): boolean =>
  seen !== undefined && status !== 'COMPLETED'

const paymentPath = ({ url }: CheckoutView, { txHash }: { txHash: string }): string =>
  `${pathsOf(url).page}/paid?tx_hash=${txHash}`

const refusalNote = ({ message, form }: Refusal): Html =>
  html`<div class="note bad" role="alert"><p><strong>${form === 'amount' ? 'Enter another amount.' : 'That did not go through.'}</strong> ${message}</p></div>`

function summary(view: CheckoutView, value: bigint | null): Html {
  const { link, status, asset } = view
  const network = networkName(asset, view.isLocalChain ?? false)
  const isLong = link.memo.length > 60
  return html`<section class="summary" aria-labelledby="what">
<p class="state ${view.isGateClosed ? 'waiting' : status.toLowerCase()}"><span class="dot" aria-hidden="true"></span>${view.isGateClosed ? 'Not open now' : STATES[status].label}</p>
<h1 id="what" dir="auto"${isLong && html` class="long"`}>${link.memo || 'Payment'}</h1>
<p class="amount">${
    value === null
      ? html`<span class="open">You choose the amount${link.minAmount !== null && html`, ${moneyText(link.minAmount, asset)} ${asset.symbol} or more`}</span>`
      : figure(value, asset)
  }</p>
${view.chosen !== undefined && status === 'ACTIVE' && html`<p class="small"><a href="${pathsOf(view.url).page}">Choose another amount</a></p>`}
<dl class="facts">
${fact('To', sellerFact(view.seller, link.walletAddress))}
${link.token !== null && fact('Token', html`${asset.symbol} <span class="mono soft" title="${asset.contract}">${shortAddress(asset.contract)}</span>`)}
${fact('Network', network.isTest ? html`${capital(network.name)} <span class="tag">test money only</span>` : network.name)}
${fact('Link', html`<span class="mono">${link.code}</span>`)}
${link.maxUses > 1 && fact('Payments', `${link.uses} of ${link.maxUses} taken`)}
${link.linkType === 'RECURRING' && link.maxUses === 0 && fact('Payments', 'may be paid more than once')}
${status === 'ACTIVE' && link.expiresAt && fact('Expires', expiry(view, link.expiresAt))}
</dl>
${link.cancelUrl !== null && status !== 'COMPLETED' && html`<p class="leave">${backLink(link.cancelUrl, 'back')}</p>`}
</section>`
}

const expiry = (view: CheckoutView, expiresAt: Date): Html => {
  const left =
    view.at &&
    html`<span role="timer" data-seconds-left="${Math.ceil((expiresAt.getTime() - view.at.getTime()) / 1000)}">in ${timeLeft(view.at, expiresAt)}</span><span class="unseen" role="status" data-time-said></span><br>`
  return html`${left}<span class="${left ? 'soft small' : ''}">${moment(expiresAt)}</span>`
}

function payPanel(view: CheckoutView, value: bigint | null): Html {
  if (view.isGateClosed) return gatePanel(view)
  if (view.seen) return seenPanel(view, view.seen, value)
  return openPanel(view, value)
}

const gatePanel = ({ seller, link }: CheckoutView): Html => html`<div class="outcome closed">
<h2 id="pay-title">This link cannot be paid now</h2>
<p>The seller takes payments straight to their own wallet, and their plan with this service does not cover another one.</p>
<p>Nothing is wrong with your wallet. Ask the seller, or try again later. Do not send money to the seller for this link until it shows the ways to pay.</p>
${reachSeller(seller, link.walletAddress)}
</div>`

/** Shows the payment on its way first, so that nobody pays twice. */
function seenPanel(
  view: CheckoutView,
  seen: NonNullable<CheckoutView['seen']>,
  value: bigint | null,
): Html {
  const { asset, link } = view
  const sum = `${moneyText(seen.amount, asset)} ${asset.symbol}`
  const least = leastOf(link)
  const isShort = least !== null && seen.amount < least
  return html`<div class="outcome seen">
<h2 id="pay-title">Payment seen, waiting for confirmation</h2>
${
  isShort
    ? html`<p><strong>It is too little.</strong> ${sum} is in a block. The link asks for ${moneyText(least, asset)} ${asset.symbol}${link.amount === null && ' or more'} in one transfer, and less than that does not settle it.</p>`
    : html`<p>${sum} is in a block. It counts once enough blocks follow.</p>`
}
${depthOfSeen(view, seen)}
</div>
<details class="way"${(isShort || link.maxUses !== 1) && html` open`}>
<summary><h3>${isShort ? 'Pay this link in one transfer' : 'Was it not yours? Pay this link'}</h3></summary>
<div class="inner">
${value === null ? html`${amountForm(view)}${waysToPay(view, null)}` : waysToPay(view, value)}
</div>
</details>`
}

const depthOfSeen = (view: CheckoutView, seen: NonNullable<CheckoutView['seen']>): Html =>
  html`<p class="progress" role="status" data-depth>${seen.confirmations} of about ${seen.needed} confirmations</p>
<dl class="facts stacked">${fact('Transaction', copyable(seen.txHash, 'the transaction hash'))}</dl>
<p><a class="secondary" href="${paymentPath(view, seen)}">Follow this payment</a></p>`

/** A transfer may have come in before the link ended: its payer must not take the end for an answer, and pay anew. */
const seenAtEnd = (view: CheckoutView, seen: NonNullable<CheckoutView['seen']>): Html =>
  html`<div class="outcome seen">
<h2>A transfer to this link is being confirmed</h2>
<p>${moneyText(seen.amount, view.asset)} ${view.asset.symbol} is in a block. If you sent it, do not pay again: follow it, and its page says whether it came in time.</p>
${depthOfSeen(view, seen)}
</div>`

function openPanel(view: CheckoutView, value: bigint | null): Html {
  return value === null
    ? html`<h2 id="pay-title">How much?</h2>${amountForm(view)}${waysToPay(view, null)}`
    : html`<h2 id="pay-title">Ways to pay</h2>${waysToPay(view, value)}`
}

const STATES: Record<LinkStatus, { title: string; label: string }> = {
  ACTIVE: { title: '', label: 'Open for payment' },
  EXPIRED: { title: 'Expired · ', label: 'Expired' },
  CANCELLED: { title: 'Cancelled · ', label: 'Cancelled' },
  COMPLETED: { title: 'Paid · ', label: 'Paid' },
}

function closedPanel(view: CheckoutView, status: Exclude<LinkStatus, 'ACTIVE'>): Html {
  const { link } = view
  const when =
    status === 'EXPIRED' ? link.expiresAt : status === 'COMPLETED' ? link.confirmedAt : null
  const [heading, said, todo] = CLOSED[status]
  return html`${view.seen && status !== 'COMPLETED' && seenAtEnd(view, view.seen)}
<div class="outcome ${status.toLowerCase()}">
<h2 id="pay-title">${heading}</h2>
<p>${when ? html`${said} on ${moment(when)}` : said}.</p>
<p>${todo}</p>
${reachSeller(view.seller, link.walletAddress)}
</div>
${afterwards(view)}`
}

const CLOSED: Record<
  Exclude<LinkStatus, 'ACTIVE'>,
  [heading: string, said: string, todo: string]
> = {
  EXPIRED: [
    'This link has expired',
    'It stopped taking payments',
    'Ask the seller for a new link. Do not send money to the old one.',
  ],
  CANCELLED: [
    'This link was cancelled',
    'The seller has withdrawn it, and it takes no more payments',
    'Ask the seller if you still mean to pay. Do not send money to this one.',
  ],
  COMPLETED: [
    'Paid',
    'This link was settled',
    'There is nothing left to do. To pay again, ask the seller for a new link.',
  ],
}

/** The page of a link that does not exist. */
export const renderMissing = (base = ''): string =>
  document({
    title: 'No such pay link',
    base,
    main: html`<section class="alone" aria-labelledby="what">
<h1 id="what">No such pay link</h1>
<p>There is no link at this address. Check that it was copied whole: the code begins with <span class="mono">PL_</span> and ten characters follow.</p>
<p>If it was, ask the seller for a new link. Nothing was paid.</p>
</section>`,
  })
