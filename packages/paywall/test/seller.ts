/** A seller on Express for `bench/paywall.ts`: behind our paywall, or behind `@x402/express`. Prints its port. */
import type { AddressInfo } from 'node:net'
import { createPurser } from '@purser/sdk'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express, { type RequestHandler } from 'express'
import { paywall } from '../src/express.ts'

const [, , who, baseUrl = '', apiKey = '', payTo = '', price = ''] = process.argv
const network = 'eip155:84532'

function theirs(): RequestHandler {
  const headers = { authorization: `Bearer ${apiKey}` }
  const facilitator = new HTTPFacilitatorClient({
    url: `${baseUrl}/api/x402`,
    createAuthHeaders: async () => ({ supported: headers, verify: headers, settle: headers }),
  })
  const server = new x402ResourceServer(facilitator).register(network, new ExactEvmScheme())
  const accepts = { scheme: 'exact', network, payTo, price: `$${price}` } as const
  return paymentMiddleware({ 'GET /report': { accepts, description: 'A report' } }, server)
}

const ours = () => paywall(createPurser({ baseUrl, apiKey }), { price, describe: 'A report' })

const app = express()
if (who === 'ours') app.get('/report', ours())
else app.use(theirs())
app.get('/report', (_, response) => void response.json({ report: 'All is well.' }))
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
