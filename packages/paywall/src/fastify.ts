import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Answer } from './answer.ts'
import { type Admitted, openGate, type Paid } from './gate.ts'
import { headersOf } from './hold.ts'
import { visitorIn } from './node.ts'
import type { PaywallOptions, Service } from './options.ts'
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
  return {
    async preParsing(request, reply, payload) {
      let read: Uint8Array<ArrayBuffer> = new Uint8Array()
      const admission = await gate.admit(
        visitorIn(request.raw, {
          url: `${request.protocol}://${request.host}${request.originalUrl}`,
          response: reply.raw,
          async read(most) {
            const body = await readWhole(payload as AsyncIterable<Uint8Array>, most)
            read = body ?? read
            return body
          },
        }),
      )
      if (admission.kind === 'denied') {
        await give(reply, admission.answer)
        return undefined
      }
      payments.set(request, admission)
      const again = Readable.from(read.length > 0 ? [Buffer.from(read)] : [])
      return Object.assign(again, { receivedEncodedLength: read.length })
    },
    async onSend(request, reply, payload) {
      const admitted = payments.get(request)
      if (!admitted?.paid) return payload
      const headers = headersIn(reply)
      const body = wholeOf(payload)
      const verdict = await admitted.conclude({ status: reply.statusCode, headers, body })
      const isInstead = verdict.kind === 'instead'
      for (const name of Object.keys(reply.getHeaders()))
        if (isInstead || !headers.has(name)) reply.removeHeader(name)
      if (!isInstead) {
        for (const [name, value] of headersOf(headers)) reply.header(name, value)
        return payload
      }
      if (payload instanceof Readable) payload.destroy()
      const { answer } = verdict
      reply.code(answer.status).headers(answer.headers)
      return typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body ?? [])
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

/** Sends an answer of the paywall in place of the handler's. */
const give = (reply: FastifyReply, { status, headers, body }: Answer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body instanceof Uint8Array ? Buffer.from(body) : body)
