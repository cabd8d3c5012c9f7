import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ask, NETWORK, newAddress, settle } from '../actors/facilitator-kit.ts'
import { encode } from '../actors/link-kit.ts'
import { freshAccount } from '../world/chain.ts'
import type { User, World } from '../world.ts'

export type Description = {
  resource?: Record<string, unknown>
  info?: object
  more?: object
  payTo?: `0x${string}`
  status?: number
}

/** A seller outside whose resources ask for payment, each at its path and as the test describes it. */
export async function describedSeller(resources: Record<string, Description>) {
  const payTo = newAddress()
  const asked: { method: string; path: string; body: string }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push({ method: request.method ?? '', path, body })
      const described = resources[path.split('?')[0] ?? '']
      const status = described ? (described.status ?? 402) : 404
      const demand =
        described && status === 402 ? demandOf(described, described.payTo ?? payTo) : {}
      response.writeHead(status, status === 402 ? { 'payment-required': encode(demand) } : {})
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, payTo, resources, asked, close, [Symbol.asyncDispose]: close }
}
export type DescribedSeller = Awaited<ReturnType<typeof describedSeller>>

const acceptedBy = (payTo: string) => ({
  ...{ scheme: 'exact', network: NETWORK, amount: '10000', payTo },
  ...{ asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', maxTimeoutSeconds: 60 },
  extra: { name: 'USDC', version: '2' },
})

const demandOf = ({ resource, info, more }: Description, payTo: string) => ({
  x402Version: 2,
  resource: { url: 'https://its-own.example/', ...resource },
  accepts: [acceptedBy(payTo)],
  extensions: {
    bazaar: {
      info: info ?? { input: { type: 'http', method: 'GET' } },
      schema: { type: 'object' },
      ...more,
    },
  },
})

/** A payer's own description of the resource that it pays for, which can be anything. */
export type Claimed = { url: string; input?: object; resource?: object }

/** Settles a payment to the seller with the payer's description. */
export async function buy(
  key: User,
  payTo: `0x${string}`,
  { url, input, resource }: Claimed,
  payer?: PrivateKeyAccount,
) {
  const body = await ask(payer ?? (await freshAccount({ usdc: 1_000_000n })), payTo, {
    extensions: {
      bazaar: { info: { input: input ?? { type: 'http', method: 'GET' } }, schema: {} },
    },
  })
  const paymentPayload = { ...body.paymentPayload, resource: { url, ...resource } }
  const settled = await settle(key, { ...body, paymentPayload })
  if (!settled.body.success) throw new Error(settled.text)
  const header = String(settled.headers['extension-responses'])
  return JSON.parse(Buffer.from(header, 'base64').toString()).bazaar
}

export const listed = async (w: World, query = ''): Promise<any[]> =>
  (await w.call('GET', `/api/x402/discovery/resources?limit=100&${query}`)).body.items

/** Makes the service look at its waiting resources, as often as `times`. */
export async function look(w: World, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    await w.advance(61)
    await w.runJobs()
  }
}
