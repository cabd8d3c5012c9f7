import { createServer } from 'node:http'
import type { Settings } from '../../src/api/http/settings.ts'
import { createEgress } from '../../src/base/egress/egress.ts'
import { createResolver } from '../../src/base/egress/guard/resolve.ts'
import { createApp } from '../../src/run/app.ts'
import { faultyRpc } from '../faults/faulty-rpc.ts'
import { nameServer } from '../faults/name-server.ts'
import { listening } from '../sellers/x402-sellers.ts'
import { testChain } from '../world/chain.ts'
import { world } from '../world.ts'
import { createMeter } from './cost-meter.ts'

/** Host names that resolve to the shop. */
export const HOSTS = Array.from({ length: 128 }, (_, i) => `s${i}.seller.test`)

/**
 * A service whose outgoing calls are all counted: its RPC, its name server, and a shop that any caller may make it
 * call. It is not embedded: `callEmbedded` asks it as if it were.
 */
export async function meteredWorld(settings: Partial<Settings> = {}) {
  const stack = new AsyncDisposableStack()
  const { rpcUrl } = testChain()
  const rpc = stack.use(await faultyRpc(rpcUrl))
  const names = stack.use(await nameServer(() => ['127.0.0.1']))
  const shop = stack.use(await openShop())
  const w = stack.use(
    await world({
      on: { rpcUrl, rpcUrls: [rpc.url], mine: async () => {} },
      settings: { embeddedRpcUrl: null, ...settings },
      pulls: true,
      identities: true,
    }),
  )
  const resolver = createResolver({ servers: names.servers })
  Object.assign(w.services, { egress: createEgress({ allow: HOSTS, resolver }) })
  const meter = await createMeter(w, {
    rpc: () => rpc.asked.length,
    dns: () => names.asked.length,
    requests: () => shop.requests.length,
  })
  const embedded = await createApp({
    ...w.services,
    settings: { ...w.services.settings, embeddedRpcUrl: rpc.url },
  })
  return {
    w,
    shop,
    ...meter,
    /** Calls the service as it is on the embedded chain: only there the pages of the explorer exist. */
    async callEmbedded(method: string, url: string, payload?: object) {
      const answer = await embedded.inject({
        ...{ method: method as 'GET', url },
        ...(payload && { payload }),
      })
      const isJson = /json/.test(String(answer.headers['content-type']))
      return { status: answer.statusCode, body: isJson ? answer.json() : undefined }
    },
    async [Symbol.asyncDispose]() {
      await embedded.close()
      await meter.close()
      await stack.disposeAsync()
    },
  }
}

/** A shop that asks every request for the same payment of a cent, by x402. */
async function openShop() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    request.resume()
    response.writeHead(402, { 'content-type': 'application/json', 'payment-required': DEMAND })
    response.end('{}')
  })
  const { url, ...shop } = await listening(server, { payTo: SELLER, paid: [], path: '/paid' })
  return { ...shop, requests, urlOf: (i: number) => url.replace('127.0.0.1', HOSTS[i] ?? '') }
}
const SELLER = '0x00000000000000000000000000000000000Be11e'
export const demandOf = (payTo: string) => ({
  x402Version: 2,
  error: 'payment required',
  resource: { url: 'http://seller.test/paid' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      amount: '10000',
      payTo,
      maxTimeoutSeconds: 60,
      extra: { name: 'USDC', version: '2' },
    },
  ],
})
const DEMAND = Buffer.from(JSON.stringify(demandOf(SELLER))).toString('base64')
