import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { createEgress } from './egress.ts'
import type { Resolver } from './guard/resolve.ts'

const loopback: Resolver = async () => [{ address: '127.0.0.1', family: 4 }]
const egress = createEgress({ allow: ['seller.test'], resolver: loopback })

/** A server of bare sockets. `answer` gets the n-th request on its connection, once that is whole. */
async function rawServer(answer: (socket: Socket, n: number) => unknown) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.setNoDelay().on('error', () => undefined))
    let [text, n] = ['', 0]
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
        if (end < 0 || text.length < end + 4 + length) return
        text = text.slice(end + 4 + length)
        answer(socket, n++)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://seller.test:${(server.address() as AddressInfo).port}/`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('')
const OK = `${lines('HTTP/1.1 200 OK', 'Content-Length: 5', '')}goods`
const CHUNKED = lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '')

/** Each form, whether the server closes after it, and what comes of it: the status and the body, or the kind of failure. */
const LEGAL: [
  name: string,
  text: string,
  closes: boolean,
  answer?: [body: string, status: number],
][] = [
  ['plain', OK, false],
  ['100', `HTTP/1.1 100 Continue\r\n\r\n${OK}`, false],
  ['100 without a reason', `HTTP/1.1 100 \r\n\r\n${OK}`, false],
  [
    '100 with headers',
    `${lines('HTTP/1.1 100 Continue', 'Connection: Keep-Alive', 'X-A: b', '')}${OK}`,
    false,
  ],
  ['102 thrice', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}${OK}`, false],
  [
    '103 with links',
    `${lines('HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload', '')}${OK}`,
    false,
  ],
  [
    '100, 102, 103 and one unknown',
    `${[100, 102, 103, 110].map((code) => `HTTP/1.1 ${code} x\r\n\r\n`).join('')}${OK}`,
    false,
  ],
  ['chunks', `${CHUNKED}2\r\ngo\r\n3\r\nods\r\n0\r\n\r\n`, false],
  ['chunk extensions', `${CHUNKED}2;a=b;c="d e"\r\ngo\r\n3;x\r\nods\r\n0;y=z\r\n\r\n`, false],
  ['trailers', `${CHUNKED}5\r\ngoods\r\n0\r\nX-Sum: 1\r\nPAYMENT-RESPONSE: x\r\n\r\n`, false],
  ['100 before chunks', `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}5\r\ngoods\r\n0\r\n\r\n`, false],
  [
    'no space in a header, and spaces around a value',
    `${lines('HTTP/1.1 200 OK', 'Content-Length:5', 'a: \t b \t', '')}goods`,
    false,
  ],
  ['no reason', `${lines('HTTP/1.1 200 ', 'Content-Length: 5', '')}goods`, false],
  ['until the end', `${lines('HTTP/1.1 200 OK', '')}goods`, true],
  ['HTTP/1.0 until the end', `${lines('HTTP/1.0 200 OK', '')}goods`, true],
  ['HTTP/1.0 with a length', `${lines('HTTP/1.0 200 OK', 'Content-Length: 5', '')}goods`, true],
  ['a close right after the whole answer', OK, true],
  ['a close right after the last chunk', `${CHUNKED}5\r\ngoods\r\n0\r\n\r\n`, true],
  ['204', lines('HTTP/1.1 204 No Content', ''), false, ['', 204]],
  ['304', lines('HTTP/1.1 304 Not Modified', 'Content-Length: 5', ''), false, ['', 304]],
]
const ILLEGAL: [name: string, text: string, closes: boolean, kind: string][] = [
  [
    'two lengths',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'Content-Length: 6', '')}goods`,
    false,
    'protocol',
  ],
  // A list of one number may be taken or refused (RFC 9112, 6.3): a peer that repeats itself is not trusted to end its body.
  [
    'one length twice',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'Content-Length: 5', '')}goods`,
    false,
    'protocol',
  ],
  [
    'a list of lengths',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 5, 5', '')}goods`,
    false,
    'protocol',
  ],
  // A sender may not end lines so (RFC 9112, 2.2), and two readers that disagree on it see two answers.
  ['LF alone', OK.replaceAll('\r', ''), false, 'protocol'],
  ['LF alone after the status', OK.replace('\r', ''), false, 'protocol'],
  ['LF alone at the end of the head', OK.replace('\r\n\r\n', '\r\n\n'), false, 'protocol'],
  // Within a body Node does not say why it left.
  ['LF alone after a chunk', `${CHUNKED}5\ngoods\n0\n\n`, false, 'reset'],
  [
    'a length and chunks',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 5', 'Transfer-Encoding: chunked', '')}5\r\ngoods\r\n0\r\n\r\n`,
    false,
    'protocol',
  ],
  [
    'a folded header',
    `${lines('HTTP/1.1 200 OK', 'a: b', ' c', 'Content-Length: 5', '')}goods`,
    false,
    'protocol',
  ],
  [
    'a length that is no number',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 5x', '')}goods`,
    false,
    'protocol',
  ],
  [
    'a name with a space',
    `${lines('HTTP/1.1 200 OK', 'Content-Length : 5', '')}goods`,
    false,
    'protocol',
  ],
  [
    'an upgrade that nobody asked for',
    lines('HTTP/1.1 101 Switching Protocols', 'Connection: upgrade', 'Upgrade: websocket', ''),
    false,
    'protocol',
  ],
  [
    'a body that is cut',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 50', '')}goods`,
    true,
    'reset',
  ],
  ['chunks that are cut', `${CHUNKED}5\r\ngoods\r\n`, true, 'reset'],
  ['an interim answer alone', 'HTTP/1.1 100 Continue\r\n\r\n', true, 'reset'],
  ['no end of interim answers', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000), false, 'protocol'],
]

