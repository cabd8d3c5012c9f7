import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Bytes } from './bytes.ts'
import type { Visitor } from './gate.ts'

/** A request of a Node server at the gate. */
export function visitorIn(
  message: IncomingMessage,
  of: { url: string; response: ServerResponse; read: Visitor['read'] },
): Visitor {
  const method = message.method ?? 'GET'
  return {
    ...{ method, url: of.url, read: of.read },
    headers: { get: (name) => textOf(message.headers[name]) },
    request(body) {
      const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD'
      const signal = hangUp(of.response)
      const headers = headersOf(message)
      return new Request(of.url, { method, headers, signal, ...(hasBody && { body }) })
    },
  }
}

const textOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : [value].flat().join(', ')

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i], rawHeaders[i + 1]]
    if (name !== undefined && value !== undefined && !name.startsWith(':'))
      headers.append(name, value)
  }
  return headers
}

/** Ends when the client hangs up before it has its answer. */
function hangUp(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  if (response.destroyed && !response.writableFinished) gone.abort()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/**
 * The whole body of a message, which whoever reads it afterwards reads too; undefined if it is longer than `most`. What was read is
 * put back in the turn in which the message is complete: later the stream would have ended.
 */
export function peekBody(message: IncomingMessage, most: number): Promise<Bytes | undefined> {
  const { method, headers } = message
  const hasBody =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  if (!hasBody || method === 'GET' || method === 'HEAD') return Promise.resolve(new Uint8Array())
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const end = (body: Bytes | undefined) => {
      message.removeListener('readable', look)
      message.removeListener('error', reject)
      resolve(body)
    }
    const look = () => {
      for (let part = message.read(); part !== null; part = message.read()) {
        parts.push(part)
        length += part.length
      }
      if (length > most) return end(undefined)
      if (!message.complete) return
      const whole = Buffer.concat(parts)
      if (length > 0) message.unshift(whole)
      end(new Uint8Array(whole))
    }
    message.on('readable', look)
    message.once('error', reject)
    message.once('aborted', () => reject(new Error('The client hung up.')))
  })
}
