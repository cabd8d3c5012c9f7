// An agent that asks another for a forecast over A2A, and pays the price with its card.
// Run it beside `npm start` and examples/a2a-seller.ts: npx node examples/a2a-agent.ts http://127.0.0.1:4033
import { randomUUID } from 'node:crypto'
import { SendMessageRequest, type Task } from '@a2a-js/sdk'
import { ClientFactory, ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client'
import { createPurser } from '@purser/sdk'
import type { PaymentRequired } from '@x402/core/types'
import { dev } from './dev.ts'

const EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
const understood = { serviceParameters: ServiceParameters.create(withA2AExtensions(EXTENSION)) }

const [, , url = 'http://127.0.0.1:4033'] = process.argv
const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
const card = await purser.issueCard({ purpose: 'An example of A2A', limit_amount: 1 })
const seller = await new ClientFactory().createFromUrl(url)

/** Sends the seller a message. Returns the resulting task. */
async function say(text: string, more: object = {}): Promise<Task> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more }
  const request = SendMessageRequest.fromJSON({ message })
  return (await seller.sendMessage(request, understood)) as Task
}

const asked = await say('What will the weather be tomorrow?')
const challenge: PaymentRequired = asked.status?.message?.metadata?.['x402.payment.required']
const { resource } = challenge
const order = { resource: resource.url, challenge, max_amount: 0.05 }
const signed = await purser.authorize(card, order)
const paid = await say('Here is the payment.', {
  taskId: asked.id,
  contextId: asked.contextId,
  metadata: {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': signed.payment,
  },
})
const { parts, metadata } = paid.status?.message ?? {}
console.log(parts?.[0]?.content?.value)
console.log(metadata?.['x402.payment.status'], metadata?.['x402.payment.receipts'])
const { status } = await purser.settlement(signed.transaction_id)
console.log(`${status}: ${signed.amount_held} ${signed.token}`)
