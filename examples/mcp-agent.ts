// An agent that calls a paid MCP tool and pays with its card: this service signs for the demand that the tool answers.
// Run it beside `npm start` and examples/mcp-seller.ts: npx node examples/mcp-agent.ts http://127.0.0.1:4032/mcp
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createPurser } from '@purser/sdk'
import type { PaymentRequired } from '@x402/core/types'
import { dev } from './dev.ts'

const [, , url = 'http://127.0.0.1:4032/mcp'] = process.argv
const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
const card = await purser.issueCard({ purpose: 'An example of MCP', limit_amount: 1 })

const client = new Client({ name: 'agent', version: '1.0.0' })
await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never)
const call = { name: 'forecast', arguments: { city: 'Reykjavik' } }

const asked = await client.callTool(call)
const challenge = asked.structuredContent as PaymentRequired
const { resource } = challenge
const order = { resource: resource.url, challenge, max_amount: 0.05 }
const signed = await purser.authorize(card, order)
const paid = await client.callTool({ ...call, _meta: { 'x402/payment': signed.payment } })
console.log(paid.content)
console.log(paid._meta?.['x402/payment-response'])
const { status } = await purser.settlement(signed.transaction_id)
console.log(`${status}: ${signed.amount_held} ${signed.token}`)
await client.close()
