import type { PayMethod } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'
import { type Html, html } from '../pieces/html.ts'
import { moneyText } from '../pieces/layout.ts'
import { reachSeller } from '../pieces/seller.ts'
import { type CheckoutView, originOf, pathsOf } from '../pieces/view.ts'

/** Every way to pay that the link accepts. The ways for people are shown only once the amount is known. */
export function waysToPay(view: CheckoutView, value: bigint | null): Html {
  const accepted = acceptedBy(view)
  const opened = openedOf(accepted, view.refusal?.form)
  const ways = accepted.flatMap(({ protocol, page }) => {
    const way = value !== null && page?.way?.(view, { value, isOpen: opened === protocol })
    return way ? [way] : []
  })
  const programs = accepted.flatMap(({ page }) => page?.program?.(view) ?? [])
  const isForPrograms = value === null ? !accepted.some(({ page }) => page?.way) : ways.length === 0
  return html`${isForPrograms && programsAlone(view)}${ways}${forPrograms(view, programs, isForPrograms)}`
}

const programsAlone = ({ seller, link }: CheckoutView): Html => html`<div class="outcome">
<p><strong>Only programs can pay this link.</strong> The seller takes payments by an agent or another program here, and neither by a wallet nor by a card that is entered by hand.</p>
<p>If you want to pay it yourself, ask the seller for another link.</p>
${reachSeller(seller, link.walletAddress)}
</div>`

/** For payers of a link that takes no more payments: what each method that it accepted has for them. */
export const afterwards = (view: CheckoutView): Html[] =>
  acceptedBy(view).flatMap(({ page }) => page?.afterwards?.(view) ?? [])

const acceptedBy = ({ link }: CheckoutView): PayMethod[] =>
  METHODS.filter(({ protocol }) => link.acceptedProtocols.includes(protocol))

/** The way that stands open: the one that was just refused, or else the first with a form. */
function openedOf(
  accepted: readonly PayMethod[],
  refused: string | null | undefined,
): string | undefined {
  const forms = METHODS.filter(({ page }) => page?.form)
  if (forms.some(({ protocol }) => protocol === refused)) return refused ?? undefined
  return accepted.find((method) => forms.includes(method))?.protocol
}

const exampleOf = ({ decimals }: CheckoutView['asset']): string =>
  `For example 25${decimals === 0 ? '' : decimals === 1 ? ' or 12.5' : ' or 12.50'}`

/** Asks for the amount first, on a link whose payer chooses it. */
export function amountForm(view: CheckoutView): Html {
  const { asset, refusal } = view
  const given = refusal?.form === 'amount' ? (refusal.values.amount ?? '') : ''
  return html`<form class="panel" method="get" action="${pathsOf(view.url).page}">
<div class="field">
<label for="amount">Amount in ${asset.symbol}</label>
<input id="amount" name="amount" value="${given}" inputmode="decimal" autocomplete="off" required maxlength="40"${refusal?.form === 'amount' && html` aria-invalid="true"`} pattern="${asset.decimals === 0 ? '[0-9]+' : `[0-9]+([.][0-9]{1,${asset.decimals}})?`}" aria-describedby="amount-hint">
<p class="hint" id="amount-hint">${view.link.minAmount === null ? exampleOf(asset) : `At least ${moneyText(view.link.minAmount, asset)}`}</p>
</div>
<button class="primary" type="submit">Continue</button>
</form>`
}

const forPrograms = (view: CheckoutView, programs: readonly Html[], isOpen: boolean): Html =>
  html`<details class="way" name="way"${isOpen && html` open`}>
<summary><h3>For programs and agents</h3></summary>
<div class="inner">
${programs}
<h4>Everything at once</h4>
<p>Each way to pay this link, as JSON:</p>
<pre tabindex="0"><code>curl '${originOf(view)}/api/pay/${view.link.code}/prepare'</code></pre>
</div>
</details>`
