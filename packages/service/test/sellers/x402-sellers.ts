import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express, { type RequestHandler } from 'express'
import type { PrivateKeyAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Asset, USDC } from '../../src/base/kernel/assets.ts'
import { transferWithAuthorizationData } from '../../src/base/protocols/evm/eip3009/calldata.ts'
import {
  type PaymentPayload,
  parsePaymentSignature,
  parseXPayment,
} from '../../src/base/protocols/x402/payment/payload.ts'
import { testChain } from '../world/chain.ts'
import { sdkFacilitator, walletWithGas } from './sdk-facilitator.ts'

/** A seller outside: its own address, and a URL that asks for a payment. */
export type Seller<P = PaymentPayload> = {
  url: string
  payTo: `0x${string}`
  /** Every request that carried a payment, oldest first. */
  paid: P[]
  [Symbol.asyncDispose](): Promise<void>
}

/** As `walletWithGas`, by default on the run's chain. */
const sender = (rpcUrl = testChain().rpcUrl) => walletWithGas({ ...testChain(), rpcUrl })

/** A seller built with the protocol's own packages: their Express middleware and their facilitator. */
export async function officialSeller(options: {
  price: string
  maxTimeoutSeconds?: number
  handler?: RequestHandler
}): Promise<Seller> {
  const { chainId } = testChain()
  const network = `eip155:${chainId}` as const
  const facilitator = await officialFacilitator()
  const server = new x402ResourceServer(facilitator).register(network, new ExactServer())
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const paid: PaymentPayload[] = []
  const app = express()
  app.use((request, _response, next) => {
    remember(request, paid)
    next()
  })
  const { price, maxTimeoutSeconds = 60 } = options
  const accepts = [{ scheme: 'exact', network, payTo, price, maxTimeoutSeconds }]
  app.use(paymentMiddleware({ '/paid': { accepts, description: 'A report' } }, server))
  app.all('/paid', options.handler ?? ((_, response) => void response.json({ report: 42 })))
  return listening(createServer(app), { payTo, paid, path: '/paid' })
}

/** The protocol's own facilitator in this process, with a wallet that pays its gas. */
export async function officialFacilitator(): Promise<FacilitatorClient> {
  const facilitator = await sdkFacilitator(testChain())
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => facilitator.getSupported() as never,
  }
}

export type Till<P = PaymentPayload> = {
  request: IncomingMessage
  response: ServerResponse
  payload: P
  /** Takes the money on chain. Returns the transaction once it is mined. */
  settle(): Promise<`0x${string}`>
}
export type SellerTerms = {
  /** In base units. */
  amount: bigint
  version?: 1 | 2
  maxTimeoutSeconds?: number
  /** The seller's node, if it is not that of the run's chain. */
  rpcUrl?: string
  /** Replaces or adds offers, given the honest one. */
  offers?: (honest: Record<string, unknown>) => unknown[]
  /** Runs when the seller has received a payment. */
  serve: (till: Till) => Promise<void> | void
}

/** A seller that a test controls: honest about the price, and free in what it does with the money. */
export async function handMadeSeller(terms: SellerTerms): Promise<Seller> {
  const { chainId } = testChain()
  const asset = USDC[chainId]
  if (!asset) throw new Error(`no USDC on chain ${chainId}`)
  const settle = await settler(asset, terms.rpcUrl)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const paid: PaymentPayload[] = []
  const version = terms.version ?? 2
  const demand = demandOf(version, { ...terms, payTo, asset: asset.contract, chainId })
  const server = createServer((request, response) => {
    const payload = remember(request, paid)
    if (payload) {
      const till = { request, response, payload, settle: () => settle(payload) }
      void whileOpen(server, () => terms.serve(till))
      return
    }
    request.resume()
    const encoded = Buffer.from(JSON.stringify(demand)).toString('base64')
    response.writeHead(402, {
      'content-type': 'application/json',
      ...(version === 2 ? { 'payment-required': encoded } : {}),
    })
    response.end(version === 1 ? JSON.stringify(demand) : '{}')
  })
  return listening(server, { payTo, paid, path: '/paid' })
}

/** Submits authorizations to the chain with its own account. Returns the transaction once it is mined. */
export async function settler(asset: Asset, rpcUrl?: string) {
  const wallet = await sender(rpcUrl)
  return async ({
    authorization,
    signature,
  }: Pick<PaymentPayload, 'authorization' | 'signature'>) => {
    const data = transferWithAuthorizationData(authorization, signature)
    const hash = await wallet.sendTransaction({ to: asset.contract, data, gas: 200_000n })
    await wallet.waitForTransactionReceipt({ hash })
    return hash
  }
}

function demandOf(
  version: 1 | 2,
  terms: Pick<SellerTerms, 'amount' | 'maxTimeoutSeconds' | 'offers'> & {
    payTo: string
    asset: string
    chainId: number
  },
) {
  const common = {
    scheme: 'exact',
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: terms.maxTimeoutSeconds ?? 60,
    extra: { name: 'USDC', version: '2' },
  }
  const amount = terms.amount.toString()
  const honest =
    version === 1
      ? { ...common, network: 'base-sepolia', maxAmountRequired: amount, resource: 'http://x/' }
      : { ...common, network: `eip155:${terms.chainId}`, amount }
  return {
    x402Version: version,
    error: 'payment required',
    resource: { url: 'http://seller.example/paid' },
    accepts: terms.offers ? terms.offers(honest) : [honest],
  }
}

/** Records and answers the payment that the request carries, if any. */
function remember(request: IncomingMessage, paid: PaymentPayload[]): PaymentPayload | undefined {
  const v2 = request.headers['payment-signature']
  const v1 = request.headers['x-payment']
  const header = v2 ?? v1
  if (header === undefined) return undefined
  const parsed = v2 ? parsePaymentSignature(String(v2)) : parseXPayment(String(v1))
  if (!parsed.ok) throw new Error(`the payer sent a payment that does not parse: ${parsed.detail}`)
  paid.push(parsed.payload)
  return parsed.payload
}

/** A response in the form of `PAYMENT-RESPONSE`. */
export const paymentResponse = (
  transaction: string,
  account?: Pick<PrivateKeyAccount, 'address'>,
): string => {
  const network = `eip155:${testChain().chainId}`
  const claim = { success: true, transaction, network, payer: account?.address }
  return Buffer.from(JSON.stringify(claim)).toString('base64')
}

/** A seller whose test is over may still wait for its money, on a chain that has gone. */
export async function whileOpen(server: Server, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (server.listening) throw error
  }
}

export async function listening<P>(
  server: ReturnType<typeof createServer>,
  seller: { payTo: `0x${string}`; paid: P[]; path: string },
): Promise<Seller<P>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${seller.path}`,
    payTo: seller.payTo,
    paid: seller.paid,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
