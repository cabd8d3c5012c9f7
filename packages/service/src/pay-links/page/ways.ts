import { formatAmount } from '../../kernel/money.ts'
import { randomToken } from '../../kernel/secrets.ts'
import { type Html, html, trusted } from './html.ts'
import { copyable, moneyText, networkName } from './layout.ts'
import { type CheckoutView, pathsOf } from './view.ts'

/** Every way that the link takes; to a person only once the amount stands. */
export function waysToPay(view: CheckoutView, value: bigint | null): Html {
  const takes = (protocol: CheckoutView['link']['acceptedProtocols'][number]) =>
    view.link.acceptedProtocols.includes(protocol)
  const refused = view.refusal?.form
  const first = takes('onchain') ? 'chain' : 'card'
  const isOpen = (form: 'chain' | 'card') =>
    (refused === 'card' || refused === 'chain' ? refused : first) === form
  return html`${value !== null && takes('x402') && browserWallet(view, value)}
${value !== null && view.payUri !== null && walletApp(view, { value, uri: view.payUri, isOpen: isOpen('chain') })}
${value !== null && takes('card') && card(view, { value, isOpen: isOpen('card') })}
${programs(view)}`
}

/** For a link whose payer chooses: the amount, before anything else. */
export function amountForm(view: CheckoutView): Html {
  const { asset, refusal } = view
  const given = refusal?.form === 'amount' ? (refusal.values.amount ?? '') : ''
  return html`<form class="panel" method="get" action="${pathsOf(view.url).page}">
<div class="field">
<label for="amount">Amount in ${asset.symbol}</label>
<input id="amount" name="amount" value="${given}" inputmode="decimal" autocomplete="off" required maxlength="40" pattern="[0-9]+([.][0-9]{1,${asset.decimals}})?" aria-describedby="amount-hint">
<p class="hint" id="amount-hint">For example 25 or 12.50</p>
</div>
<button class="primary" type="submit">Continue</button>
</form>`
}

const browserWallet = (view: CheckoutView, value: bigint): Html => {
  const sum = `${moneyText(value, view.asset)} ${view.asset.symbol}`
  return html`<section class="way panel" data-wallets="Pay ${sum} with" aria-labelledby="wallet-title" hidden>
<h3 id="wallet-title">Pay with a browser wallet</h3>
<p>You sign once. The fee of the network is paid for you.</p>
<div class="choices" data-choices></div>
<p class="progress" role="status" data-progress></p>
</section>`
}

function walletApp(
  view: CheckoutView,
  { value, uri, isOpen }: { value: bigint; uri: string; isOpen: boolean },
): Html {
  const { link, asset } = view
  const network = networkName(asset, view.isLocalChain ?? false)
  const sum = `${moneyText(value, asset)} ${asset.symbol}`
  const isReported = view.refusal?.form === 'chain'
  return html`<details class="way" name="way"${isOpen && html` open`}>
<summary><h3>Pay from a wallet app</h3></summary>
<div class="inner">
<div class="send">
<div class="qr" role="img" aria-label="QR code for wallet apps: send ${sum} on ${network.name} to ${link.depositAddress}">${trusted(view.qrSvg)}</div>
<dl class="facts stacked">
<div><dt>Send exactly</dt><dd>${copyable(formatAmount(value, asset.decimals), 'the amount', asset.symbol)}</dd></div>
<div><dt>On</dt><dd>${network.name}</dd></div>
<div><dt>To this link's own address</dt><dd>${copyable(link.depositAddress, 'the address')}</dd></div>
</dl>
</div>
<p><a class="secondary" href="${uri}">Open in a wallet app</a></p>
<p class="hint">Only ${asset.symbol} on ${network.name} settles this link, and only the full amount in one transfer.</p>
<p class="hint">This page sees the payment by itself, within seconds of its block.</p>
<details class="sub"${isReported && html` open`}>
<summary>I have paid, and the page does not show it</summary>
${chainForm(view, 'I have paid')}
</details>
</div>
</details>`
}

