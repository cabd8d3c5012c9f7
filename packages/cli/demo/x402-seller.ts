// An API that sells a report for $0.01, made of the official x402 packages alone. It knows nothing of Purser: its own
// facilitator, with a wallet of its own, takes the payments to the chain. Started by `purser demo`, or by hand:
//   SELLER_RPC_URL=… SELLER_CHAIN_ID=84532 node demo/x402-seller.ts
// Prints one line of JSON once it listens, {url, pay_to}, and ends when its standard input does.
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import { x402ResourceServer } from '@x402/core/server'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as ExactFacilitator } from '@x402/evm/exact/facilitator'
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import express from 'express'
import { createTestClient, createWalletClient, defineChain, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const PRICE = '$0.01'
const GAS_WEI = 10n ** 18n

const rpcUrl = process.env.SELLER_RPC_URL
const chainId = Number(process.env.SELLER_CHAIN_ID)
if (!rpcUrl || !Number.isInteger(chainId))
  throw new Error('SELLER_RPC_URL and SELLER_CHAIN_ID are needed.')

const network = `eip155:${chainId}` as const
const chain = defineChain({
  id: chainId,
  name: network,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
})
const wallet = createWalletClient({
  account: privateKeyToAccount(generatePrivateKey()),
  chain,
  transport: http(rpcUrl),
  pollingInterval: 100,
}).extend(publicActions)
// The development chain gives gas to any caller.
await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setBalance({
  address: wallet.account.address,
  value: GAS_WEI,
})

const signer = toFacilitatorEvmSigner({
  address: wallet.account.address,
  readContract: (call) => wallet.readContract({ ...call, args: call.args ?? [] } as never),
  verifyTypedData: (call) => wallet.verifyTypedData(call as never),
  writeContract: (call) => wallet.writeContract({ ...call, args: call.args ?? [] } as never),
  sendTransaction: (call) => wallet.sendTransaction(call as never),
  waitForTransactionReceipt: (call) => wallet.waitForTransactionReceipt(call),
  getCode: (call) => wallet.getCode(call),
})
const facilitator = new x402Facilitator().register(network, new ExactFacilitator(signer))
const resources = new x402ResourceServer({
  verify: (payload, requirements) => facilitator.verify(payload, requirements),
  settle: (payload, requirements) => facilitator.settle(payload, requirements),
  getSupported: async () => facilitator.getSupported() as never,
}).register(network, new ExactServer())

const payTo = privateKeyToAccount(generatePrivateKey()).address
const accepts = [{ scheme: 'exact', network, payTo, price: PRICE, maxTimeoutSeconds: 60 }]
const app = express()
app.use(paymentMiddleware({ 'GET /report': { accepts, description: 'Weather report' } }, resources))
app.get('/report', (_, response) => {
  response.json({ city: 'Reykjavik', sky: 'clear', temperature_celsius: 4 })
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/report`, pay_to: payTo }))
})
process.stdin.resume().on('end', () => process.exit(0))
