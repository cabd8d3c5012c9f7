import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { SignerError } from './signer-error.ts'

/** What opening a key needs of the world. `env` is the process's environment, or what stands for it. */
export type KeeperDeps = {
  fetch: typeof globalThis.fetch
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Before the second attempt; doubled before each that follows. */
  pauseMs?: number
}

export type Ask = { url: string; method: string; headers: Record<string, string>; body?: string }
export type Answer = { status: number; text: string; isOk: boolean }
type Keeper = {
  /** Who is asked, for the operator, e.g. "AWS KMS in eu-west-1". */
  name: string
  /** Whether an answer other than 429 and 5xx also asks to be tried again. */
  isBusy?: (answer: Answer) => boolean
  /** For each attempt; a keeper on this very machine answers at once or not at all. */
  timeoutMs?: number
}

const ATTEMPTS = 5
const PAUSE_MS = 100
const TIMEOUT_MS = 5_000

/**
 * Asks a key's keeper, again if it is busy or out of reach. The request is made anew each time, because its own
 * signature and date grow old. Answers whatever status is not worth another attempt; throws a `SignerError` else.
 */
export async function ask(
  { fetch: send, pauseMs = PAUSE_MS }: Pick<KeeperDeps, 'fetch' | 'pauseMs'>,
  { name, isBusy = () => false, timeoutMs = TIMEOUT_MS }: Keeper,
  request: () => Ask | Promise<Ask>,
): Promise<Answer> {
  let last: Error | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(pauseMs * 2 ** (attempt - 1))
    const answer = await attemptOnce(send, await request(), timeoutMs)
    if (answer instanceof Error) last = answer
    else if (answer.status === 429 || answer.status >= 500 || isBusy(answer))
      last = new Error(`status ${answer.status}: ${excerpt(answer.text)}`)
    else return answer
  }
  throw new SignerError(
    `${name} did not answer in ${ATTEMPTS} attempts. The last: ${last?.message}.`,
    { cause: last },
  )
}

async function attemptOnce(
  send: KeeperDeps['fetch'],
  { url, ...init }: Ask,
  timeoutMs: number,
): Promise<Answer | Error> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    // A redirect would take the credentials along to wherever it points.
    const response = await send(url, { ...init, signal, redirect: 'error' })
    return { status: response.status, text: await response.text(), isOk: response.ok }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return new Error(reasonOf(error, timeoutMs))
  }
}

/** What fetch throws has the system's words in its cause. Its own may quote a header, and so a secret. */
function reasonOf({ name, cause }: Error, timeoutMs: number): string {
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  if (!(cause instanceof Error)) return 'the request could not be sent'
  return cause.message || textOf((cause as { code?: unknown }).code) || cause.name
}

/** For the metadata service of the machine or container that this runs in. */
export const NEAR_TIMEOUT_MS = 1_000

const MOST_WORDS = 300
/** The start of an answer, for an error's text. */
export const excerpt = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, MOST_WORDS) || 'no words'

/** The members of a JSON object; none if the text is something else. */
export function members(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
