import { type ClientOptions, globalFetch } from '../client.ts'
import { TimeUp, within } from '../deadline.ts'
import { errorOf, PurserError } from '../error.ts'
import { observed } from '../options/hooks.ts'
import type { Fetch } from '../retry.ts'
import type { EventType, PurserEvent } from './event.ts'
import { readBlocks } from './sse.ts'

export type FollowOptions = {
  /** The id of the last event that you have. Without it the stream begins now. */
  after?: string
  /** Only events of these types. */
  types?: readonly EventType[]
  /** Ends the iteration. */
  signal?: AbortSignal
}

/** The service sends a comment every 15 seconds. After this long without one the connection is lost. */
const SILENCE_MS = 45_000
const RETRY_MS = 1_000
const RETRY_MOST_MS = 30_000

/**
 * Events as they happen. A lost connection is made again, from the last event on: none is missed, none comes twice. Throws
 * `PurserError` if the service refuses, for example because the key was revoked.
 */
export async function* followEvents(
  options: ClientOptions,
  { after, types, signal }: FollowOptions,
): AsyncGenerator<PurserEvent, void, undefined> {
  const service = { ...options, fetch: observed(options.fetch ?? globalFetch, options) }
  let lastId = after
  let waitMs = RETRY_MS
  while (!signal?.aborted) {
    const connection = new AbortController()
    const asked = { lastId, types, signal: connection.signal }
    const hangUp = () => connection.abort()
    signal?.addEventListener('abort', hangUp, { once: true })
    let silence: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(hangUp, SILENCE_MS)
    }
    try {
      listen()
      const { body, retryMs } = await connect(service, asked)
      waitMs = retryMs ?? waitMs
      if (body)
        for await (const block of readBlocks(body, {
          signal: connection.signal,
          onBytes: listen,
        })) {
          waitMs = block.retryMs ?? RETRY_MS
          if (block.data !== undefined) yield JSON.parse(block.data) as PurserEvent
          lastId = block.id ?? lastId
        }
    } catch (error) {
      if (!isLost(error)) throw error
      waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)
    } finally {
      clearTimeout(silence)
      signal?.removeEventListener('abort', hangUp)
      hangUp()
    }
    await pause(waitMs, signal)
  }
}

type Asked = {
  lastId: string | undefined
  types: readonly EventType[] | undefined
  signal: AbortSignal
}

/** Opens the stream. Without a body the service asks to come again after `retryMs`. */
async function connect(
  { baseUrl, apiKey, fetch }: ClientOptions & { fetch: Fetch },
  { lastId, types, signal }: Asked,
): Promise<{ body?: ReadableStream<Uint8Array> | null; retryMs?: number }> {
  const query = types ? `?type=${types.join(',')}` : ''
  const headers = new Headers({ accept: 'text/event-stream' })
  if (apiKey) headers.set('authorization', `Bearer ${apiKey}`)
  if (lastId) headers.set('last-event-id', lastId)
  const url = `${baseUrl.replace(/\/+$/, '')}/api/events/stream${query}`
  return within({ timeoutMs: SILENCE_MS, signal }, async (signal) => {
    const response = await fetch(new Request(url, { headers }), { signal })
    if (response.ok && isEventStream(response)) return { body: response.body }
    const isPassing = response.status === 429 || response.status >= 500
    if (!isPassing) throw refusalOf(response, await response.text())
    void response.body?.cancel().catch(() => undefined)
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return { retryMs: Number.isFinite(seconds) ? seconds * 1000 : RETRY_MOST_MS }
  })
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false

function refusalOf(response: Response, text: string): PurserError {
  if (!response.ok) return errorOf(response, text)
  const error =
    'The answer is no stream of events. Check the base URL, and the proxies before the service.'
  return new PurserError(response.status, { error, code: 'unreadable_answer' })
}

/** Whether the connection failed, was silent, or was aborted. */
const isLost = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof TimeUp ||
  (error instanceof DOMException && error.name === 'AbortError')

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
