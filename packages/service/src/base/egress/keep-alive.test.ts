import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { expect, test } from 'vitest'
import { nameServer, silent } from '../../../test/faults/name-server.ts'
import { pause, until } from '../../../test/until.ts'
import { createEgress, type Egress } from './egress.ts'
import { createResolver, type Resolver } from './guard/resolve.ts'

const loopback: Resolver = async () => [{ address: '127.0.0.1', family: 4 }]
const { kept } = createEgress({ allow: ['seller.test', '127.0.0.1'], resolver: loopback })
const BODY = Buffer.from('{}')
const postBy = async ({ kept }: Pick<Egress, 'kept'>, url: string, more = {}) =>
  kept.post(await kept.resolve(url), { headers: { a: 'b' }, body: BODY, ...more })
const post = (url: string, more = {}) => postBy({ kept }, url, more)

async function listening(server: Server) {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.push(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://seller.test:${port}/hook`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
const web = (handler: RequestListener) =>
  listening(createServer({ maxHeaderSize: 128 * 1024 }, handler))
const tcp = (handler: (socket: Socket) => void) => listening(createTcpServer(handler))
const time = async (work: Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work.catch(() => undefined)
  return performance.now() - start
}

test('many requests share a connection, and each arrives whole', async () => {
  const seen: string[] = []
  await using server = await web(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push(`${request.method} ${request.url} ${request.headers.host} ${body}`)
    response.writeHead(202, { 'Retry-After': '7' }).end('x'.repeat(3_000))
  })
  for (let i = 0; i < 20; i++) {
    const answer = await post(`${server.url}?n=${i}`, { body: Buffer.from(String(i)) })
    expect(answer).toMatchObject({ status: 202, headers: { 'retry-after': '7' } })
    expect(answer.start.toString()).toBe('x'.repeat(1024))
  }
  expect(server.sockets.length).toBeLessThan(4)
  expect(seen[19]).toBe(`POST /hook?n=19 seller.test:${server.port} 19`)
})

test('a redirect is an answer and is not followed', async () => {
  const seen: unknown[] = []
  await using server = await web((request, response) => {
    seen.push(request.url)
    response.writeHead(307, { location: 'http://127.0.0.1:1/away' }).end()
  })
  expect((await post(server.url)).status).toBe(307)
  expect(seen).toEqual(['/hook'])
})

test('a URL that may not be reached is refused at every request', async () => {
  for (const url of [
    'http://169.254.169.254/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433:1/',
  ])
    await expect(createEgress({ allow: [] }).kept.resolve(url), url).rejects.toMatchObject({
      kind: 'blocked',
      sent: false,
    })
  const privately = createEgress({ allow: [], resolver: async () => loopback('') })
  await expect(postBy(privately, 'https://evil.example/')).rejects.toMatchObject({
    name: 'EgressError',
    kind: 'blocked',
    sent: false,
  })
})

test('a name that rebinds is connected to where it was checked', async () => {
  await using server = await web((_, response) => response.end('ok'))
  const answers = ['127.0.0.1', '169.254.169.254']
  const { kept } = createEgress({
    allow: ['127.0.0.1'],
    resolver: async () => [{ address: answers.shift() ?? '', family: 4 }],
  })
  const url = `https://rebind.example:8443/`
  expect(await kept.resolve(url)).toMatchObject({ host: 'rebind.example', address: '127.0.0.1' })
  expect(await kept.resolve(url)).toMatchObject({ address: '127.0.0.1' })
  // Nobody listens there: the address is given up, the name is asked for again, and its new address is refused.
  const send = () => postBy({ kept }, url)
  await expect(send()).rejects.toMatchObject({ kind: 'connect', sent: false })
  await expect(send()).rejects.toMatchObject({ kind: 'blocked', sent: false })
  expect(server.sockets).toHaveLength(0)
})

test('a name with a dead address is sent to its next address', async () => {
  await using server = await web((_, response) => response.end('ok'))
  const { kept } = createEgress({
    allow: ['two.test'],
    resolver: async () => ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 })),
  })
  const send = () => postBy({ kept }, `http://two.test:${server.port}/`)
  await expect(send()).rejects.toMatchObject({ kind: 'connect' })
  expect((await send()).status).toBe(200)
})

