import { formatAmount } from '../../../../base/kernel/money.ts'
import { randomToken } from '../../../../base/kernel/secrets.ts'
import { type Html, html } from '../../pieces/html.ts'
import { moneyText } from '../../pieces/layout.ts'
import { amountQuery, type CheckoutView, originOf, pathsOf } from '../../pieces/view.ts'

export function cardWay(
  view: CheckoutView,
  { value, isOpen }: { value: bigint; isOpen: boolean },
): Html {
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

export function cardProgram(view: CheckoutView): Html {
  const query = amountQuery(view)
  const body = {
    payer_card_id: 'card_…',
    payer_card_token: 'tok_…',
    ...(query !== '' && { amount: query.slice('?amount='.length) }),
  }
  return html`<h4>Purser card</h4>
<pre tabindex="0"><code>curl -X POST '${originOf(view)}/api/pay/${view.link.code}/settle' \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify(body)}'</code></pre>`
}
