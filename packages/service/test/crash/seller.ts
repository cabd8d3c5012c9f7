import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { transferWithAuthorizationData } from '../../src/base/protocols/evm/eip3009/calldata.ts'
import {
  type PaymentPayload,
  parsePaymentSignature,
} from '../../src/base/protocols/x402/payment/payload.ts'
import { openWallet, usdc } from './chain-wallet.ts'
import { CHAIN_ID } from './stage.ts'

/** The price of a payment, in base units. */
export const PRICE = 250_000n

export type Seller = {
  url: string
  payTo: `0x${string}`
  /** The number of times that each presented authorization was taken on chain, by its nonce. */
  taken: Map<string, number>
  close(): Promise<void>
}

/**
 * An honest seller outside of the service. It takes each authorization once on chain, then serves every request that
 * presents it.
 */
export async function openSeller(rpcUrl: string, maxTimeoutSeconds: number): Promise<Seller> {
  const wallet = await openWallet(rpcUrl, 0n)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const taken = new Map<string, number>()
  const settling = new Map<string, Promise<string | undefined>>()
  const offer = {
    scheme: 'exact',
    network: `eip155:${CHAIN_ID}`,
    amount: String(PRICE),
    asset: usdc.contract,
    payTo,
    maxTimeoutSeconds,
    extra: { name: 'USDC', version: '2' },
  }
  const demand = Buffer.from(
    JSON.stringify({
      x402Version: 2,
      error: 'payment required',
      resource: { url: 'x' },
      accepts: [offer],
    }),
  ).toString('base64')
  const take = async ({ authorization, signature }: PaymentPayload) => {
    try {
      const hash = await wallet.send(
        usdc.contract,
        transferWithAuthorizationData(authorization, signature),
      )
      taken.set(authorization.nonce, (taken.get(authorization.nonce) ?? 0) + 1)
      return hash
    } catch {
      // The authorization has expired: the chain did not take it, and nothing is served.
      return undefined
    }
  }
  const server = createServer(async (request, response) => {
    request.resume()
    const header = request.headers['payment-signature']
    if (header === undefined)
      return void response.writeHead(402, { 'payment-required': demand }).end('{}')
    const parsed = parsePaymentSignature(String(header))
    if (!parsed.ok) return void response.writeHead(400).end(parsed.detail)
    const { nonce } = parsed.payload.authorization
    const settled = settling.get(nonce) ?? take(parsed.payload)
    settling.set(nonce, settled)
    response.writeHead((await settled) ? 200 : 402).end('goods')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...{ payTo, taken },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/paid`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
