import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createPurser } from '@purser/sdk'
import express, { type RequestHandler } from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { NextRequest } from 'next/server.js'
import { readAssetBalance } from '../../service/src/chain/client/reads.ts'
import { cardOf, issue } from '../../service/test/actors/attack-kit.ts'
import { freshAccount } from '../../service/test/world/chain.ts'
import { type World, world } from '../../service/test/world.ts'
import { paywall as forExpress } from '../src/express.ts'
import { paywall as forFastify } from '../src/fastify.ts'
import { paywall as forHono } from '../src/hono.ts'
import { paywall as forNext } from '../src/next.ts'
import type { PaywallOptions, Service } from '../src/options.ts'
import { paywall } from '../src/paywall.ts'

export const PRICE = 10_000n
export const GOODS = { report: 42 }

/** A service that listens, a seller with a card, and an agent with one. */
export async function openStage(given?: World) {
  const w = given ?? (await world())
  await w.withGas()
  const base = await w.listen()
  const seller = await w.user({ treasury: 10 })
  const agent = await w.user({ treasury: 50 })
  const till = await issue(seller, 1)
  const card = await issue(agent, 20)
  return {
    ...{ w, base, seller, agent, till, card },
    purser: createPurser({ baseUrl: base, apiKey: seller.key }),
    payer: (usdc = 1_000_000n) => freshAccount({ usdc }),
    /** The money of the seller's wallet on chain. */
    onChain: () => readAssetBalance(w.chain, seller.account.address),
    received: async () => (await cardOf(seller, till.id)).received as number,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>

export type Shop = { url: string; [Symbol.asyncDispose](): Promise<void> }
/** A seller's handler, in whatever framework. */
export type Serve = (
  body: string,
) => Promise<{ status: number; body: string; headers?: Record<string, string> }>

export const ADAPTERS = ['web', 'express', 'fastify', 'hono', 'next'] as const
export type Adapter = (typeof ADAPTERS)[number]

export const listener = (
  handle: (request: Request) => Response | Promise<Response>,
): RequestListener =>
  getRequestListener(handle, { overrideGlobalObjects: false }) as RequestListener

const answer = ({ status, body, headers }: Awaited<ReturnType<Serve>>) =>
  new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })

/** The same shop on each framework, each as its users write it. */
const SHOPS: Record<
  Adapter,
  (purser: Service, options: PaywallOptions, serve: Serve) => RequestListener | Promise<Server>
> = {
  web: (purser, options, serve) =>
    listener(
      paywall(purser, options)(async (request) => answer(await serve(await request.text()))),
    ),
  express: (purser, options, serve) => {
    const app = express()
    const handle: RequestHandler = async (request, response) => {
      const { status, body } = await serve(String(request.body ?? ''))
      response.status(status).type('json').send(body)
    }
    app.all('/report', forExpress(purser, options), express.text({ type: '*/*' }), handle)
    return app
  },
  fastify: async (purser, options, serve) => {
    const app = fastify()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body))
    app.route({
      method: ['GET', 'POST'],
      url: '/report',
      ...forFastify(purser, options),
      async handler(request, reply) {
        const { status, body } = await serve(
          typeof request.body === 'string' ? request.body : JSON.stringify(request.body ?? ''),
        )
        return reply.code(status).type('application/json').send(body)
      },
    })
    await app.ready()
    return app.server
  },
  hono: (purser, options, serve) => {
    const app = new Hono()
    app.all('/report', forHono(purser, options), async (context) =>
      answer(await serve(await context.req.text())),
    )
    return listener(app.fetch)
  },
  next: (purser, options, serve) => {
    const handle = forNext(
      purser,
      options,
    )(async (request: NextRequest, _context: { params: Promise<object> }) => {
      // Only a request of Next has it.
      if (request.nextUrl.pathname !== '/report') return new Response(null, { status: 404 })
      return answer(await serve(await request.text()))
    })
    return listener((request) =>
      handle(
        new NextRequest(request.url, {
          ...{ method: request.method, headers: request.headers, signal: request.signal },
          ...(request.body && { body: request.body, duplex: 'half' as const }),
        }),
        { params: Promise.resolve({}) },
      ),
    )
  },
}

export async function openShop(
  adapter: Adapter,
  purser: Service,
  of: { options?: Partial<PaywallOptions>; serve?: Serve } = {},
): Promise<Shop> {
  const options = { price: '0.01', describe: 'A report', ...of.options }
  const serve = of.serve ?? (async () => ({ status: 200, body: JSON.stringify(GOODS) }))
  return listen(await SHOPS[adapter](purser, options, serve))
}

/** Serves on a free port; the URL is that of the report. */
export async function listen(handle: RequestListener | Server): Promise<Shop> {
  const server = typeof handle === 'function' ? createServer(handle) : handle
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/report`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
