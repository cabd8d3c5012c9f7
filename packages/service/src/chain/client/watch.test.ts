import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { randomHex, Secret } from '../../base/kernel/secrets.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { openChain } from './chain.ts'
import { localSigner } from './signers/local.ts'
import { readHeads, readTransfersTo } from './watch.ts'

type Call = { id: number; method: string; params: any[] }
const RANGE_REFUSED = { code: -32005, message: 'query exceeds max block range' }

/** The chain behind a node that answers as `answer` says, or as the chain does if `answer` is undefined for a call. */
async function through(w: World, answer: (call: Call) => object | undefined) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const calls: Call[] = [JSON.parse(Buffer.concat(chunks).toString())].flat()
    const answers = await Promise.all(
      calls.map(async (call) => {
        const own = answer(call)
        if (own) return { jsonrpc: '2.0', id: call.id, ...own }
        const body = JSON.stringify({ jsonrpc: '2.0', ...call })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(w.rpcUrl, { method: 'POST', headers, body })).json()
      }),
    )
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers.length === 1 && calls.length === 1 ? answers[0] : answers))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const chain = openChain({
    asset: w.chain.asset,
    rpcUrls: [`http://127.0.0.1:${port}`],
    treasury: localSigner(new Secret(w.operatorKey)),
    relayers: [],
    secrets: new Keyring([new Secret(randomHex(32).slice(2))]),
  })
  return { chain, stop: () => new Promise((done) => server.close(done)) }
}
/** The head of a chain that has the blocks that are read here: one that was just started has fewer. */
const longChain = (w: World): Promise<bigint> =>
  until(
    async () => (await readHeads(w.chain)).latest,
    (latest) => latest >= 20n,
  )
const blocksOf = ({ params: [{ fromBlock, toBlock }] }: Call) =>
  Number(toBlock) - Number(fromBlock) + 1

test('a node that refuses long ranges is asked for shorter ones, down to its own', async () => {
  await using w = await world()
  const asked: number[] = []
  const node = await through(w, (call) => {
    if (call.method !== 'eth_getLogs') return undefined
    asked.push(blocksOf(call))
    return blocksOf(call) > 3 ? { error: RANGE_REFUSED } : undefined
  })
  const latest = await longChain(w)
  const from = latest - 19n
  const read = await readTransfersTo(
    node.chain,
    { addresses: [w.chain.treasury.address] },
    { from, to: latest },
  )
  expect(new Set(asked)).toEqual(new Set([20, 10, 5, 3]))
  expect(read.to).toBe(from + 2n)
  await node.stop()
})

test('a node that is behind shows no more than it has; one that is dead is not asked again and again', async () => {
  await using w = await world()
  const latest = await longChain(w)
  const behind = latest - 5n
  const node = await through(w, ({ method }) =>
    method === 'eth_blockNumber' ? { result: `0x${behind.toString(16)}` } : undefined,
  )
  const range = { from: latest - 9n, to: latest }
  const read = await readTransfersTo(node.chain, { addresses: [w.chain.treasury.address] }, range)
  expect([read.to, read.head]).toEqual([behind, behind])
  await expect(
    readTransfersTo(
      node.chain,
      { addresses: [w.chain.treasury.address] },
      { from: latest, to: latest },
    ),
  ).rejects.toMatchObject({ code: 'chain_unavailable' })
  await node.stop()
  const started = Date.now()
  await expect(
    readTransfersTo(
      node.chain,
      { addresses: [w.chain.treasury.address] },
      { from: 0n, to: latest },
    ),
  ).rejects.toMatchObject({ code: 'chain_unavailable' })
  expect(Date.now() - started).toBeLessThan(60_000)
})

test('of many addresses each is found, two hundred in a question; nothing is no transfer', async () => {
  await using w = await world()
  const payer = await freshAccount({ usdc: 1_000n })
  const addresses = Array.from(
    { length: 901 },
    () => `0x${'0'.repeat(8)}${randomHex(16).slice(2)}`,
  ).map((address) => w.chain.depositSigner(address).address)
  const latest = await longChain(w)
  const paid = [addresses[0]!, addresses[450]!, addresses[900]!]
  for (const to of paid) await w.transfer(payer, to, 7n)
  await w.transfer(payer, addresses[1]!, 0n)
  const counts: number[] = []
  const node = await through(w, (call) => {
    if (call.method === 'eth_getLogs') counts.push(call.params[0].topics[2].length)
    return undefined
  })
  const head = (await readHeads(w.chain)).latest
  const read = await readTransfersTo(node.chain, { addresses }, { from: latest, to: head })
  expect(read.transfers.map((transfer) => transfer.to).sort()).toEqual([...paid].sort())
  expect(counts.sort((a, b) => a - b)).toEqual([101, 200, 200, 200, 200])
  await node.stop()
})
