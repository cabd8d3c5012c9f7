// An agent with a card of its own, which buys from any seller of x402 or MPP. The URL that a seller prints goes last.
// Run it beside `npm start` and a seller: npx node examples/agent.ts http://127.0.0.1:4030/report
import { createPurser } from '@purser/sdk'
import { dev } from './dev.ts'

const [, , url = 'http://127.0.0.1:4030/report', protocol] = process.argv
const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
const card = await purser.issueCard({ purpose: 'An example', limit_amount: 1 })
const order = { url, method: 'GET', max_amount: 0.05 } as const
const paid = await purser.pay(card, protocol === 'mpp' ? { ...order, protocol } : order)
console.log(paid.response?.body)
if (paid.outcome === 'approval_required') console.log(`${paid.reason} ${paid.approve_url}`)
else if (paid.outcome === 'not_charged') console.log(paid.reason)
else console.log(`${paid.outcome} by ${paid.protocol}: ${paid.amount_debited} ${paid.token}`)
