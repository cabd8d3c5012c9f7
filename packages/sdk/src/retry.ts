import { sleep, TimeUp, within } from './deadline.ts'
import { errorAs, errorOf, isObject, PurserError, parseJson } from './error.ts'
import { guardBody } from './guard-body.ts'

/** As the global `fetch`. The signal ends the request and the reading of its answer. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>
export type Calling = {
  fetch: Fetch
  retries: number
  /** The longest that a call may take with all its retries. */
  timeoutMs: number
  /** The caller's own. */
  signal: AbortSignal | undefined
  /** As openapi-fetch has it. A success must be as promised for `json`; the caller reads a `stream` by itself. */
  parseAs: string
  /** The members of a success, as `ANSWERS` has them. */
  members: string
}

const FIRST_WAIT_MS = 200

/**
 * Sends a request and reads its whole answer. Does both again if that is safe: with the same bytes and the same
 * Idempotency-Key, so that the service recognizes the retry. Throws `PurserError` for everything but a success.
 */
export async function callService(calling: Calling, request: Request): Promise<Response> {
  const { timeoutMs, signal, retries } = calling
  const deadline = performance.now() + timeoutMs
  const course: Course = { isSent: false, isLost: false }
  try {
    return await within({ timeoutMs, signal }, async (signal) => {
      for (let attempt = 0; ; attempt++) {
        course.isSent = true
        const outcome = await send(calling, request, signal)
        if ('response' in outcome) return outcome.response
        const { error, waitMs } = outcome
        const last = settle(request, course, error)
        // An earlier attempt with this key is still running: wait for its answer.
        const isLeft = error.code === 'idempotency_in_progress' || attempt < retries
        const nextMs = waitMs ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random())
        if (!isLeft || !mayRepeat(request, error) || performance.now() + nextMs > deadline)
          throw last
        course.isSent = false
        await sleep(nextMs, signal)
      }
    })
  } catch (cause) {
    if (cause instanceof PurserError) throw cause
    const { origin } = new URL(request.url)
    const [code, error] =
      cause instanceof TimeUp
        ? ['timed_out', `${origin} did not answer in time.`]
        : ['aborted', 'The call was ended by its own signal.']
    const mayHaveHappened = isWrite(request) && (course.isSent || course.isLost)
    throw errorAs(0, { error, code }, { cause, mayHaveHappened, ...keyOf(request) })
  }
}

/** `isSent`: an attempt is under way. `isLost`: the service may have done the work of an earlier one. */
type Course = { isSent: boolean; isLost: boolean }
type Outcome = { response: Response } | { error: PurserError; waitMs?: number | undefined }

async function send(calling: Calling, request: Request, signal: AbortSignal): Promise<Outcome> {
  let response: Response | undefined
  try {
    // A body can be read once, so each attempt sends a copy.
    response = await calling.fetch(request.clone(), { signal })
    if (response.ok && calling.parseAs === 'stream')
      return { response: guardBody(response, calling.signal, (cause) => cutOff(request, cause)) }
    const bytes = await response.arrayBuffer()
    const text = new TextDecoder().decode(bytes)
    if (!response.ok || waitsForPerson(response, text))
      return { error: errorOf(response, text), waitMs: waitOf(response.headers.get('retry-after')) }
    if (calling.parseAs === 'json' && !keepsPromise(parseJson(text), calling.members))
      return { error: unreadable(request, response) }
    const { status, statusText, headers } = response
    const isEmpty = status === 204 || status === 205
    return { response: new Response(isEmpty ? null : bytes, { status, statusText, headers }) }
  } catch (cause) {
    signal.throwIfAborted()
    return { error: response ? cutOff(request, cause) : unreached(request, cause) }
  }
}

/** A payment that its card's owner has to approve first: it is accepted as a question, and nothing was done. */
function waitsForPerson({ status }: Response, text: string): boolean {
  const value = status === 202 ? parseJson(text) : undefined
  return isObject(value) && value.code === 'approval_required'
}

