// A seller of x402, whose payments the facilitator of this service takes to the chain.
// Run it beside `npm start`: npx node examples/x402-seller.ts
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express from 'express'
import { dev } from './dev.ts'

const headers = { authorization: `Bearer ${dev.demo.api_key}` }
const facilitator = new HTTPFacilitatorClient({
  url: `${dev.base_url}/api/x402`,
  createAuthHeaders: async () => ({ supported: headers, verify: headers, settle: headers }),
})
const resources = new x402ResourceServer(facilitator).register(dev.network, new ExactEvmScheme())
const payTo = dev.demo.wallet_address
const accepts = { scheme: 'exact', network: dev.network, payTo, price: '$0.01' }

const app = express()
app.use(paymentMiddleware({ 'GET /report': { accepts, description: 'A report' } }, resources))
app.get('/report', (_, response) => void response.json({ report: 'All is well.' }))
const server = app.listen(Number(process.env.PORT ?? 4030), '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(`http://127.0.0.1:${port}/report`)
})
