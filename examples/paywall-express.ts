// A seller's route behind @purser/paywall: one 402 for x402, MPP and cards of this service.
// Run it beside `npm start`: npx node examples/paywall-express.ts
import type { AddressInfo } from 'node:net'
import { paywall } from '@purser/paywall/express'
import { createPurser } from '@purser/sdk'
import express from 'express'
import { dev } from './dev.ts'

const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
// Cards of the service pay into this one; payments on chain go to the wallet of the key.
const till = await purser.issueCard({ purpose: 'Sales', limit_amount: 1 })
const priced = paywall(purser, { price: '0.01', describe: 'A report', card: till.id })
const app = express()
app.get('/report', priced, (_, response) => void response.json({ report: 'All is well.' }))
const server = app.listen(Number(process.env.PORT ?? 4032), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://127.0.0.1:${port}/report`)
})
