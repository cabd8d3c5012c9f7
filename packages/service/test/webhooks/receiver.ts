import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A request that a receiver has got whole. */
export type Received = {
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
  event: {
    id: string
    type: string
    seq: number
    created: number
    api_version: string
    data: Record<string, any>
  }
  at: number
}
/** A status, or what the receiver does itself. `drop` closes the connection without an answer. */
export type Manner = (
  got: Received,
  response: ServerResponse,
) => number | 'drop' | 'self' | Promise<number | 'drop' | 'self'>

/** Somebody's server for events, on a port of its own, with the manners it is given. */
export async function receiver(manner: Manner = () => 200) {
  const got: Received[] = []
  const taken: Received[] = []
  const sockets = new Set<Socket>()
  const state = { manner }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const one: Received = {
      ...{ path: request.url ?? '', headers: request.headers, body, at: Date.now() },
      event: JSON.parse(body.toString()),
    }
    got.push(one)
    const does = await state.manner(one, response)
    if (does === 'self') return
    if (does === 'drop') return void request.socket.destroy()
    if (does >= 200 && does < 300) taken.push(one)
    response.writeHead(does).end()
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((done) => server.close(() => done()))
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    /** Every request, and those that were answered with 2xx. */
    ...{ got, taken, state },
    types: () => taken.map(({ event }) => event.type),
    /** Nobody listens on its port until `up`. */
    down: close,
    up: () => listen(port),
    [Symbol.asyncDispose]: close,
  }
}
export type Receiver = Awaited<ReturnType<typeof receiver>>