/** Whether a success is the service's: an object that has these members. A proxy's would make its reader fail later. */
function keepsPromise(value: unknown, members: string): boolean {
  if (!isObject(value)) return false
  return members.split(' ').every((mark) => {
    const name = mark.replace(/\W+$/, '')
    if (name === '') return true
    if (mark.endsWith('{}')) return isObject(value[name])
    return mark.endsWith('[]') ? Array.isArray(value[name]) : value[name] !== undefined
  })
}

const originOf = (request: Request): string => new URL(request.url).origin

function unreached(request: Request, cause: unknown): PurserError {
  const error = `${originOf(request)} could not be reached. Check the base URL, and that the service runs.`
  return errorAs(0, { error, code: 'connection_failed' }, { cause })
}

function cutOff(request: Request, cause: unknown): PurserError {
  const error = `The answer of ${originOf(request)} was cut off.`
  return errorAs(0, { error, code: 'connection_failed' }, { cause })
}

function unreadable(request: Request, { status, headers }: Response): PurserError {
  const type = headers.get('content-type') ?? 'no type'
  const error = `${originOf(request)} answered ${status} with ${type}, which is not the answer of this operation. Check the base URL, and the proxies before the service.`
  return errorAs(status, { error, code: 'unreadable_answer' })
}

/** The error of an attempt, as the caller reads it after all attempts so far. */
function settle(request: Request, course: Course, error: PurserError): PurserError {
  const isOpen = isWrite(request) && leavesOpen(error)
  const mayHaveHappened = isOpen || (course.isLost && !isLastWord(error))
  course.isLost = mayHaveHappened
  const { status, body, cause, requestId } = error
  return errorAs(status, body, { cause, requestId, mayHaveHappened, ...keyOf(request) })
}

const isWrite = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'

const keyOf = ({ headers }: Request) => ({
  idempotencyKey: headers.get('idempotency-key') ?? undefined,
})

/** Codes of the service that say that nothing was done, or that it was undone, with a status below 400, or of 500 or more. */
const UNDONE = ['approval_required', 'overloaded', 'payouts_held', 'upstream_failed']
/** Statuses of a proxy that has passed the request on: it gave up waiting, or gives the answer of somebody behind. */
const GIVEN_UP = [402, 408]
/** Failures of a connection that was never made. */
const UNCONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Whether the service may have done the work although it, or a proxy, answered so. */
function leavesOpen({ status, code, cause }: PurserError): boolean {
  if (code === 'idempotency_in_progress') return true
  if (status === 0) return !UNCONNECTED.test(connectionFault(cause))
  if (code === 'unknown' && GIVEN_UP.includes(status)) return true
  return (status < 400 || status >= 500) && !UNDONE.includes(code)
}

function connectionFault(cause: unknown): string {
  const { cause: inner } = cause instanceof Error ? cause : {}
  return inner instanceof Error && 'code' in inner ? String(inner.code) : ''
}

/** Refusals that the service gives before it looks up the key, so that they say nothing of an earlier attempt. */
const BEFORE_KEYS = ['unknown', 'invalid_api_key', 'unauthorized', 'forbidden_scope']

/** Whether the answer tells what became of the attempts before it: the service looks up their key first. */
const isLastWord = ({ status, code }: PurserError): boolean =>
  status >= 400 && status < 500 && status !== 429 && !BEFORE_KEYS.includes(code)

/** Whether a retry is safe and may succeed. */
function mayRepeat(request: Request, { status, code }: PurserError): boolean {
  // The service refused the request before it did any work.
  if (status === 429 || code === 'overloaded') return true
  if (isWrite(request) && !request.headers.has('idempotency-key')) return false
  const isOfProxy = code === 'unknown' && status === 502
  return (
    isOfProxy ||
    [0, 503, 504].includes(status) ||
    code === 'idempotency_in_progress' ||
    code === 'unreadable_answer'
  )
}

function waitOf(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
