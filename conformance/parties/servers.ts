import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware as forExpress } from '@x402/express'
import { paymentMiddleware as forHono } from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import { assets } from 'mppx/evm'
import { charge } from 'mppx/evm/server'
import { Mppx } from 'mppx/server/core'
import type { PaywallName, ServerName } from '../matrix.ts'
import { requestListener } from './request-listener.ts'

/** The price of every seller here, in dollars and in base units of USDC. */
export const PRICE_USD = '0.01'
export const PRICE = 10_000n
/** The response to a paid request. */
export const GOODS = { report: 42 }

export const CHAIN_ID = 84_532
export const NETWORK = `eip155:${CHAIN_ID}` as const
export const MAX_TIMEOUT_SECONDS = 60
/** The requested host: payers refuse a challenge in another host's name. */
const REALM = '127.0.0.1'

type Terms = {
  facilitator: FacilitatorClient
  payTo: `0x${string}`
  /** For an x402 seller that asks for another token than USDC, with that token's transfer method. */
  price?: { amount: string; asset: string; extra: { assetTransferMethod: string } }
}
export type Shop = { url: string; [Symbol.asyncDispose](): Promise<void> }

type OthersName = Exclude<ServerName, 'purser pay link' | PaywallName>

/** A seller outside, built with the packages in its name. */
export function openShop(name: OthersName, terms: Terms): Promise<Shop> {
  return listen(createServer(LISTENERS[name](terms)))
}

type Listener = Parameters<typeof createServer>[1] & {}

const LISTENERS: Record<OthersName, (terms: Terms) => Listener> = {
  '@x402/hono': (terms) => {
    const app = new Hono()
    app.use(forHono(routesOf(terms), resourceServer(terms)))
    app.get('/report', (context) => context.json(GOODS))
    return requestListener(app.fetch)
  },
  '@x402/express': (terms) => {
    const app = express()
    app.use(forExpress(routesOf(terms), resourceServer(terms)))
    app.get('/report', (_, response) => void response.json(GOODS))
    return app
  },
  'mppx server': ({ facilitator, payTo }) => {
    const mppx = Mppx.create({
      methods: [
        charge({
          currency: assets.baseSepolia.USDC,
          recipient: payTo,
          x402: { facilitator: facilitator as never, maxTimeoutSeconds: MAX_TIMEOUT_SECONDS },
        }),
      ],
      realm: REALM,
      secretKey: 'a secret of this seller, of 32 bytes or more',
    })
    return requestListener(async (request) => {
      const asked = await mppx.charge({ amount: PRICE_USD })(request)
      return asked.status === 402 ? asked.challenge : asked.withReceipt(Response.json(GOODS))
    })
  },
}

const routesOf = ({ payTo, price }: Terms) => ({
  'GET /report': {
    accepts: {
      scheme: 'exact',
      network: NETWORK,
      payTo,
      price: price ?? `$${PRICE_USD}`,
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    } as const,
    description: 'A report',
  },
})

const resourceServer = ({ facilitator }: Terms) =>
  new x402ResourceServer(facilitator).register(NETWORK, new ExactEvmScheme())

/** Serves on a free port; the URL is that of the report. */
export async function listen(server: Server): Promise<Shop> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/report`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
