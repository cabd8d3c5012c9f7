import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { OPERATIONS } from '../src/operations/document.ts'
import { answerOf } from './sample.ts'

const TEMPLATES = Object.keys(OPERATIONS).map((operation) => {
  const [method = '', path = ''] = operation.split(' ')
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
  return { operation, method, pattern, isPlain: !path.includes('{') }
})

export const operationAt = (method: string, path: string): string | undefined =>
  TEMPLATES.filter((one) => one.method === method && one.pattern.test(path)).toSorted(
    (a, b) => Number(b.isPlain) - Number(a.isPlain),
  )[0]?.operation

/** The names that a request has for what it sends. */
async function namesIn(request: IncomingMessage, query: URLSearchParams): Promise<string[]> {
  const body = await text(request)
  return [
    ...new Set([...query.keys(), ...Object.keys(body === '' ? {} : (JSON.parse(body) ?? {}))]),
  ]
}

/**
 * A service that answers each operation as openapi.json says, and remembers which it was asked for. With `refuses` it finds
 * fault with all that a request sends.
 */
export async function recorder({ refuses = false } = {}) {
  const seen: string[] = []
  const faulted: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://recorder')
    const operation = operationAt(request.method ?? '', pathname)
    seen.push(operation ?? `${request.method} ${pathname} (no operation)`)
    const names = await namesIn(request, searchParams)
    if (refuses && names.length > 0) {
      faulted.push(...names)
      const error = names.map((name) => `${name} must be another.`).join(' ')
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error, code: 'invalid_field', param: names[0] }))
      return
    }
    if (operation === 'GET /api/events/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      // The reader follows until it is interrupted.
      setImmediate(() => process.emit('SIGINT'))
      return
    }
    const answer = operation === undefined ? {} : answerOf(operation)
    const type = answer === undefined ? 'text/plain' : 'application/json'
    response.writeHead(200, { 'content-type': type })
    response.end(answer === undefined ? 'some text' : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    faulted,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
