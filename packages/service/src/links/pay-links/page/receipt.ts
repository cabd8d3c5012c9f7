import type { Asset, Hex } from '../../../base/kernel/assets.ts'
import type { LinkSettlement } from '../../../money/settlements/settlement.ts'
import { WHY, whereIs } from '../../link/arrivals/exceptions.ts'
import type { ShownException } from '../../link/arrivals/store-exceptions.ts'
import { leastOf } from '../../link/link.ts'
import type { LinkStatus, PayLink } from '../../link/store.ts'
import { METHODS } from '../methods/methods.ts'
import { type Html, html } from '../pieces/html.ts'
import {
  capital,
  copyable,
  document,
  fact,
  figure,
  moment,
  moneyText,
  networkName,
  shortAddress,
} from '../pieces/layout.ts'
import { backLink, filledUrl } from '../pieces/return-urls.ts'
import { brand, payerText, reachSeller, type Seller, sellerInFull } from '../pieces/seller.ts'
import { pathsOf } from '../pieces/view.ts'
import type { PaymentState } from './payment.ts'

type ReceiptView = {
  link: PayLink
  url: string
  asset: Asset
  explorerUrl: string | null
  isLocalChain: boolean
  /** How the seller shows itself; left out by one that has not said. */
  seller?: Seller
  payment: PaymentState
  /** The state of the link now. */
  status: LinkStatus
}

/** The page of one payment: on its way, settled with its receipt, an exception with its reason, or none. */
export function renderPayment(view: ReceiptView): string {
  const { payment, link, asset } = view
  const { page, base } = pathsOf(view.url)
  const network = networkName(asset, view.isLocalChain)
  const what = link.memo || 'Pay link'
  return document({
    title: `${TITLES[payment.kind]} · ${what}`,
    base,
    brand: brand(view.seller, base),
    accent: view.seller?.accent ?? null,
    network: { name: network.label, isTest: network.isTest },
    data: { state: `payment-${payment.kind}`, code: link.code, base, page },
    isWaiting: payment.kind === 'pending',
    main: html`<section class="alone ${payment.kind}" aria-labelledby="what">
${body(view)}
</section>`,
  })
}

const TITLES: Record<PaymentState['kind'], string> = {
  pending: 'On its way',
  settled: 'Paid',
  exception: 'Not settled',
  failed: 'Not paid',
  unknown: 'No such receipt',
}

function body(view: ReceiptView): Html {
  const { payment } = view
  if (payment.kind === 'settled') return receipt(view, payment)
  if (payment.kind === 'pending') return pending(view, payment)
  if (payment.kind === 'exception') return notFitting(view, payment)
  const { page } = pathsOf(view.url)
  if (payment.kind === 'unknown')
    return html`<h1 id="what">No such receipt</h1>
<p>This link has no payment of that number. Check that the address was copied whole. Nothing was paid by looking.</p>
<p><a class="secondary" href="${page}">Back to the link</a></p>`
  return html`<p class="state failed"><span class="dot" aria-hidden="true"></span>Not paid</p>
<h1 id="what">The payment did not go through</h1>
<p>${payment.message}</p>
<p><a class="secondary" href="${page}">${view.status === 'ACTIVE' ? 'Back to the ways to pay' : 'Back to the link'}</a></p>`
}

/** The place of the money, in words for its payer. */
const placeOf = (exception: ShownException, sentBack: Hex | undefined): string =>
  sentBack === undefined
    ? whereIs(exception)
    : 'The seller has sent it back to the address it came from.'

const sentBackFact = (view: ReceiptView, hash: Hex | undefined): Html | false =>
  hash !== undefined && fact('Sent back by', transaction(view, hash, 'the hash of the refund'))

function notFitting(
  view: ReceiptView,
  { exception, sentBack }: Extract<PaymentState, { kind: 'exception' }>,
): Html {
  const { page } = pathsOf(view.url)
  const { link, asset } = view
  const least = leastOf(link)
  return html`<p class="state failed"><span class="dot" aria-hidden="true"></span>Received, not settled</p>
<h1 id="what">The money arrived but does not settle this link</h1>
<p>The reason: ${WHY[exception.reason]}. ${placeOf(exception, sentBack)}</p>
<dl class="facts">
${link.memo !== '' && link.memo.length <= 60 && fact('For', html`<bdi>${link.memo}</bdi>`)}
${fact('Received', `${moneyText(exception.amount, asset)} ${asset.symbol}`)}
${least !== null && fact(link.amount === null ? 'At least' : 'Asked for', `${moneyText(least, asset)} ${asset.symbol}`)}
${fact('From', html`<span class="mono">${shortAddress(exception.payer)}</span>`)}
${fact('Seller', copyable(link.walletAddress, "the seller's address"))}
${fact('Ask the seller about', copyable(exception.id, 'the number'))}
${fact('Transaction', transaction(view, exception.txHash))}
${sentBackFact(view, sentBack)}
</dl>
${reachSeller(view.seller, link.walletAddress)}
${exception.reason === 'short' && view.status === 'ACTIVE' && html`<p>The rest cannot be sent in a second transfer. To pay the link, send the whole amount in one.</p>`}
<p><a class="secondary" href="${page}">Back to the link</a></p>`
}

