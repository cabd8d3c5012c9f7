import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** An import of `node:http` loads Node's web client too: 40 ms of CPU. */
const http = process.getBuiltinModule('node:http')
const net = process.getBuiltinModule('node:net')

/** The chain's public port. It stays open while anvil restarts behind it. */
export type Gate = {
  /** Forwards requests to this port from now on, those that waited first. */
  open(target: number): void
  /** Lets new requests wait. False if those under way are not all answered in time. */
  close(withinMs: number): Promise<boolean>
}

/** Listens on the loopback interface, closed at first. Throws if the port is taken. */
export async function listenGate(port: number): Promise<Gate> {
  const agent = new http.Agent({ keepAlive: true })
  const waiting: (() => void)[] = []
  const underWay = new Set<ClientRequest>()
  let target: number | undefined
  let onIdle = () => {}

  const whenOpen = (go: (target: number) => void) => {
    if (target === undefined) waiting.push(() => target !== undefined && go(target))
    else go(target)
  }
  const forward = (to: number, request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request
    const asked = http.request({ host: '127.0.0.1', port: to, path: url, method, headers, agent })
    underWay.add(asked)
    asked.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    asked.on('close', () => {
      underWay.delete(asked)
      if (underWay.size === 0) onIdle()
    })
    request.pipe(asked)
  }

  const server = http.createServer({ requestTimeout: 0, headersTimeout: 0 })
  // A client's idle connection is closed by the client alone, as anvil does it.
  server.keepAliveTimeout = 0
  server.on('request', (request, response) => whenOpen((to) => forward(to, request, response)))
  server.on('upgrade', (request, socket, head) =>
    whenOpen((to) => tunnel(to, request, { socket: socket as Socket, head })),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    open(to) {
      target = to
      for (const go of waiting.splice(0)) go()
    },
    async close(withinMs) {
      target = undefined
      if (underWay.size === 0) return true
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs)
        onIdle = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
  }
}

/** Connects a WebSocket. A restart of anvil cuts it: its subscriptions are forgotten there. */
function tunnel(
  port: number,
  request: IncomingMessage,
  { socket, head }: { socket: Socket; head: Buffer },
): void {
  const far = net.connect(port, '127.0.0.1')
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`)
  far.write(`${lines.join('\r\n')}\r\n\r\n`)
  far.write(head)
  far.pipe(socket).pipe(far)
  far.on('error', () => socket.destroy())
  socket.on('error', () => far.destroy())
}
