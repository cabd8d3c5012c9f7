import { createServer, type IncomingHttpHeaders, request as openHttp } from 'node:http'
import { request as openHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pause } from '../../packages/service/test/until.ts'

export type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }
export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** A call with a payment that passes a wire. */
export type Passing = {
  /** Carries it to the other side, as often as it is asked to. */
  forward(): Promise<Answer>
  /** Carries the same call without its payment. */
  forwardUnpaid(): Promise<Answer>
  give(answer: Answer): void
  /** Gives the head and half of the body, and ends the connection. */
  giveHalf(answer: Answer): void
  cut(): void
  /** The caller has ended the connection, or has waited for longer than it is made to. */
  gaveUp: Promise<unknown>
  /** A later call with a payment was answered. */
  overtaken: Promise<unknown>
}
/** The fate of the first call with a payment. Later ones pass as they are. */
export type Fault = (passing: Passing) => Promise<void>

/** A caller that waits for longer is made to give up, as a proxy with a limit would. */
export const GIVE_UP_MS = 3_000

/**
 * A connection to a server over HTTP on which the first call with a payment meets a fault. The caller finds the server at
 * `url`, and the server reads the address that the caller has asked.
 */
export async function openWire(
  target: string,
  { isPaid, fault }: { isPaid: (asked: Asked) => boolean; fault: Fault },
) {
  const overtaken = Promise.withResolvers<void>()
  /** The answers of the server to calls with a payment, oldest first. */
  const answers: Answer[] = []
  const running: Promise<unknown>[] = []
  let paid = 0

  const server = createServer(async (request, response) => {
    response.on('error', () => undefined)
    const asked: Asked = {
      ...{ method: request.method ?? 'GET', path: request.url ?? '/', headers: request.headers },
      body: await collect(request),
    }
    const give = ({ status, headers, body }: Answer) => {
      response.writeHead(status, headers).end(body)
    }
    const cut = () => void response.destroy()
    if (!isPaid(asked)) return carry(target, asked).then(give, cut)
    const isFirst = paid++ === 0
    const passing: Passing = {
      async forward() {
        const answer = await carry(target, asked)
        answers.push(answer)
        return answer
      },
      forwardUnpaid: () => carry(target, { ...asked, headers: withoutPayment(asked.headers) }),
      give,
      giveHalf({ status, headers, body }) {
        response.writeHead(status, { ...headers, 'content-length': body.length })
        response.write(body.subarray(0, body.length >> 1), () => response.destroy())
      },
      cut,
      gaveUp: Promise.race([closed(response), pause(GIVE_UP_MS)]),
      overtaken: overtaken.promise,
    }
    const work = isFirst
      ? fault(passing)
      : passing.forward().then((answer) => {
          give(answer)
          overtaken.resolve()
        })
    // The other side was killed: its caller learns that by the end of the connection.
    running.push(work.catch(cut))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    /** Waits until everything that is under way has arrived. */
    async settled(): Promise<void> {
      overtaken.resolve()
      await Promise.all(running)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Wire = Awaited<ReturnType<typeof openWire>>

const PAYMENT_HEADERS = ['payment-signature', 'x-payment']

/** Whether a call to a seller carries a payment, by x402 or by MPP. */
export const carriesPayment = ({ headers }: Pick<Asked, 'headers'>): boolean =>
  PAYMENT_HEADERS.some((name) => name in headers) || isCredential(headers)

const isCredential = ({ authorization = '' }: IncomingHttpHeaders): boolean =>
  authorization.startsWith('Payment ')

function withoutPayment(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const left = { ...headers }
  for (const name of PAYMENT_HEADERS) delete left[name]
  if (isCredential(left)) delete left.authorization
  return left
}

async function collect(from: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of from) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Whether a server without TLS is on this machine. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+)$/.test(hostname)

/** The global `fetch` would not send the address that the caller has asked. */
function carry(target: string, { method, path, headers, body }: Asked): Promise<Answer> {
  const { 'transfer-encoding': _, connection: __, ...rest } = headers
  const to = new URL(path, target)
  const open = to.protocol === 'https:' ? openHttps : openHttp
  // A server that is found by its name would not know ours.
  const host = isLoopback(to) ? rest.host : to.host
  return new Promise((resolve, reject) => {
    const sent = open(to, {
      method,
      headers: { ...rest, host, connection: 'close', 'content-length': body.length },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      collect(response).then((read) => {
        const { 'transfer-encoding': _, connection: __, ...head } = response.headers
        const status = response.statusCode ?? 0
        resolve({
          ...{ status, body: read },
          headers: status === 204 ? head : { ...head, 'content-length': String(read.length) },
        })
      }, reject)
    })
    sent.end(body)
  })
}

const closed = (response: { once(event: 'close', heard: () => void): unknown }) =>
  new Promise<void>((resolve) => response.once('close', () => resolve()))
