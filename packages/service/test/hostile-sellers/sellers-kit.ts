import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect } from 'vitest'
import { createEgress } from '../../src/base/egress/egress.ts'
import type { Resolver } from '../../src/base/egress/guard/resolve.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import { type Held, issue } from '../actors/attack-kit.ts'
import { handMadeMppSeller, type MppPayment, type MppSellerTerms } from '../sellers/mpp-sellers.ts'
import { handMadeSeller, type Seller, type SellerTerms } from '../sellers/x402-sellers.ts'
import { type User, type World, world } from '../world.ts'

/** The price of these tests' sellers, in base units. With the fee, 0.0201 leaves the card. */
export const PRICE = 20_000n

/** A world with a buyer whose requests outside end after `timeoutMs`. Its books are verified once, at its end. */
export async function market(options: { timeoutMs?: number; resolver?: Resolver } = {}) {
  const w = await world()
  const egress = createEgress({
    allow: ['127.0.0.1'],
    ...(options.resolver ? { resolver: options.resolver } : {}),
  })
  const timeoutMs = options.timeoutMs ?? 5_000
  Object.assign(w.services, {
    egress: {
      ...egress,
      fetch: (request: object) => egress.fetch({ timeoutMs, ...request } as never),
    },
  })
  const user = await w.user({ treasury: 60 })
  return {
    w,
    user,
    async [Symbol.asyncDispose]() {
      try {
        expect(await w.faults()).toEqual([])
      } finally {
        await w[Symbol.asyncDispose]()
      }
    },
  }
}

/** The payment that a seller received, in either protocol. */
type Signed = { signature: string }
export type Purchase<P extends Signed = Signed> = {
  card: Held
  seller: Seller<P>
  /** `more` adds to the request of `POST /api/pay`. */
  buy(key?: string, more?: object): ReturnType<User['post']>
}

/** A seller with these terms, and a card with one dollar to pay it. */
export async function stall(
  { user }: { user: User },
  terms: Omit<SellerTerms, 'amount'> & { amount?: bigint },
): Promise<Purchase<Seller['paid'][number]>> {
  return purchase(user, await handMadeSeller({ amount: PRICE, maxTimeoutSeconds: 60, ...terms }))
}

/** As `stall`, with a seller that uses only MPP. */
export async function mppStall(
  { user }: { user: User },
  terms: Omit<MppSellerTerms, 'amount'> & { amount?: bigint },
): Promise<Purchase<MppPayment>> {
  return purchase(user, await handMadeMppSeller({ amount: PRICE, ...terms }))
}

async function purchase<P extends Signed>(user: User, seller: Seller<P>): Promise<Purchase<P>> {
  const card = await issue(user, 1)
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const buy = (key?: string, more: object = {}) =>
    user.post('/api/pay', { ...ask, ...more }, key ? { headers: { 'idempotency-key': key } } : {})
  return { card, seller, buy }
}

/**
 * However often the payment was requested, the seller received one authorization, and the card agrees with the chain.
 */
export async function expectChainDecides(
  { w, user }: { w: World; user: User },
  { card, seller }: Purchase,
  isTaken: boolean,
): Promise<void> {
  const signatures = new Set(seller.paid.map(({ signature }) => signature))
  expect(signatures.size).toBe(1)
  expect(await readAssetBalance(w.chain, seller.payTo)).toBe(isTaken ? PRICE : 0n)
  const shown = (await user.get(`/api/cards/${card.id}`)).body.card
  expect(shown).toMatchObject(isTaken ? { spent: 0.0201, held: 0 } : { spent: 0, held: 0.0201 })
}

/** A server that is not a seller, for answers that no seller should give. */
export async function bareServer(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const sockets = new Set<Socket>()
  const seen: IncomingMessage['headers'][] = []
  const server = createServer({ maxHeaderSize: 256 * 1024 }, (request, response) => {
    seen.push(request.headers)
    response.on('error', () => undefined)
    void handler(request, response)
  })
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/paid`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
