// A seller of MPP: mppx names the price and checks the credential, the facilitator of this service takes it to the chain.
// Run it beside `npm start`: npx node examples/mpp-seller.ts
import { createServer } from 'node:http'
import { assets } from 'mppx/evm'
import { charge } from 'mppx/evm/server'
import { Mppx } from 'mppx/server/core'
import { dev } from './dev.ts'

const headers = { 'content-type': 'application/json', authorization: `Bearer ${dev.demo.api_key}` }
const x402 = {
  facilitator: `${dev.base_url}/api/x402`,
  fetch: (url: string | URL | Request, init?: RequestInit) => fetch(url, { ...init, headers }),
}
const recipient = dev.demo.wallet_address
const mppx = Mppx.create({
  methods: [charge({ currency: assets.baseSepolia.USDC, recipient, x402 })],
  // Payers refuse a challenge in another host's name.
  realm: '127.0.0.1',
  secretKey: 'Challenges are bound to it: keep yours secret.',
})

const server = createServer(async (request, response) => {
  const paid = await Mppx.toNodeListener(mppx.charge({ amount: '0.01' }))(request, response)
  if (paid.status === 402) return
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ report: 'All is well.' }))
})
server.listen(Number(process.env.PORT ?? 4031), '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  console.log(`http://127.0.0.1:${port}/report`)
})
