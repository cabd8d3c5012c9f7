import { type Html, html, trusted } from '../../pieces/html.ts'
import { copyable, moneyText } from '../../pieces/layout.ts'
import type { CheckoutView } from '../../pieces/view.ts'
import { amountQuery } from '../../pieces/view.ts'

/** Filled by the page's script with the wallets that the browser has. */
export const browserWallet = (view: CheckoutView, { value }: { value: bigint }): Html | false => {
  // The page's script signs by EIP-3009, which only the service's own asset is known by.
  if (view.asset.eip712.name === '') return false
  const sum = `${moneyText(value, view.asset)} ${view.asset.symbol}`
  return html`${view.payUri === null && html`<noscript><p class="panel">To pay with a browser wallet, let this page run its script, and load it again.</p></noscript>`}<section class="way panel" data-wallets="Pay ${sum} with" aria-labelledby="wallet-title" hidden>
<h3 id="wallet-title">Pay with a browser wallet</h3>
<p>You sign once. The fee of the network is paid for you.</p>
${view.payUri === null && elsewhere(view)}
<div class="choices" data-choices></div>
<p class="progress" role="status" data-progress></p>
</section>`
}

/** Wallet apps that open a page in their own browser, each by its own kind of link. */
const APPS = [
  {
    name: 'MetaMask',
    linkTo: (url: URL) => `https://metamask.app.link/dapp/${url.host}${url.pathname}${url.search}`,
  },
  {
    name: 'Coinbase Wallet',
    linkTo: (url: URL) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(url.href)}`,
  },
] as const

/** For a browser without a wallet, on a link that takes no transfer: the script shows it where it finds none. */
function elsewhere(view: CheckoutView): Html {
  const url = new URL(`${view.url}${view.chosen === undefined ? '' : amountQuery(view)}`)
  return html`<div data-elsewhere hidden>
<p><strong>This browser has no wallet.</strong> Open this page where you have one: in the browser of a wallet app, or in one with a wallet as its extension.</p>
<div class="far"><div class="qr" role="img" aria-label="QR code of this page, for a phone with a wallet app">${trusted(view.qrSvg)}</div><p>Or read this code with the phone that has your wallet.</p></div>
<p class="apps">${APPS.map(({ name, linkTo }) => html`<a class="secondary" href="${linkTo(url)}" rel="noreferrer">Open in ${name}</a>`)}</p>
<p>${copyable(url.href, 'the address of this page')}</p>
</div>`
}

export const x402Program = (view: CheckoutView): Html =>
  html`<h4>x402</h4>
<p>The address of this page is the resource. It answers 402 with what to sign, and the receipt once it is paid; any x402 client can pay it.</p>
<pre tabindex="0"><code>curl -i '${view.url}${amountQuery(view)}'</code></pre>`
