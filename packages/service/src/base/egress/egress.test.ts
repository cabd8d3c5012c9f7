import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pause } from '../../../test/until.ts'
import { createEgress } from './egress.ts'
import type { Resolver } from './guard/resolve.ts'

const loopback: Resolver = async () => [{ address: '127.0.0.1', family: 4 }]
const egress = createEgress({ allow: ['seller.test', '127.0.0.1'], resolver: loopback })

async function listening(server: Server) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://seller.test:${port}/`,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
const web = (handler: RequestListener) =>
  listening(createServer({ maxHeaderSize: 128 * 1024 }, handler))
const tcp = (handler: (socket: Socket) => void) =>
  listening(
    createTcpServer((socket) => {
      socket.on('error', () => {})
      handler(socket)
    }),
  )
const get = (url: string, more = {}) => egress.fetch({ url, method: 'GET', ...more })

test('a request arrives whole and its answer comes back', async () => {
  await using server = await web(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(201, { 'X-Seen': 'yes', 'set-cookie': ['a=1', 'b=2'] })
    response.end(
      `${request.method} ${request.url} ${request.headers.host} ${request.headers.a} ${body}`,
    )
  })

  const answer = await egress.fetch({
    url: `${server.url}path?q=1#f`,
    method: 'post',
    headers: { A: 'b', Host: 'evil.test', 'Content-Length': '1', Connection: 'upgrade' },
    body: 'hello',
  })

  expect(answer.status).toBe(201)
  expect(answer.body.toString()).toBe(`POST /path?q=1 seller.test:${server.port} b hello`)
  expect(answer.headers).toMatchObject({ 'x-seen': 'yes', 'set-cookie': 'a=1, b=2' })
  expect(answer).toMatchObject({ truncated: false, url: `${server.url}path?q=1` })
})

test('lines of WWW-Authenticate stay apart, in text of UTF-8', async () => {
  await using server = await tcp((socket) => {
    socket.once('data', () => {
      const lines = ['WWW-Authenticate: Negotiate/x "', 'www-authenticate: Payment id="ü"']
      socket.end(`HTTP/1.1 402 x\r\n${lines.join('\r\n')}\r\ncontent-length: 0\r\n\r\n`)
    })
  })
  const answer = await get(server.url)
  expect(answer.authenticate).toEqual(['Negotiate/x "', 'Payment id="ü"'])
})

test.each<[encoding: string, encode: (text: string) => Uint8Array]>([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['gzip, identity', gzipSync],
  ['deflate ,gzip', (text) => gzipSync(deflateRawSync(text))],
  ['gzip', (text) => Buffer.concat([gzipSync(text.slice(0, 6)), gzipSync(text.slice(6))])],
])('%s is decoded', async (encoding, encode) => {
  await using server = await web((request, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    response.end(request.method === 'HEAD' ? '' : encode('hello '.repeat(1000)))
  })

  const answer = await get(server.url)
  const head = await egress.fetch({ url: server.url, method: 'HEAD' })

  expect(answer.body.toString()).toBe('hello '.repeat(1000))
  expect(answer.headers).not.toHaveProperty('content-encoding')
  expect(head.body.length).toBe(0)
})

// It may have been paid for.
test('a body in a broken or unknown encoding comes as it is, with its encoding', async () => {
  const bodies = [Buffer.from('no code'), Buffer.concat([gzipSync('goods'), Buffer.from('more')])]
  await using server = await web((request, response) => {
    const [at, encoding] = decodeURI(request.url ?? '')
      .slice(1)
      .split('/')
    response.writeHead(200, { 'content-encoding': encoding, 'payment-response': 'x' })
    response.end(bodies[Number(at)])
  })
  for (const encoding of [
    'gzip',
    'deflate',
    'br',
    'zstd',
    'gzip, gzip',
    'constructor',
    '__proto__',
  ])
    for (const [at, body] of bodies.entries())
      expect(await get(server.url + encodeURI(`${at}/${encoding}`)), encoding).toMatchObject({
        status: 200,
        headers: { 'payment-response': 'x', 'content-encoding': encoding },
        body,
        truncated: false,
      })
})

