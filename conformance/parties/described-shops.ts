import { createServer, type RequestListener } from 'node:http'
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { paymentMiddleware as forExpress } from '@x402/express'
import * as bazaar from '@x402/extensions/bazaar'
import * as identifiers from '@x402/extensions/payment-identifier'
import { paymentMiddleware as forHono } from '@x402/hono'
import express from 'express'
import { Hono } from 'hono'
import type { DescribedShopName } from '../extensions.ts'
import { requestListener } from './request-listener.ts'
import { GOODS, listen, MAX_TIMEOUT_SECONDS, NETWORK, PRICE_USD, type Shop } from './servers.ts'

/** The shop's description in the listing. */
export const DESCRIPTION = 'Weather of a day'
export const EXAMPLE = { report: 42 }

export type DescribedShop = Shop & {
  /** The settlements, oldest first: the payment, and the facilitator's extension responses. */
  settled: { payment: PaymentPayload; responses: unknown }[]
}

/** A seller that describes its one resource for the bazaar, and takes no payment without an identifier. */
export async function openDescribedShop(
  name: DescribedShopName,
  terms: { facilitator: FacilitatorClient; payTo: `0x${string}` },
): Promise<DescribedShop> {
  const settled: DescribedShop['settled'] = []
  const server = new x402ResourceServer(terms.facilitator)
    .register(NETWORK, new ExactEvmScheme())
    .registerExtension(bazaar.bazaarResourceServerExtension)
    .registerExtension(identifiers.paymentIdentifierResourceServerExtension)
    .onAfterSettle(async ({ paymentPayload, result }) => {
      settled.push({
        payment: paymentPayload as PaymentPayload,
        responses: result.extensionResponses,
      })
    })
  const shop = await listen(createServer(LISTENERS[name](routesOf(terms.payTo), server)))
  return { ...shop, url: new URL('/weather/2026-11-22', shop.url).href, settled }
}

type Routes = ReturnType<typeof routesOf>

const LISTENERS: Record<
  DescribedShopName,
  (routes: Routes, server: x402ResourceServer) => RequestListener
> = {
  '@x402/hono': (routes, server) => {
    const app = new Hono()
    app.use(forHono(routes, server))
    app.get('/weather/:day', (context) => context.json(GOODS))
    return requestListener(app.fetch)
  },
  '@x402/express': (routes, server) => {
    const app = express()
    app.use(forExpress(routes, server))
    app.get('/weather/:day', (_, response) => void response.json(GOODS))
    return app
  },
}

const routesOf = (payTo: `0x${string}`) => ({
  'GET /weather/:day': {
    accepts: {
      ...{ scheme: 'exact', network: NETWORK, payTo, price: `$${PRICE_USD}` },
      maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    } as const,
    description: DESCRIPTION,
    mimeType: 'application/json',
    extensions: {
      ...bazaar.declareDiscoveryExtension({
        input: { unit: 'celsius' },
        inputSchema: { properties: { unit: { type: 'string' } } },
        pathParamsSchema: { properties: { day: { type: 'string' } } },
        output: { example: EXAMPLE },
      }),
      [identifiers.PAYMENT_IDENTIFIER]: identifiers.declarePaymentIdentifierExtension(true),
    },
  },
})