/** Names a transaction that is on its way or on the chain. Works without a script. */
export function chainForm(view: CheckoutView, button: string): Html {
  const values = view.refusal?.form === 'chain' ? view.refusal.values : {}
  return html`<form method="post" action="${pathsOf(view.url).page}/paid" data-once>
${view.chosen !== undefined && html`<input type="hidden" name="amount" value="${formatAmount(view.chosen, view.asset.decimals)}">`}
<div class="field">
<label for="tx_hash">Transaction hash</label>
<input id="tx_hash" name="tx_hash" class="mono" value="${values.tx_hash ?? ''}" required maxlength="80" pattern="\\s*0x[0-9a-fA-F]{64}\\s*" placeholder="0x…" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="tx-hint">
<p class="hint" id="tx-hint">Your wallet shows it once the payment is sent: 0x and 64 characters.</p>
</div>
<div class="field">
<label for="from_address">Your wallet address <span class="soft">(optional)</span></label>
<input id="from_address" name="from_address" class="mono" value="${values.from_address ?? ''}" maxlength="60" pattern="\\s*0x[0-9a-fA-F]{40}\\s*" placeholder="0x…" autocomplete="off" autocapitalize="off" spellcheck="false">
</div>
<button class="primary" type="submit">${button}</button>
</form>`
}

function card(view: CheckoutView, { value, isOpen }: { value: bigint; isOpen: boolean }): Html {
  const { asset, chosen } = view
  const values = view.refusal?.form === 'card' ? view.refusal.values : {}
  return html`<details class="way" name="way"${isOpen && html` open`}>
<summary><h3>Pay with a Purser card</h3></summary>
<div class="inner">
<form method="post" action="${pathsOf(view.url).page}/paid" data-once>
<input type="hidden" name="attempt" value="${randomToken()}">
${chosen !== undefined && html`<input type="hidden" name="amount" value="${formatAmount(chosen, asset.decimals)}">`}
<div class="field">
<label for="payer_card_id">Card id</label>
<input id="payer_card_id" name="payer_card_id" class="mono" value="${values.payer_card_id ?? ''}" required maxlength="64" placeholder="card_…" autocomplete="off" autocapitalize="off" spellcheck="false">
</div>
<div class="field">
<label for="payer_card_token">Card token</label>
<input id="payer_card_token" name="payer_card_token" type="password" class="mono" required maxlength="100" placeholder="tok_…" autocomplete="off" aria-describedby="token-hint">
<p class="hint" id="token-hint">Shown when the card was issued. It is sent to this service alone.</p>
</div>
<button class="primary" type="submit">Pay ${moneyText(value, asset)} ${asset.symbol}</button>
</form>
</div>
</details>`
}

function programs(view: CheckoutView): Html {
  const { link, url, asset } = view
  const takes = (protocol: (typeof link.acceptedProtocols)[number]) =>
    link.acceptedProtocols.includes(protocol)
  const origin = url.slice(0, -`/pay/${link.code}`.length)
  const isOpen = link.amount === null
  const query = isOpen
    ? `?amount=${view.chosen === undefined ? '1.00' : formatAmount(view.chosen, asset.decimals)}`
    : ''
  const body = {
    payer_card_id: 'card_…',
    payer_card_token: 'tok_…',
    ...(isOpen ? { amount: query.slice('?amount='.length) } : {}),
  }
  return html`<details class="way" name="way">
<summary><h3>For programs and agents</h3></summary>
<div class="inner">
${
  takes('x402') &&
  html`<h4>x402</h4>
<p>The address of this page is the resource. It answers 402 with what to sign, and the receipt once it is paid; any x402 client can pay it.</p>
<pre tabindex="0"><code>curl -i '${url}${query}'</code></pre>`
}
${
  takes('mpp') &&
  html`<h4>MPP</h4>
<p>The address of this page answers 402 with <code>WWW-Authenticate: Payment</code> challenges for any MPP client: method <code>evm</code> by a wallet, <code>agentcard</code> by a Purser card. The challenge to pay by card goes here, and what comes back is the credential:</p>
<pre tabindex="0"><code>curl -X POST '${origin}/api/mpp/agentcard' \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify({ card_id: 'card_…', card_token: 'tok_…', challenge: 'Payment id="…", …' })}'</code></pre>`
}
${
  takes('card') &&
  html`<h4>Purser card</h4>
<pre tabindex="0"><code>curl -X POST '${origin}/api/pay/${link.code}/settle' \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'</code></pre>`
}
${
  takes('ap2') &&
  html`<h4>AP2 mandate</h4>
<p>The terms to sign are the <code>ap2</code> block of the address below; the signed mandate goes here:</p>
<pre tabindex="0"><code>curl -X POST '${origin}/api/ap2/settle' \\
  -H 'authorization: Bearer purser_…' -H 'content-type: application/json' \\
  -d '${JSON.stringify({ pay_link_code: link.code, closed_mandate: 'eyJ…~', card_token: 'tok_…' })}'</code></pre>`
}
<h4>Everything at once</h4>
<p>Each way to pay this link, as JSON:</p>
<pre tabindex="0"><code>curl '${origin}/api/pay/${link.code}/prepare'</code></pre>
</div>
</details>`
}
