// An MCP server with a tool that costs $0.01: x402 in the tool's results and metadata, settled by this service's facilitator.
// Run it beside `npm start`: npx node examples/mcp-seller.ts
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { z } from 'zod'
import { dev } from './dev.ts'

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

/** The response to a call without a valid payment: the demand, both as data and as text. */
async function demand(error: string): Promise<CallToolResult> {
  const resource = { url: 'mcp://tool/forecast', description: 'The weather of tomorrow' }
  const required = await resources.createPaymentRequiredResponse(accepts, resource, error)
  return {
    isError: true,
    structuredContent: { ...required },
    content: [{ type: 'text', text: JSON.stringify(required) }],
  }
}

function forecastServer(): McpServer {
  const server = new McpServer({ name: 'forecast', version: '1.0.0' })
  const description = 'The weather of tomorrow, for $0.01'
  const inputSchema = { city: z.string() }
  server.registerTool('forecast', { description, inputSchema }, async ({ city }, { _meta }) => {
    const payment = _meta?.['x402/payment'] as PaymentPayload | undefined
    const accepted = payment && resources.findMatchingRequirements(accepts, payment)
    if (!accepted) return demand('Payment required')
    // Settle first: goods once given away cannot be taken back.
    const settled = await resources.settlePayment(payment, accepted)
    if (!settled.success) return demand(settled.errorReason ?? 'The payment was not settled')
    const text = `Tomorrow in ${city}: clear, 4 °C`
    return { content: [{ type: 'text', text }], _meta: { 'x402/payment-response': settled } }
  })
  return server
}

const app = createMcpExpressApp()
app.post('/mcp', async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  await forecastServer().connect(transport)
  await transport.handleRequest(request, response, request.body)
})
const listening = app.listen(Number(process.env.PORT ?? 4032), '127.0.0.1', () => {
  const { port } = listening.address() as { port: number }
  console.log(`http://127.0.0.1:${port}/mcp`)
})
