import { formatAmount } from '../../../../base/kernel/money.ts'
import { type Html, html, trusted } from '../../pieces/html.ts'
import { copyable, moneyText, networkName, plainMoney } from '../../pieces/layout.ts'
import { type CheckoutView, pathsOf } from '../../pieces/view.ts'
import type { FormValues } from '../method.ts'

export function walletApp(
  view: CheckoutView,
  { value, isOpen }: { value: bigint; isOpen: boolean },
): Html | false {
  const { link, asset, payUri } = view
  if (payUri === null) return false
  const network = networkName(asset, view.isLocalChain ?? false)
  const sum = `${moneyText(value, asset)} ${asset.symbol}`
  const isReported = view.refusal?.form === 'onchain'
  return html`<details class="way" name="way"${isOpen && html` open`}>
<summary><h3>Pay from a wallet app</h3></summary>
<div class="inner">
<div class="send">
<p class="app"><a class="secondary" href="${payUri}">Open in a wallet app</a></p>
<div class="qr" role="img" aria-label="QR code for wallet apps: send ${sum} on ${network.name} to ${link.payTo}">${trusted(view.qrSvg)}</div>
<dl class="facts stacked">
<div><dt>Send exactly</dt><dd>${copyable(plainMoney(value, asset), 'the amount', asset.symbol)}</dd></div>
<div><dt>On</dt><dd>${network.name}</dd></div>
<div><dt>${view.direct ? "To the seller's wallet" : "To this link's own address"}</dt><dd>${copyable(link.payTo, 'the address')}</dd></div>
${view.direct && html`<div><dt>Contract of ${asset.symbol}</dt><dd>${copyable(asset.contract, 'the contract')}</dd></div>`}
${view.direct?.memo && html`<div><dt>Memo of the transfer</dt><dd>${copyable(view.direct.memo, 'the memo')}</dd></div>`}
</dl>
</div>
<p class="hint">Only ${asset.symbol} on ${network.name} settles this link, and only the full amount in one transfer.</p>
${
  view.direct
    ? html`<p><strong>Come back to this page after paying.</strong> The money goes to the seller's own wallet, so only you can say which link it was for.</p>`
    : html`<p class="hint">This page sees the payment by itself, within seconds of its block.</p>`
}
<details class="sub"${isReported && html` open`}>
<summary>${view.direct ? 'I have paid: say which link it was for' : 'I have paid, and the page does not show it'}</summary>
${!view.direct && html`<p class="hint">Also if it was too little, too much or too late: you see what arrived, and what becomes of it.</p>`}
${chainForm(view, 'I have paid')}
</details>
</div>
</details>`
}

/** Finds money that came to the link after its end. */
export const lateTransfer = (view: CheckoutView): Html =>
  html`<details class="way" name="way"${view.refusal?.form === 'onchain' && html` open`}>
<summary><h3>Sent money to this link?</h3></summary>
<div class="inner">
<p>If it was ${view.asset.symbol} on ${networkName(view.asset, view.isLocalChain ?? false).name}, it is not lost. Enter the transaction: it is recorded for the seller, who ${view.link.token === null ? 'can send it back' : 'has the money'}.</p>
${chainForm(view, 'Find my payment')}
</div>
</details>`

/** Reports a transaction that is on its way or in a block. Works without a script. */
function chainForm(view: CheckoutView, button: string): Html {
  const values = view.refusal?.form === 'onchain' ? view.refusal.values : {}
  return html`<form method="post" action="${pathsOf(view.url).page}/paid" data-once>
${view.chosen !== undefined && html`<input type="hidden" name="amount" value="${formatAmount(view.chosen, view.asset.decimals)}">`}
<div class="field">
<label for="tx_hash">Transaction hash</label>
<input id="tx_hash" name="tx_hash" class="mono" value="${values.tx_hash ?? ''}" required maxlength="80" pattern="\\s*0x[0-9a-fA-F]{64}\\s*" placeholder="0x…" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="tx-hint">
<p class="hint" id="tx-hint">Your wallet shows it once the payment is sent: 0x and 64 characters.</p>
</div>
<div class="field">
<label for="from_address">Your wallet address${!view.direct && html` <span class="soft">(optional)</span>`}</label>
<input id="from_address" name="from_address" class="mono" value="${values.from_address ?? ''}" maxlength="60" pattern="\\s*0x[0-9a-fA-F]{40}\\s*" placeholder="0x…" autocomplete="off" autocapitalize="off" spellcheck="false">
</div>
${view.direct && signatureField(view.direct, values)}
<button class="primary" type="submit">${button}</button>
</form>`
}

const HASH_FIRST = 'Enter the transaction hash above. The message to sign then appears here.'
const SIGN = 'Sign this message with the wallet that paid, and enter the signature:'

/**
 * Everybody can read a transfer on the chain, so its sender signs that it was for this link. Without a script the form
 * is sent once with the hash, and the page that comes back shows the message.
 */
function signatureField(
  { message, memo }: NonNullable<CheckoutView['direct']>,
  { tx_hash: hash, signature }: FormValues,
): Html {
  const isKnown = /^0x[0-9a-f]{64}$/i.test(hash?.trim() ?? '')
  const text = isKnown ? message.replace('{tx_hash}', (hash ?? '').trim().toLowerCase()) : ''
  return html`<div class="field" data-binding="${message}">
<label for="signature">Your wallet's signature${memo !== null && html` <span class="soft">(not needed with the memo)</span>`}</label>
<p class="hint" id="message-hint" data-hint data-before="${HASH_FIRST}" data-after="${SIGN}">${isKnown ? SIGN : HASH_FIRST}</p>
<p class="message" data-message${!isKnown && html` hidden`}>${copyable(text, 'the message')}</p>
<p class="signers" data-signers hidden></p>
<p class="progress plain" role="status" data-progress></p>
<input id="signature" name="signature" class="mono" value="${signature ?? ''}" maxlength="4100" placeholder="0x…" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="message-hint">
</div>`
}