test('a body that is decoded further than its encoding says is not a bomb', async () => {
  const empty = gzipSync('')
  const inner = gzipSync(Buffer.concat(Array.from({ length: 200_000 }, () => empty)))
  await using server = await web((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(inner)
  })
  const answer = await get(server.url, { maxBytes: 100_000 })
  expect([answer.body.length, answer.truncated]).toEqual([0, true])
})

test('a name that resolves to a private address is blocked before anything is sent', async () => {
  await using server = await web((_, response) => response.end('secret'))
  const open = createEgress({
    allow: ['elsewhere.test'],
    resolver: async () => [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })

  await expect(open.fetch({ url: 'https://evil.example/', method: 'GET' })).rejects.toMatchObject({
    name: 'EgressError',
    kind: 'blocked',
    sent: false,
  })
  await expect(
    open.fetch({ url: `http://127.0.0.1:${server.port}/`, method: 'GET' }),
  ).rejects.toMatchObject({ kind: 'blocked', sent: false })
  await expect(
    createEgress({ allow: [] }).fetch({ url: 'https://localtest.invalid/', method: 'GET' }),
  ).rejects.toMatchObject({ kind: 'connect', sent: false })
  expect(server.connections()).toBe(0)
})

// Only the first answer is allowed: code that resolves twice would connect to an address that it did not check.
test('a name that rebinds is resolved once for its check and its connection', async () => {
  await using server = await web((_, response) => response.end('hello'))
  const asked: string[] = []
  const rebinding: Resolver = async (host) => {
    asked.push(host)
    return [{ address: asked.length === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }]
  }

  const listed = createEgress({ allow: ['seller.test'], resolver: rebinding })
  expect((await listed.fetch({ url: server.url, method: 'GET' })).body.toString()).toBe('hello')
  expect(asked).toEqual(['seller.test'])

  asked.length = 0
  const ranged = createEgress({ allow: ['127.0.0.1'], resolver: rebinding })
  const rebound = { url: 'https://rebind.example:8443/', method: 'GET', timeoutMs: 500 }
  await expect(ranged.fetch(rebound)).rejects.toMatchObject({ kind: 'connect', sent: false })
  expect(asked).toEqual(['rebind.example'])
  await expect(ranged.fetch(rebound)).rejects.toMatchObject({ kind: 'blocked', sent: false })
})

test('redirects are followed on one origin only, as often as asked', async () => {
  await using other = await web((_, response) => response.end('other'))
  await using server = await web((request, response) => {
    const targets: Record<string, string> = {
      '/a': '/b',
      '/b': '/c',
      '/away': other.url,
      '/private': 'http://169.254.169.254/',
      '/loop': '/loop',
    }
    const location = targets[request.url ?? '']
    if (location) response.writeHead(302, { location })
    response.end(request.url)
  })
  const at = async (path: string, more = {}) => {
    const { status, url } = await get(server.url + path, more)
    return [status, new URL(url).pathname]
  }

  expect(await at('a')).toEqual([302, '/a'])
  expect(await at('a', { maxRedirects: 1 })).toEqual([302, '/b'])
  expect(await at('a', { maxRedirects: 3 })).toEqual([200, '/c'])
  expect(await at('loop', { maxRedirects: 3 })).toEqual([302, '/loop'])
  expect(await at('away', { maxRedirects: 3 })).toEqual([302, '/away'])
  expect(await at('private', { maxRedirects: 3 })).toEqual([302, '/private'])
  expect(await at('a', { maxRedirects: 3, method: 'POST' })).toEqual([302, '/a'])
  for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'Payment-Authorization', 'Authorization'])
    expect(await at('a', { maxRedirects: 3, headers: { [name]: 'x' } }), name).toEqual([302, '/a'])
  expect(other.connections()).toBe(0)
})

