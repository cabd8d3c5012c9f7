import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type Admitted, openGate, type Paid, tooLarge } from './gate.ts'
import { headersOf } from './hold.ts'
import { hangUp, webRequest } from './node.ts'
import { BODY_MAX, type PaywallOptions, type Service } from './options.ts'
import { KEPT_MAX } from './seal.ts'

const payments = new WeakMap<FastifyRequest, Admitted>()

/** The payment of a request that is being served; undefined for a free one. */
export const paymentOf = (request: FastifyRequest): Paid | undefined => payments.get(request)?.paid

/**
 * Puts a price on a route of Fastify: `app.get('/report', paywall(purser, { price: '0.01' }), handler)`, or among other options
 * of the route.
 */
export function paywall(
  service: Service,
  options: PaywallOptions,
): Required<Pick<RouteShorthandOptions, 'preParsing' | 'onSend'>> {
  const gate = openGate(service, options)
  const most = options.maxBodyBytes ?? BODY_MAX
  return {
    async preParsing(request, reply, payload) {
      const body = await readWhole(payload as AsyncIterable<Uint8Array>, most)
      if (!body) return give(reply, tooLarge(most))
      const origin = `${request.protocol}://${request.host}`
      const of = { origin, url: request.originalUrl, body, signal: hangUp(reply.raw) }
      const admission = await gate.admit(webRequest(request.raw, of), body)
      if (admission.kind === 'denied') return give(reply, admission.response)
      payments.set(request, admission)
      const again = Readable.from(body.length > 0 ? [Buffer.from(body)] : [])
      return Object.assign(again, { receivedEncodedLength: body.length })
    },
    async onSend(request, reply, payload) {
      const admitted = payments.get(request)
      if (!admitted?.paid) return payload
      const headers = headersIn(reply)
      const body = wholeOf(payload)
      const verdict = await admitted.conclude({ status: reply.statusCode, headers, body })
      for (const name of Object.keys(reply.getHeaders()))
        if (verdict.kind === 'instead' || !headers.has(name)) reply.removeHeader(name)
      const end = verdict.kind === 'instead' ? verdict.response.headers : headers
      for (const [name, value] of headersOf(end)) reply.header(name, value)
      if (verdict.kind === 'give') return payload
      if (payload instanceof Readable) payload.destroy()
      reply.code(verdict.response.status)
      return Buffer.from(await verdict.response.arrayBuffer())
    },
  }
}

/** The whole body; undefined if it is longer than `most`. */
async function readWhole(
  payload: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of payload) {
    length += part.length
    if (length > most) return undefined
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

function headersIn(reply: FastifyReply): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, String(one))
  return headers
}

/** The body, unless it streams or is long. */
function wholeOf(payload: unknown): Uint8Array<ArrayBuffer> | null {
  if (payload === null || payload === undefined) return new Uint8Array()
  const isText = typeof payload === 'string'
  if (!isText && !(payload instanceof Uint8Array)) return null
  const bytes = new Uint8Array(isText ? Buffer.from(payload) : payload)
  return bytes.length <= KEPT_MAX ? bytes : null
}

/** Sends an answer of web standards in place of the handler's. */
async function give(reply: FastifyReply, answer: Response): Promise<undefined> {
  reply.code(answer.status)
  for (const [name, value] of headersOf(answer.headers)) reply.header(name, value)
  await reply.send(answer.body ? Readable.fromWeb(answer.body as NodeReadableStream) : null)
  return undefined
}