test('name servers that never answer end the request after two seconds', async () => {
  await using names = await nameServer(() => silent)
  const { kept } = createEgress({
    allow: [],
    resolver: createResolver({ servers: names.servers }),
  })
  const send = postBy({ kept }, 'https://hang.test/')
  await expect(send).rejects.toMatchObject({ kind: 'connect', sent: false })
})

test('a 200 after the time limit is a timeout, also byte by byte', async () => {
  await using late = await web((_, response) => void setTimeout(() => response.end('ok'), 3_000))
  await using slow = await tcp((socket) => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
    let sent = 0
    const timer = setInterval(() => socket.write(text[sent++] ?? ' '), 100)
    socket.on('close', () => clearInterval(timer))
  })
  for (const { url } of [late, slow])
    await expect(post(url, { timeoutMs: 1_200 })).rejects.toMatchObject({
      kind: 'timeout',
      sent: true,
    })
})

test('an endless body and a silent one end soon, and the answer counts', async () => {
  await using endless = await web((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(1000))) if (response.destroyed) return
    }
    response.on('drain', more)
    more()
  })
  await using silentBody = await web((_, response) => void response.writeHead(200).write('a'))

  const answer = await post(endless.url)
  expect([answer.status, answer.start.length]).toEqual([200, 1024])
  await until(
    () => endless.sockets[0]?.destroyed,
    (seen) => expect(seen).toBe(true),
  )
  expect(await time(post(silentBody.url))).toBeLessThan(9_000)
  await until(
    () => silentBody.sockets[0]?.destroyed,
    (seen) => expect(seen).toBe(true),
  )
})

test('headers of a megabyte are refused, however they come', async () => {
  await using one = await tcp((socket) =>
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(1 << 20)}`)),
  )
  await using many = await tcp((socket) =>
    socket.once('data', () =>
      socket.write(`HTTP/1.1 200 OK\r\n${'a: xxxxxxxx\r\n'.repeat(90_000)}\r\n`),
    ),
  )
  for (const { url } of [one, many])
    await expect(post(url)).rejects.toMatchObject({ kind: 'too_large', sent: true })
})

test('a connection that is refused sent nothing; one that is lost may have', async () => {
  const gone = await tcp(() => undefined)
  await gone[Symbol.asyncDispose]()
  await using lost = await tcp((socket) => socket.once('data', () => socket.destroy()))
  await expect(post(gone.url)).rejects.toMatchObject({ kind: 'connect', sent: false })
  await expect(post(lost.url)).rejects.toMatchObject({ kind: 'reset', sent: true })
})

test('a socket that its server has closed while it was idle is not used again', async () => {
  await using server = await web((_, response) => response.end('ok'))
  await post(server.url)
  server.sockets[0]?.destroy()
  await until(
    () => server.sockets[0]?.destroyed,
    (seen) => expect(seen).toBe(true),
  )
  await pause(50)
  expect((await post(server.url)).status).toBe(200)
  expect(server.sockets).toHaveLength(2)
})

test('localhost leads to a receiver that listens on ::1 alone, and so does [::1] where it is allowed', async () => {
  const server = createServer((_, response) => response.end('ok')).listen(0, '::1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = createEgress({ allow: ['127.0.0.1', '::1', 'localhost'] })
  for (const host of ['localhost', '[::1]']) {
    const url = `http://${host}:${port}/`
    expect((await postBy(egress, url)).status, host).toBe(200)
    expect((await egress.fetch({ url, method: 'GET' })).body.toString(), host).toBe('ok')
  }
  for (const host of ['[::1]', '[::ffff:7f00:1]', 'localhost'])
    expect(() => createEgress({ allow: [] }).check(`http://${host}:${port}/`), host).toThrow()
  expect(egress.check(`http://[::ffff:7f00:1]:${port}/`).port).toBe(String(port))
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})
