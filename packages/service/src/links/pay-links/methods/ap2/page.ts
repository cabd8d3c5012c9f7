import { type Html, html } from '../../pieces/html.ts'
import { type CheckoutView, originOf } from '../../pieces/view.ts'

export const ap2Program = (view: CheckoutView): Html =>
  html`<h4>AP2 mandate</h4>
<p>The terms to sign are the <code>ap2</code> block of the address below; the signed mandate goes here:</p>
<pre tabindex="0"><code>curl -X POST '${originOf(view)}/api/ap2/settle' \\
  -H 'authorization: Bearer purser_…' -H 'content-type: application/json' \\
  -d '${JSON.stringify({ pay_link_code: view.link.code, closed_mandate: 'eyJ…~', card_token: 'tok_…' })}'</code></pre>`
