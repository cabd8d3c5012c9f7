import { request } from 'undici'
import {
  createTransport,
  HttpRequestError,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem'
import { deadlineIn } from '../../../base/kernel/clock.ts'
import { inSpan } from '../../../base/kernel/tracing.ts'

/** The most calls in one request. */
const CALLS_MAX = 1_000

type Call = { method: string; params?: unknown }
type Answer = { id?: unknown; result?: unknown; error?: { code: number; message: string } }
type Asked = {
  call: Call
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * JSON-RPC over HTTP. Calls made in one turn of the event loop are sent at once, in one request. viem's own batching
 * waits a millisecond for a timer, and a payment makes three calls in a row.
 */
export function rpcTransport(
  url: string,
  options: { timeoutMs: number; retryCount: number },
): Transport {
  const { timeoutMs, retryCount } = options
  const endpoint = readEndpoint(url)
  const waiting: Asked[] = []

  async function ask(batch: Asked[]): Promise<void> {
    const calls = batch.map(({ call }) => call)
    try {
      const answers = await post(endpoint, calls, timeoutMs)
      answers.forEach((answer, i) => {
        batch[i]?.resolve(answer)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function pump(): void {
    while (waiting.length > 0) void ask(waiting.splice(0, CALLS_MAX))
  }

  const gather = (call: Call): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(pump)
      waiting.push({ call, resolve, reject })
    })

  return () =>
    createTransport(
      {
        key: 'rpc',
        name: 'JSON-RPC over HTTP',
        type: 'http',
        retryCount,
        timeout: timeoutMs,
        async request({ method, params }) {
          const call = { method, params }
          const { error, result } = await inSpan(
            () => ({
              name: `rpc ${method}`,
              kind: 'client',
              values: { 'rpc.system.name': 'jsonrpc', 'rpc.method': method },
            }),
            () => gather(call),
          )
          if (error) throw new RpcRequestError({ body: call, error, url })
          return result as never
        },
      },
      { url },
    )
}

type Endpoint = { url: string; headers: Record<string, string> }

/** A name and password in the URL go into a header, and out of the URL that errors quote. */
function readEndpoint(url: string): Endpoint {
  const parsed = new URL(url)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (parsed.username) {
    const text = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
    headers.authorization = `Basic ${Buffer.from(text).toString('base64')}`
    parsed.username = ''
    parsed.password = ''
  }
  return { url: parsed.href, headers }
}

/** One answer for each call, in order. Throws viem's own errors, because viem decides from them what to retry. */
async function post(to: Endpoint, calls: readonly Call[], timeoutMs: number): Promise<Answer[]> {
  const questions = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const body = JSON.stringify(questions.length === 1 ? questions[0] : questions)
  const fail = (rest: { status?: number; details?: string; cause?: Error }) =>
    new HttpRequestError({ body: [...calls], url: to.url, ...rest })
  const { status, text } = await send(to, body, timeoutMs).catch((cause: Error) => {
    if (cause.name === 'TimeoutError') throw new TimeoutError({ body: [...calls], url: to.url })
    throw fail({ cause })
  })
  const isOk = status >= 200 && status < 300
  const said = parse(text)
  const answers = Array.isArray(said) ? said : [said]
  if (!isOk && !answers.every(isRefusal)) throw fail({ status, details: text.slice(0, SHOWN_MAX) })
  if (questions.length === 1 && isAnswer(answers[0])) return [answers[0]]
  const byId = new Map(answers.filter(isAnswer).map((answer) => [answer.id, answer]))
  return questions.map(({ id }) => {
    const own = byId.get(id)
    if (!own) throw fail({ status, details: 'It left out an answer, or gave none.' })
    return own
  })
}

/** The number of characters kept of an error page. */
const SHOWN_MAX = 1_000

/** Not by `fetch`, which takes 0.15 ms more of the main thread for each request. */
async function send({ url, headers }: Endpoint, body: string, timeoutMs: number) {
  using deadline = deadlineIn(timeoutMs)
  const reply = await request(url, { method: 'POST', headers, body, signal: deadline.signal })
  return { status: reply.statusCode, text: await reply.body.text() }
}

/** The parsed answer, or undefined if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isAnswer = (said: unknown): said is Answer => typeof said === 'object' && said !== null

const isRefusal = (said: unknown): boolean =>
  isAnswer(said) && typeof said.error?.code === 'number' && typeof said.error.message === 'string'
