// A wallet signs in, deposits and opens a shop, a stranger pays there on chain, and the wallet hears of it on the first stream of
// events that it opened: node pay-once.ts <service> <node of the chain>. A program of its own, since it runs in the network of
// another machine. Prints the transaction of the payment, and the wallet's API key.
import { createApiKey, createPurser } from '@purser/sdk'
import { createBuyer } from '../../../cli/demo/x402-buyer.ts'
import { mintUsdc, waitMined } from '../../src/run/embedded/dev/chain.ts'
import { openWallet } from '../crash/chain-wallet.ts'
import { CHAIN_ID } from '../run/own-chain.ts'
import { until } from '../until.ts'

const [, , baseUrl = '', rpcUrl = ''] = process.argv

const wallet = await openWallet(rpcUrl, 2_000_000n)
const apiKey = await createApiKey({ baseUrl }, wallet.account)
let streams = 0
const purser = createPurser({
  baseUrl,
  apiKey,
  fetch: (to, ...more) => {
    const url = to instanceof Request ? to.url : String(to)
    if (url.includes('/api/events/stream')) streams++
    return fetch(to, ...more)
  },
})
/** Resolves to the streams that it took to hear of the payment. */
const heard = (async () => {
  for await (const { type } of purser.followEvents())
    if (type === 'paylink.completed') return streams
  return 0
})()
const { treasury } = await purser.GET('/api/config')
const tx_hash = await wallet.transfer(treasury.evm as `0x${string}`, 2_000_000n)
// It is credited once it is deep enough.
await until(
  () => purser.POST('/api/fund/verify', { body: { tx_hash } }),
  ({ status }) => status === 'confirmed',
)
const card = await purser.issueCard({ purpose: 'A shop', limit_amount: '1' })
const link = await purser.createPayLink({ card_id: card.id, amount: '0.25' })

const buyer = createBuyer(`eip155:${CHAIN_ID}`)
const order = { rpcUrl, chainId: CHAIN_ID, to: buyer.address, amount: 1_000_000n }
await waitMined({ rpcUrl, hash: await mintUsdc(order), timeoutMs: 60_000 })
// The shop's URL is by the service's public name.
const paid = await buyer.fetch(new URL(new URL(link.url).pathname, baseUrl).href)
const receipt = (await paid.json()) as { tx_hash?: string }
if (!paid.ok || !receipt.tx_hash) throw new Error(`${paid.status} ${JSON.stringify(receipt)}`)
await until(
  () => purser.GET('/api/cards/{id}', { params: { path: { id: card.id } } }),
  ({ card: { balance } }) => balance > 1.2,
)
if ((await heard) !== 1) throw new Error(`the payment was heard of on stream ${await heard}`)
console.log(JSON.stringify({ txHash: receipt.tx_hash, apiKey }))
process.exit()
