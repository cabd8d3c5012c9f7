// An A2A agent whose forecasts cost $0.01: x402 in its messages' metadata, settled by the facilitator of this service.
// Run it beside `npm start`: npx node examples/a2a-seller.ts
import { randomUUID } from 'node:crypto'
import { AGENT_CARD_PATH, AgentCard, Task } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
} from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import express from 'express'
import { dev } from './dev.ts'

const EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'

const headers = { authorization: `Bearer ${dev.demo.api_key}` }
const facilitator = new HTTPFacilitatorClient({
  url: `${dev.base_url}/api/x402`,
  createAuthHeaders: async () => ({ supported: headers, verify: headers, settle: headers }),
})
const resources = new x402ResourceServer(facilitator).register(dev.network, new ExactEvmScheme())
await resources.initialize()
const accepts = await resources.buildPaymentRequirements({
  scheme: 'exact',
  network: dev.network,
  payTo: dev.demo.wallet_address,
  price: '$0.01',
})

type Said = { state: string; text: string; status: string; more: object }

/** The agent's response to a message: the price, or the forecast once the payment is settled. */
async function answer(payment: PaymentPayload | undefined): Promise<Said> {
  const accepted = payment && resources.findMatchingRequirements(accepts, payment)
  if (!accepted) {
    const resource = { url: 'a2a://skill/forecast', description: 'The weather of tomorrow' }
    const required = await resources.createPaymentRequiredResponse(accepts, resource)
    const more = { 'x402.payment.required': required }
    const text = 'A forecast costs $0.01.'
    return { state: 'TASK_STATE_INPUT_REQUIRED', text, status: 'payment-required', more }
  }
  const settled = await resources.settlePayment(payment, accepted)
  const more = { 'x402.payment.receipts': [settled] }
  if (settled.success) {
    const text = 'Tomorrow in Reykjavik: clear, 4 °C'
    return { state: 'TASK_STATE_COMPLETED', text, status: 'payment-completed', more }
  }
  const text = 'The payment was not settled.'
  return { state: 'TASK_STATE_FAILED', text, status: 'payment-failed', more }
}

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const payment = userMessage.metadata?.['x402.payment.payload']
    const { state, text, status, more } = await answer(payment)
    const message = {
      ...{ messageId: randomUUID(), taskId, contextId, role: 'ROLE_AGENT', parts: [{ text }] },
      ...{ metadata: { 'x402.payment.status': status, ...more }, extensions: [EXTENSION] },
    }
    bus.publish(
      AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: { state, message } })),
    )
    bus.finished()
  },
  cancelTask: async (_, bus) => bus.finished(),
}

const app = express()
const server = app.listen(Number(process.env.PORT ?? 4033), '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const card = AgentCard.fromJSON({
    name: 'Forecasts',
    description: 'The weather of tomorrow, for $0.01',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: EXTENSION, required: true }] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'forecast', name: 'Forecast', description: 'The weather of tomorrow' }],
  })
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor)
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }))
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  console.log(url)
})
