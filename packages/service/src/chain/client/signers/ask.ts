import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, deadlineIn } from '../../../base/kernel/clock.ts'
import { SignerError } from './signer-error.ts'

/** The outside world as opening a key needs it. `env` is the process's environment, or a substitute. */
export type KeeperDeps = {
  fetch: typeof globalThis.fetch
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** The pause before the second attempt. It doubles before each later one. */
  pauseMs?: number
}

export type Ask = { url: string; method: string; headers: Record<string, string>; body?: string }
export type Answer = { status: number; text: string; isOk: boolean }
type Keeper = {
  /** The keeper's name for the operator, e.g. "AWS KMS in eu-west-1". */
  name: string
  /** Whether an answer other than 429 and 5xx should also be retried. */
  isBusy?: (answer: Answer) => boolean
  /** For each attempt. A keeper on this machine answers at once or not at all. */
  timeoutMs?: number
}

const ATTEMPTS = 5
const PAUSE_MS = 100
const TIMEOUT_MS = 5_000

/**
 * Sends a request to a key's keeper, and again if the keeper is busy or out of reach. The request is made anew for each
 * attempt, because its signature and date expire. Answers with any status that is not worth a retry; otherwise throws a
 * `SignerError`.
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
  using deadline = deadlineIn(timeoutMs)
  try {
    // A redirect would carry the credentials to another host.
    const response = await send(url, { ...init, signal: deadline.signal, redirect: 'error' })
    return { status: response.status, text: await response.text(), isOk: response.ok }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return new Error(reasonOf(error, timeoutMs))
  }
}

/** The cause of a fetch error has the system's message. The error's own message may quote a header, and so a secret. */
function reasonOf({ name, cause }: Error, timeoutMs: number): string {
  if (name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} s`
  if (!(cause instanceof Error)) return 'the request could not be sent'
  return cause.message || textOf((cause as { code?: unknown }).code) || cause.name
}

/** For the metadata service of this machine or container. */
export const NEAR_TIMEOUT_MS = 1_000

const MOST_WORDS = 300
/** The start of an answer, for an error's text. */
export const excerpt = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, MOST_WORDS) || 'no words'

/** The members of a JSON object; empty if the text is anything else. */
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