test('slow headers and a slow body end at the time limit', async () => {
  await using silent = await web(() => {})
  await using slow = await web(async (_, response) => {
    response.writeHead(200, { 'payment-response': 'x' })
    response.write('a')
    await pause(5_000)
  })

  await expect(get(silent.url, { timeoutMs: 1_000 })).rejects.toMatchObject({
    kind: 'timeout',
    sent: true,
    head: undefined,
  })
  await expect(get(slow.url, { timeoutMs: 1_000 })).rejects.toMatchObject({
    kind: 'timeout',
    sent: true,
    head: { status: 200, headers: { 'payment-response': 'x' } },
  })
})

test('an endless body is cut at the limit and the connection dropped', async () => {
  let closed: Promise<unknown> | undefined
  await using server = await web((_, response) => {
    closed = once(response, 'close')
    const more = () => {
      while (response.write('x'.repeat(1000))) if (response.destroyed) return
    }
    response.on('drain', more)
    more()
  })

  const answer = await get(server.url, { maxBytes: 10_500 })

  expect(answer.truncated).toBe(true)
  expect(answer.body.toString()).toBe('x'.repeat(10_500))
  await closed
})

test('a body of exactly the limit is not cut', async () => {
  await using server = await web((_, response) => response.end('x'.repeat(1000)))
  expect(await get(server.url, { maxBytes: 1000 })).toMatchObject({ truncated: false })
  expect(await get(server.url, { maxBytes: 999 })).toMatchObject({ truncated: true })
})

test('a gzip bomb is unpacked no further than the limit', async () => {
  await using server = await web((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const gzip = createGzip()
    gzip.pipe(response)
    gzip.end(Buffer.alloc(64 * 1024 * 1024))
  })

  const answer = await get(server.url, { maxBytes: 100_000 })

  expect(answer.truncated).toBe(true)
  expect(answer.body.length).toBe(100_000)
})

test('huge headers are refused', async () => {
  await using server = await web((_, response) => {
    response.writeHead(200, { a: 'x'.repeat(40 * 1024) }).end()
  })
  await expect(get(server.url)).rejects.toMatchObject({ kind: 'too_large', sent: true })
})

test('a refused connection and a failed handshake sent nothing', async () => {
  const gone = await tcp(() => {})
  await gone[Symbol.asyncDispose]()
  await using hangUp = await tcp((socket) => socket.destroy())
  await using plain = await tcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))

  for (const url of [
    gone.url,
    `https://seller.test:${hangUp.port}/`,
    `https://seller.test:${plain.port}/`,
  ])
    await expect(get(url), url).rejects.toMatchObject({ kind: 'connect', sent: false })
})

test('a handshake that never ends sent nothing', async () => {
  let hello = Buffer.alloc(0)
  await using server = await tcp((socket) => {
    socket.on('data', (bytes) => {
      hello = Buffer.concat([hello, bytes])
    })
  })

  await expect(
    get(`https://seller.test:${server.port}/`, { timeoutMs: 1_000 }),
  ).rejects.toMatchObject({ kind: 'timeout', sent: false })
  // TLS asks for the certificate by name, although the address was resolved earlier.
  expect(hello.includes('seller.test')).toBe(true)
})

test('a connection lost after the request may have arrived says so', async () => {
  await using atOnce = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
  await using midway = await tcp((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial')
      setTimeout(() => socket.destroy(), 20)
    }),
  )

  await expect(get(atOnce.url)).rejects.toMatchObject({ kind: 'reset', sent: true })
  await expect(get(midway.url)).rejects.toMatchObject({
    sent: true,
    head: { status: 200 },
  })
})

test('an answer that is not HTTP is a protocol failure', async () => {
  await using server = await tcp((socket) => socket.once('data', () => socket.end('+PONG\r\n')))
  await expect(get(server.url)).rejects.toMatchObject({ kind: 'protocol', sent: true })
})

test('a malformed method or header is refused before anything is resolved', async () => {
  await expect(
    egress.fetch({ url: 'https://example.com/', method: 'CONNECT' }),
  ).rejects.toMatchObject({ code: 'invalid_field', param: 'method' })
  await expect(get('https://example.com/', { headers: { a: 'b\r\nc: d' } })).rejects.toMatchObject({
    code: 'invalid_field',
    param: 'headers',
  })
})
