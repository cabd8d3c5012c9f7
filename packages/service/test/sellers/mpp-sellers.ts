import { createServer } from 'node:http'
import { assets } from 'mppx/evm'
import { charge } from 'mppx/evm/server'
import { Mppx, Request as NodeRequest } from 'mppx/server/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { USDC } from '../../src/base/kernel/assets.ts'
import { addSeconds } from '../../src/base/kernel/clock.ts'
import { amount } from '../../src/base/kernel/money.ts'
import { randomToken } from '../../src/base/kernel/secrets.ts'
import { makeChallenge } from '../../src/base/protocols/mpp/binding.ts'
import { type Challenge, writeChallenge } from '../../src/base/protocols/mpp/headers/challenge.ts'
import { type Credential, readCredential } from '../../src/base/protocols/mpp/headers/credential.ts'
import { writeReceipt } from '../../src/base/protocols/mpp/headers/receipt.ts'
import {
  EVM_CHARGE,
  type EvmPayload,
  evmTerms,
  readEvmPayload,
} from '../../src/base/protocols/mpp/methods/evm.ts'
import { testChain } from '../world/chain.ts'
import { listening, type Seller, settler, type Till, whileOpen } from './x402-sellers.ts'

/** A payment by MPP as a seller received it. */
export type MppPayment = EvmPayload & { credential: Credential; fields: string[] }

const usdc = () => {
  const { chainId } = testChain()
  const asset = USDC[chainId]
  if (!asset) throw new Error(`no USDC on chain ${chainId}`)
  return asset
}
const newPayee = () => privateKeyToAccount(generatePrivateKey()).address

/** A seller built with the protocol's own package, which takes the money with its own account. */
export async function officialMppSeller(options: {
  /** In dollars. */
  price: string
  requiresAuth?: boolean
}): Promise<Seller<EvmPayload>> {
  const settle = await settler(usdc())
  const [payTo, paid] = [newPayee(), [] as EvmPayload[]]
  const evm = charge({
    currency: assets.baseSepolia.USDC,
    recipient: payTo,
    settle: async ({ payload }) => {
      const payment = readEvmPayload(payload as never)
      paid.push(payment)
      return { reference: await settle(payment) }
    },
  })
  // With its own transport, the method of mppx 0.11.0 asks for Payment-Authorization and then reads Authorization.
  const { transport: _own, ...plain } = evm
  const mppx = Mppx.create({
    methods: [options.requiresAuth ? (plain as typeof evm) : evm],
    realm: '127.0.0.1',
    secretKey: 'a secret of this seller, of 32 bytes or more',
    ...(options.requiresAuth ? { requiresAuth: true } : {}),
  })
  const listener = NodeRequest.toNodeListener(async (request: Request) => {
    const asked = await mppx.charge({ amount: options.price })(request)
    return asked.status === 402 ? asked.challenge : asked.withReceipt(Response.json({ report: 42 }))
  })
  return listening(createServer(listener), { payTo, paid, path: '/paid' })
}

export type MppSellerTerms = {
  /** In base units. */
  amount: bigint
  /** The lifetime of its challenges. */
  expiresInSeconds?: number
  rpcUrl?: string
  /** Replaces its one honest challenge: values of `WWW-Authenticate`. */
  challenges?: (honest: Challenge, again: (change: Demand) => Challenge) => (Challenge | string)[]
  /** Its problem document. */
  problem?: object
  serve: (till: Till<MppPayment>) => Promise<void> | void
}
type Demand = Partial<Parameters<typeof makeChallenge>[1]>

/** A seller of MPP that a test controls: honest about the price, and free in what it does with the money. */
export async function handMadeMppSeller(terms: MppSellerTerms): Promise<Seller<MppPayment>> {
  const asset = usdc()
  const settle = await settler(asset, terms.rpcUrl)
  const [payTo, paid] = [newPayee(), [] as MppPayment[]]
  const key = Buffer.from(randomToken())
  const server = createServer(async (request, response) => {
    const credential = readCredential(request.headers as Record<string, string>)
    if (credential) {
      const fields = ['authorization', 'payment-authorization'].filter((n) => request.headers[n])
      const payload = { ...readEvmPayload(credential.payload), credential, fields }
      paid.push(payload)
      const till = { request, response, payload, settle: () => settle(payload) }
      void whileOpen(server, () => terms.serve(till))
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const demand = (change: Demand = {}): Challenge =>
      makeChallenge(key, {
        realm: '127.0.0.1',
        ...EVM_CHARGE,
        terms: evmTerms({ asset, amount: amount(terms.amount), recipient: payTo }),
        scope: 'paid',
        salt: randomToken(),
        expires: addSeconds(new Date(), terms.expiresInSeconds ?? 60),
        body,
        ...change,
      })
    const challenges = terms.challenges?.(demand(), demand) ?? [demand()]
    const fields = challenges.map((one) => (typeof one === 'string' ? one : writeChallenge(one)))
    const isProblem = terms.problem !== undefined
    response.writeHead(402, [
      ...fields.flatMap((field) => ['www-authenticate', field]),
      ...['content-type', isProblem ? 'application/problem+json' : 'application/json'],
    ])
    response.end(JSON.stringify(terms.problem ?? {}))
  })
  return listening(server, { payTo, paid, path: '/paid' })
}

/** A receipt in the form of `Payment-Receipt`. */
export const paymentReceipt = (reference: string, challengeId: string): string =>
  writeReceipt({ method: 'evm', reference, settledAt: new Date(), challengeId })
