import { type Html, html } from '../../pieces/html.ts'
import { moneyText } from '../../pieces/layout.ts'
import type { CheckoutView } from '../../pieces/view.ts'
import { amountQuery } from '../../pieces/view.ts'

/** Filled by the page's script with the wallets that the browser has. */
export const browserWallet = (view: CheckoutView, { value }: { value: bigint }): Html | false => {
  // The page's script signs by EIP-3009, which only the service's own asset is known by.
  if (view.asset.eip712.name === '') return false
  const sum = `${moneyText(value, view.asset)} ${view.asset.symbol}`
  return html`<section class="way panel" data-wallets="Pay ${sum} with" aria-labelledby="wallet-title" hidden>
<h3 id="wallet-title">Pay with a browser wallet</h3>
<p>You sign once. The fee of the network is paid for you.</p>
<div class="choices" data-choices></div>
<p class="progress" role="status" data-progress></p>
</section>`
}

export const x402Program = (view: CheckoutView): Html =>
  html`<h4>x402</h4>
<p>The address of this page is the resource. It answers 402 with what to sign, and the receipt once it is paid; any x402 client can pay it.</p>
<pre tabindex="0"><code>curl -i '${view.url}${amountQuery(view)}'</code></pre>`
