import { type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../../base/kernel/problem.ts'
import { problemBody } from './router.ts'

/**
 * Headers of every answer. An answer may override its policy or caching. They are constants because Helmet computes all
 * of them again for each answer.
 */
export const HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'cache-control': 'no-store',
}

/** Answers what Node would answer or drop by itself before the framework sees it, in the form of every refusal. */
export function answerBelow(server: Server, newRequestId: () => string): void {
  server.on('checkExpectation', (_, response) => {
    const { status, headers, text } = written(
      new Problem('expectation_failed', 'The only Expect here is 100-continue. Leave it out.'),
      newRequestId(),
    )
    response.writeHead(status, headers).end(text)
  })
  server.on('connect', (_, socket) => {
    const problem = new Problem('method_not_allowed', 'CONNECT is not possible here.')
    answerOn(socket, problem, newRequestId())
  })
}

/** Answers a request that cannot be read as HTTP, and closes its connection. */
export function answerUnread(error: NodeJS.ErrnoException, socket: Duplex, id: string): void {
  // Bytes in the middle of another answer would be taken for a part of it.
  const isAnswering = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage
    ?.headersSent
  if (error.code === 'ECONNRESET' || isAnswering) socket.destroy()
  else answerOn(socket, unreadProblem(error), id)
}

function unreadProblem(error: NodeJS.ErrnoException): Problem {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new Problem('headers_too_large', 'The headers are larger than 64 KiB.')
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('body_too_large', 'The extensions of the chunks are too large.')
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request did not arrive in time. Send it again.')
  return new Problem('invalid_request', 'The request is not proper HTTP.')
}

function answerOn(socket: Duplex, problem: Problem, id: string): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, text } = written(problem, id)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'), () =>
    socket.destroy(),
  )
}

function written(problem: Problem, id: string) {
  const text = JSON.stringify(problemBody(problem, id))
  const headers = {
    ...HEADERS,
    ...problem.headers,
    'x-request-id': id,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  return { status: problem.status, headers, text }
}
