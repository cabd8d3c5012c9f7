import { createServer } from 'node:http'
import { type FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { x402UptoPermit2ProxyABI } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { paymentMiddleware, setSettlementOverrides } from '@x402/express'
import express from 'express'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { USDC } from '../../src/base/kernel/assets.ts'
import { UPTO_PERMIT2_PROXY } from '../../src/base/protocols/evm/permit2/abi.ts'
import { MULTICALL3, multicallAbi } from '../../src/chain/client/multicall.ts'
import { testChain } from '../world/chain.ts'
import { walletWithGas } from './sdk-facilitator.ts'
import { listening, officialFacilitator, whileOpen } from './x402-sellers.ts'

/** The extension as the packages' sellers declare it, without its schema. */
const SPONSORING = {
  eip2612GasSponsoring: { info: { description: 'EIP-2612 for Permit2', version: '1' } },
}

const newPayee = () => privateKeyToAccount(generatePrivateKey()).address
const usdc = () => USDC[testChain().chainId]!

/**
 * A seller built with the protocol's own packages that is paid by Permit2: the exact price, or with `used` (base units)
 * that part of it, by the scheme upto. The facilitator is the packages' own, unless another is given.
 */
export async function officialPermitSeller(options: {
  amount: bigint
  used?: () => bigint
  facilitator?: FacilitatorClient
  payTo?: Hex
  /** Another token than USDC, whose payers may send an EIP-2612 permit beside the payment. */
  token?: { contract: Hex; name: string; version: string }
}) {
  const network = `eip155:${testChain().chainId}` as const
  const server = new x402ResourceServer(options.facilitator ?? (await officialFacilitator()))
    .register(network, new ExactEvmScheme())
    .register(network, new UptoEvmScheme())
  const payTo = options.payTo ?? newPayee()
  const app = express()
  const { contract, ...eip712 } = options.token ?? { ...usdc().eip712, contract: usdc().contract }
  const extra = { ...eip712, assetTransferMethod: 'permit2' }
  const price = { amount: String(options.amount), asset: contract, extra }
  const extensions = options.token ? SPONSORING : {}
  const scheme = options.used ? 'upto' : 'exact'
  const accepts = [{ scheme, network, payTo, price, maxTimeoutSeconds: 60 }]
  app.use(paymentMiddleware({ '/paid': { accepts, description: 'A report', extensions } }, server))
  app.all('/paid', (_, response) => {
    if (options.used) setSettlementOverrides(response, { amount: String(options.used()) })
    response.json({ report: 42 })
  })
  return listening(createServer(app), { payTo, paid: [], path: '/paid' })
}

type Permit = {
  from: Hex
  permitted: { token: Hex; amount: string }
  nonce: string
  deadline: string
  witness: { to: Hex; facilitator: Hex; validAfter: string }
}
/** A payment by the scheme upto, and a way to take this many base units of it. */
export type UptoTill = {
  permit: Permit
  /** `behind` are bytes after the call's own, which the proxy does not read. */
  settle(used: bigint, behind?: string): Promise<Hex>
  /** The data of the call that would take this many. */
  dataOf(used: bigint): Hex
}

/** A seller by the scheme upto that a test controls. With `nested`, another contract is the facilitator. */
export async function uptoSeller(terms: {
  max: bigint
  nested?: boolean
  maxTimeoutSeconds?: number
  serve(till: UptoTill): Promise<unknown>
}) {
  const chain = testChain()
  const wallet = await walletWithGas(chain)
  const payTo = newPayee()
  const facilitatorAddress = terms.nested ? MULTICALL3 : wallet.account.address
  const demand = {
    ...{ x402Version: 2, resource: { url: 'http://seller.example/paid' } },
    accepts: [
      {
        ...{ scheme: 'upto', network: `eip155:${chain.chainId}`, amount: String(terms.max), payTo },
        ...{ asset: usdc().contract, maxTimeoutSeconds: terms.maxTimeoutSeconds ?? 60 },
        extra: { name: 'USDC', version: '2', assetTransferMethod: 'permit2', facilitatorAddress },
      },
    ],
  }
  const dataOf = (permit: Permit, signature: Hex) => (used: bigint) => {
    const { permitted, nonce, deadline, from, witness } = permit
    return encodeFunctionData({
      abi: x402UptoPermit2ProxyABI as Abi,
      functionName: 'settle',
      args: [{ permitted, nonce, deadline }, used, from, witness, signature],
    })
  }
  const settleOf =
    (permit: Permit, signature: Hex) =>
    async (used: bigint, behind = '') => {
      const own: Hex = `${dataOf(permit, signature)(used)}${behind}`
      const call = { target: UPTO_PERMIT2_PROXY, allowFailure: false, callData: own } as const
      const data = terms.nested
        ? encodeFunctionData({ abi: multicallAbi, functionName: 'aggregate3', args: [[call]] })
        : own
      const to = terms.nested ? MULTICALL3 : UPTO_PERMIT2_PROXY
      const hash = await wallet.sendTransaction({ to, data, gas: 300_000n })
      await wallet.waitForTransactionReceipt({ hash })
      return hash
    }
  const server = createServer(async (request, response) => {
    const header = request.headers['payment-signature']
    if (header === undefined) {
      request.resume()
      const encoded = Buffer.from(JSON.stringify(demand)).toString('base64')
      response.writeHead(402, { 'payment-required': encoded }).end('{}')
      return
    }
    const { payload } = JSON.parse(Buffer.from(String(header), 'base64').toString())
    const permit = payload.permit2Authorization as Permit
    const { signature } = payload
    const settle = settleOf(permit, signature)
    const till = { permit, settle, dataOf: dataOf(permit, signature) }
    await whileOpen(server, () => terms.serve(till))
    response.end('{"report":42}')
  })
  return listening(server, { payTo, paid: [], path: '/paid' })
}