const pending = (view: ReceiptView, payment: { txHash: string | null; isMined: boolean }): Html =>
  html`<p class="state waiting"><span class="dot" aria-hidden="true"></span>On its way</p>
<h1 id="what">Waiting for the network</h1>
<p role="status">${progress(view, payment)}</p>
<p class="soft">This page asks again by itself. ${view.status === 'ACTIVE' ? 'It is safe to close it: the payment counts all the same.' : 'The link has ended. If the money came too late for it, this page says what becomes of it.'}</p>
${payment.txHash && html`<dl class="facts">${fact('Transaction', transaction(view, payment.txHash))}</dl>`}
<p><a class="secondary" href="${pathsOf(view.url).page}">Back to the link</a></p>`

function progress(
  { status }: ReceiptView,
  { txHash, isMined }: { txHash: string | null; isMined: boolean },
): string {
  if (txHash === null) return 'The payment has been handed to the network. It takes a few seconds.'
  if (isMined) return 'The transaction is in a block and will count as final in a moment.'
  const counts = status === 'ACTIVE' ? 'It counts once one holds it; do' : 'Do'
  return `The transaction is not in a block yet. ${counts} not send it again. If it stays so, compare the hash below with that in your wallet.`
}

function receipt(
  view: ReceiptView,
  { settlement, over, sentBack }: Extract<PaymentState, { kind: 'settled' }>,
): Html {
  const { link, asset } = view
  return html`<p class="state completed"><span class="dot" aria-hidden="true"></span>Paid</p>
<h1 id="what" dir="auto"${link.memo.length > 60 && html` class="long"`}>${link.memo || 'Payment'}</h1>
<p class="amount">${figure(settlement.amount, asset)}</p>
<dl class="facts">
${settlement.settledAt && fact('When', moment(settlement.settledAt))}
${fact('To', sellerInFull(view.seller, link.walletAddress))}
${fact('From', html`<span class="mono">${payerText(settlement)}</span>`)}
${fact('By', labelOf(settlement))}
${fact('Network', networkFact(view))}
${fact('Link', html`<span class="mono">${link.code}</span>`)}
${fact('Receipt', copyable(settlement.id, 'the receipt number'))}
${settlement.txHash && fact('Transaction', transaction(view, settlement.txHash))}
${over && fact('Beyond the amount', `${moneyText(over.amount, asset)} ${asset.symbol}`)}
${over && fact('Ask the seller about', copyable(over.id, 'the number'))}
${sentBackFact(view, sentBack)}
</dl>
${over && html`<p>You sent more than was asked for. ${placeOf(over, sentBack)}</p>${reachSeller(view.seller, link.walletAddress)}`}
${link.successUrl !== null && returning(filledUrl(link.successUrl, settlement.id))}
<p class="hint"><span>Keep the receipt number, or print this page.</span> <button type="button" class="copy" data-print hidden>Print or save as PDF</button></p>
<p class="paper small">${view.url}/paid?settlement=${settlement.id}</p>`
}

/** A receipt for money that is worth nothing says so, on paper too. */
const networkFact = ({ asset, isLocalChain }: ReceiptView): Html => {
  const { name, isTest } = networkName(asset, isLocalChain)
  return html`${capital(name)}${isTest && html` <span class="tag">test money only</span>`}`
}

/** Leads back to the seller's shop. The page's script goes there by itself where the payer has just paid. */
const returning = (url: string): Html => html`<div class="return" data-return="${url}">
<p>${backLink(url, 'primary')}</p>
<p class="hint" data-returning hidden><span role="status" data-said></span> <button type="button" class="copy" data-stay>Stay here</button></p>
</div>`

const labelOf = ({ protocol }: LinkSettlement): string =>
  METHODS.find((method) => method.protocol === protocol)?.label ?? protocol

const transaction = (
  { explorerUrl }: ReceiptView,
  hash: string,
  what = 'the transaction hash',
): Html =>
  html`${copyable(hash, what)}${explorerUrl && html` <a href="${explorerUrl}/tx/${hash}" rel="noreferrer">See it on the explorer</a>`}`
