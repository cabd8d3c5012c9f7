import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OPERATIONS } from '../src/operations/made.ts'
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

/** A service that answers each operation as openapi.json says, and remembers which it was asked for. */
export async function recorder() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://recorder')
    const operation = operationAt(request.method ?? '', pathname)
    seen.push(operation ?? `${request.method} ${pathname} (no operation)`)
    request.resume().on('end', () => {
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
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
