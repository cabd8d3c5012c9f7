import { responseOf } from './answer.ts'
import { type Bytes, joined } from './bytes.ts'
import type { Admitted, Gate, Paid, Visitor } from './gate.ts'
import { KEPT_MAX } from './seal.ts'

/** A handler in web standards, with whatever its framework passes beside the request. */
export type Handler<R extends Request, Rest extends unknown[]> = (
  request: R,
  ...rest: Rest
) => Response | Promise<Response>

const payments = new WeakMap<Request, Paid>()

/** The payment of a request that is being served; undefined for a free one. */
export const paymentOf = (request: Request): Paid | undefined => payments.get(request)

/** The class of the request that a handler gets, if its body was read before. */
export type RequestClass = new (url: string, init: RequestInit) => Request

/** The handler behind the gate. */
export const guard =
  <R extends Request, Rest extends unknown[]>(
    gate: Gate,
    handler: Handler<R, Rest>,
    Made: RequestClass = Request,
  ) =>
  async (request: R, ...rest: Rest): Promise<Response> => {
    const admission = await gate.admit(visitorOf(request, Made))
    if (admission.kind === 'denied') return responseOf(admission.answer)
    if (admission.paid) payments.set(admission.request, admission.paid)
    let response: Response
    try {
      response = await handler(admission.request as R, ...rest)
    } catch (error) {
      await admission.abandon()
      throw error
    }
    return deliver(admission, response)
  }

/** A request of web standards at the gate. */
export const visitorOf = (request: Request, Made: RequestClass = Request): Visitor => ({
  ...{ method: request.method, url: request.url, headers: request.headers },
  read: (most) => readBody(request, most),
  request(body) {
    if (body.length === 0) return request
    const { method, headers, signal } = request
    return new Made(request.url, { method, headers, signal, body })
  },
})

/** The whole body; undefined if it is longer than `most`. */
async function readBody(request: Request, most: number): Promise<Bytes | undefined> {
  if (!request.body) return new Uint8Array()
  if (Number(request.headers.get('content-length') ?? 0) > most) return undefined
  const parts: Uint8Array[] = []
  let length = 0
  const reader = request.body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length > most) {
      void reader.cancel()
      return undefined
    }
    parts.push(read.value)
  }
  return joined(parts)
}

/** Takes the money for a response, then gives it. A long body, or one that takes its time, streams on after that. */
export async function deliver(admitted: Admitted, response: Response): Promise<Response> {
  const begun = await begin(response)
  const headers = new Headers(response.headers)
  const { status, statusText } = response
  let verdict: Awaited<ReturnType<Admitted['conclude']>>
  try {
    verdict = await admitted.conclude({ status, headers, body: begun.whole })
  } catch (error) {
    begun.cancel()
    throw error
  }
  if (verdict.kind === 'instead') {
    begun.cancel()
    return responseOf(verdict.answer)
  }
  return new Response(begun.body, { status, statusText, headers })
}

/** How long a body may take to be kept as a whole. */
const WHOLE_MS = 20

type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>
type Begun = {
  /** The body, if it came at once and is short; empty without one. */
  whole: Bytes | null
  /** To give to the client. */
  body: Bytes | ReadableStream<Uint8Array> | null
  cancel(): void
}

async function begin({ body }: Response): Promise<Begun> {
  if (!body) return { whole: new Uint8Array(), body: null, cancel: () => undefined }
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  let open: Promise<Read> | undefined
  const late = pause(WHOLE_MS)
  try {
    while (length <= KEPT_MAX) {
      open ??= reader.read()
      const read = await Promise.race([open, late.over])
      if (read === undefined) break
      open = undefined
      if (read.done) {
        const whole = joined(parts)
        return { whole, body: whole, cancel: () => undefined }
      }
      parts.push(read.value)
      length += read.value.length
    }
  } finally {
    late.clear()
  }
  const cancel = () => void reader.cancel().catch(() => undefined)
  return { whole: null, body: rest(reader, parts, open), cancel }
}

function pause(ms: number): { over: Promise<undefined>; clear(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return { over, clear: () => clearTimeout(timer) }
}

/** The parts that were read, then those to come. */
function rest(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  parts: Uint8Array[],
  open: Promise<Read> | undefined,
): ReadableStream<Uint8Array> {
  let next = open
  return new ReadableStream({
    async pull(controller) {
      const part = parts.shift()
      if (part) return controller.enqueue(part)
      const read = await (next ?? reader.read())
      next = undefined
      if (read.done) controller.close()
      else controller.enqueue(read.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
