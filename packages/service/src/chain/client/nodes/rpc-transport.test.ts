import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, HttpRequestError, TimeoutError } from 'viem'
import { expect, test } from 'vitest'
import { rpcTransport } from './rpc-transport.ts'

type Question = { id: number; method: string }
type Reply = { status?: number; text: string } | 'silence'

/** A node with configured answers that records its requests. */
async function node(answer: (asked: Question | Question[], request: IncomingMessage) => Reply) {
  const bodies: (Question | Question[])[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text)
    bodies.push(asked)
    const reply = answer(asked, request)
    if (reply !== 'silence') response.writeHead(reply.status ?? 200).end(reply.text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (at = url, timeoutMs = 4_000) =>
    createPublicClient({ transport: rpcTransport(at, { timeoutMs, retryCount: 0 }) })
  return {
    url,
    bodies,
    open,
    rpc: open(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const resultOf = ({ id, method }: Question) => ({
  id,
  result: method === 'eth_chainId' ? '0x7' : '0x9',
})
const good = (asked: Question | Question[]): Reply => ({
  // Reversed: nodes may answer in any order.
  text: JSON.stringify(Array.isArray(asked) ? asked.map(resultOf).reverse() : resultOf(asked)),
})

test('what is asked in one turn travels in one request, and each gets its own answer', async () => {
  await using n = await node(good)
  const asked = [n.rpc.getChainId(), n.rpc.getBlockNumber({ cacheTime: 0 }), n.rpc.getGasPrice()]
  expect(await Promise.all<unknown>(asked)).toEqual([7, 9n, 9n])
  expect(await n.rpc.getChainId()).toBe(7)
  expect(n.bodies).toMatchObject([{ length: 3 }, { method: 'eth_chainId' }])
})

test('a refusal is that of its own call, in the words of the node', async () => {
  await using n = await node((asked) => ({
    text: JSON.stringify(
      [asked]
        .flat()
        .map((one) =>
          one.method === 'eth_gasPrice'
            ? { id: one.id, error: { code: -32_000, message: 'nonce too low' } }
            : resultOf(one),
        ),
    ),
  }))
  const [id, price] = await Promise.allSettled([n.rpc.getChainId(), n.rpc.getGasPrice()])
  expect(id).toMatchObject({ value: 7 })
  expect(price).toMatchObject({ reason: { details: 'nonce too low' } })
})

test.each<[string, Reply]>([
  ['an error page', { status: 502, text: '<html>bad gateway</html>' }],
  ['a refusal to all', { status: 429, text: 'slow down' }],
  ['no JSON', { text: 'hello' }],
  ['nothing', { text: '' }],
  ['null', { text: 'null' }],
  ['too few answers', { text: '[{"id":0,"result":"0x1"}]' }],
])('%s is an error of the request for all who asked', async (_, reply) => {
  await using n = await node(() => reply)
  const outcomes = await Promise.allSettled([n.rpc.getChainId(), n.rpc.getGasPrice()])
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: expect.any(HttpRequestError) })
})

test('a node that says no with a status is quoted as one that says it without', async () => {
  const error = { code: -32_602, message: 'unknown block' }
  await using n = await node(() => ({ status: 400, text: JSON.stringify({ id: 0, error }) }))
  await expect(n.rpc.getChainId()).rejects.toMatchObject({ details: 'unknown block' })
})

test('a silent node is given up, and one that is not there is an error of the request', async () => {
  await using n = await node(() => 'silence')
  await expect(n.open(n.url, 200).getChainId()).rejects.toBeInstanceOf(TimeoutError)
  await expect(n.open('http://127.0.0.1:1').getChainId()).rejects.toBeInstanceOf(HttpRequestError)
})

test('name and password in the URL go into a header', async () => {
  const seen: (string | undefined)[] = []
  await using n = await node((asked, { headers }) => {
    seen.push(headers.authorization)
    return good(asked)
  })
  const url = n.url.replace('//', '//me:a%20b@')
  expect(await n.open(url).getChainId()).toBe(7)
  expect(seen).toEqual([`Basic ${Buffer.from('me:a b').toString('base64')}`])
})
