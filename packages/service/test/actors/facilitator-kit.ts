import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express from 'express'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { USDC } from '../../src/base/kernel/assets.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import type { Reply, User, World } from '../world.ts'
import { written } from './authorizations.ts'

export const NETWORK = 'eip155:84532'
export const asset = USDC[84_532]!
export const PRICE = 10_000n

export const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

/** A seller's key on a service that has gas, and an address that the seller is paid at. */
export async function shop(w: World) {
  await w.withGas()
  const seller = await w.user()
  const payTo = newAddress()
  return { seller, payTo, paid: () => readAssetBalance(w.chain, payTo) }
}

export type Changes = {
  value?: bigint
  validAfter?: bigint
  validBefore?: bigint
  to?: `0x${string}`
  nonce?: `0x${string}`
  by?: PrivateKeyAccount
  extensions?: object
  requirements?: object
  accepted?: object
}

/**
 * The body of a seller's request to /verify and /settle: the payment of `payer` for `payTo`'s demand, with the test's
 * changes.
 */
export async function ask(payer: PrivateKeyAccount, payTo: `0x${string}`, changes: Changes = {}) {
  const authorization: TransferAuthorization = {
    from: payer.address,
    to: changes.to ?? payTo,
    value: changes.value ?? PRICE,
    validAfter: changes.validAfter ?? 0n,
    validBefore: changes.validBefore ?? BigInt(Math.floor(Date.now() / 1000) + 3_600),
    nonce: changes.nonce ?? randomHex(32),
  }
  const by = changes.by ?? payer
  const signature = await by.signTypedData(authorizationTypedData(asset, authorization))
  const paymentRequirements = {
    scheme: 'exact',
    network: NETWORK,
    amount: String(PRICE),
    asset: asset.contract,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: 'USDC', version: '2' },
    ...changes.requirements,
  }
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      resource: { url: 'https://seller.example/report?day=1' },
      accepted: { ...paymentRequirements, ...changes.accepted },
      payload: {
        signature,
        authorization: written(authorization),
      },
      ...(changes.extensions ? { extensions: changes.extensions } : {}),
    },
    paymentRequirements,
  }
}

export const settle = (seller: User, body: object, key?: string): Promise<Reply> =>
  seller.post('/api/x402/settle', body, key ? { headers: { 'idempotency-key': key } } : {})

/** The official client of this service as a facilitator, with the seller's key. */
export async function facilitatorClient(w: World, seller: User): Promise<HTTPFacilitatorClient> {
  const auth = { Authorization: `Bearer ${seller.key}` }
  return new HTTPFacilitatorClient({
    url: `${await w.listen()}/api/x402`,
    createAuthHeaders: async () => ({ verify: auth, settle: auth, supported: {}, bazaar: {} }),
  })
}

/** A seller built with the protocol's own packages, with this service as its facilitator. */
export async function officialServer(w: World, seller: User, payTo: string, price = '$0.01') {
  const client = await facilitatorClient(w, seller)
  const resources = new x402ResourceServer(client).register(NETWORK, new ExactServer())
  const app = express()
  const accepts = {
    scheme: 'exact',
    network: NETWORK,
    payTo,
    price,
    maxTimeoutSeconds: 60,
  } as const
  app.use(paymentMiddleware({ 'GET /paid': { accepts, description: 'A report' } }, resources))
  app.get('/paid', (_, response) => void response.json({ report: 42 }))
  const server: Server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    client,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/paid`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