const get = (url: string) => egress.fetch({ url, method: 'POST', body: 'x', timeoutMs: 5_000 })
const post = async (url: string) =>
  egress.kept.post(await egress.kept.resolve(url), {
    headers: {},
    body: Buffer.from('x'),
    timeoutMs: 5_000,
  })

test.each(LEGAL)(
  '%s is an answer, in one piece or byte by byte',
  async (_, text, closes, [body, status] = ['goods', 200]) => {
    for (const isSplit of [false, true]) {
      await using server = await rawServer(async (socket) => {
        if (isSplit)
          for (const byte of Buffer.from(text, 'latin1')) {
            socket.write(Uint8Array.of(byte))
            await turn()
          }
        else socket.write(text)
        if (closes) socket.end()
      })
      const paid = await get(server.url)
      expect([paid.status, paid.body.toString()], `split: ${isSplit}`).toEqual([status, body])
      expect(paid.headers).not.toHaveProperty('payment-response')
      // The second goes over the first one's connection where that stays open.
      for (const _again of [1, 2]) {
        const answer = await post(server.url)
        expect([answer.status, answer.start.toString()], `split: ${isSplit}`).toEqual([
          status,
          body,
        ])
      }
      if (!closes) expect(server.sockets).toHaveLength(2)
    }
  },
)

test.each(ILLEGAL)(
  '%s is a failure after the request has been sent',
  async (_, text, closes, kind) => {
    await using server = await rawServer((socket) => {
      socket.write(text)
      if (closes) socket.end()
    })
    await expect(get(server.url)).rejects.toMatchObject({ kind, sent: true })
  },
)

// The next request on the connection would take them for its own answer.
test('bytes after an answer end its connection and answer nothing', async () => {
  const forged = OK.replace('goods', 'forge')
  for (const isLate of [false, true]) {
    await using server = await rawServer(async (socket) => {
      socket.write(isLate ? OK : OK + forged)
      if (isLate) setTimeout(() => socket.write(forged), 30)
    })
    for (const _again of [1, 2, 3]) {
      expect((await post(server.url)).start.toString()).toBe('goods')
      await until(
        () => server.sockets.every(({ destroyed }) => destroyed),
        (seen) => expect(seen).toBe(true),
      )
    }
    expect(server.sockets).toHaveLength(3)
    expect((await get(server.url)).body.toString()).toBe('goods')
  }
})

test('a HEAD is answered without a body, whatever its length says', async () => {
  await using server = await rawServer((socket) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${OK.replace('goods', '')}`),
  )
  const answer = await egress.fetch({ url: server.url, method: 'HEAD', timeoutMs: 5_000 })
  expect([answer.status, answer.body.length]).toEqual([200, 0])
})
