import { type Html, html } from '../../pieces/html.ts'
import { type CheckoutView, originOf } from '../../pieces/view.ts'

export const mppProgram = (view: CheckoutView): Html =>
  html`<h4>MPP</h4>
<p>The address of this page answers 402 with <code>WWW-Authenticate: Payment</code> challenges for any MPP client: method <code>evm</code> by a wallet, <code>agentcard</code> by a Purser card. The challenge to pay by card goes here, and what comes back is the credential:</p>
<pre tabindex="0"><code>curl -X POST '${originOf(view)}/api/mpp/agentcard' \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify({ card_id: 'card_…', card_token: 'tok_…', challenge: 'Payment id="…", …' })}'</code></pre>`
