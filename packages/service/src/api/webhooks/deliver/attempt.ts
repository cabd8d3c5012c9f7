import { EgressError, type EgressErrorKind } from '../../../base/egress/errors.ts'
import type { Destination, KeptAnswer } from '../../../base/egress/keep-alive.ts'
import { steadyNow } from '../../../base/kernel/clock.ts'
import type { Uses } from '../../http/services.ts'
import { signatureHeaders } from '../signature.ts'

/** One event on its way to one endpoint. */
export type Letter = {
  webhookId: string
  eventId: string
  body: Buffer
  /** How many attempts there were before. */
  attempts: number
  /** Somebody asked for it again. */
  isRedelivery: boolean
}

/** How an attempt ended. `statusCode` and `head` are null if nobody has answered. */
export type Attempted = {
  kind: 'delivered' | 'failed'
  statusCode: number | null
  /** The wait that the endpoint asked for with 429 or 503. */
  retryAfterSeconds: number | null
  /** The beginning of the answer, as text. */
  head: string | null
  /** Why nobody has answered, in words for the owner. */
  error: string | null
  /** The same, for the log and the metrics. */
  fault: EgressErrorKind | null
  tookMs: number
}

const HEAD_CHARACTERS = 1024
/** The headers of an answer that are shown. Others may hold a secret of the endpoint. */
const SHOWN = ['content-type', 'location', 'retry-after', 'server', 'www-authenticate']

/** Sends an event once, signed with each live secret. Uses the network alone, and never throws for a failure of it. */
export async function attempt(
  { clock, egress, settings }: Uses<'clock' | 'egress' | 'settings'>,
  to: { destination: Destination; secrets: readonly string[] },
  letter: Letter,
): Promise<Attempted> {
  const { webhookId, eventId, body } = letter
  const sentAt = clock.real()
  const startedAt = steadyNow()
  const took = () => Math.round(steadyNow() - startedAt)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Purser-Webhooks/${settings.version}`,
    'purser-delivery': `${webhookId}:${eventId}`,
    'purser-attempt': String(letter.attempts + 1),
    ...(letter.isRedelivery ? { 'purser-redelivery': 'true' } : {}),
    ...signatureHeaders({ eventId, sentAt, body, secrets: to.secrets }),
  }
  try {
    const answer = await egress.kept.post(to.destination, { headers, body })
    return { ...judge(answer, clock.real()), error: null, fault: null, tookMs: took() }
  } catch (error) {
    return { ...unsent(error), tookMs: took() }
  }
}

/** The failure of a request that got no answer. Rethrows what no network throws. */
export function unsent(error: unknown): Attempted {
  if (!(error instanceof EgressError)) throw error
  const nothing = { statusCode: null, retryAfterSeconds: null, head: null, tookMs: 0 }
  return { kind: 'failed', ...nothing, error: error.message, fault: error.kind }
}

function judge(answer: KeptAnswer, at: Date): Omit<Attempted, 'error' | 'fault' | 'tookMs'> {
  const { status } = answer
  const asked = status === 429 || status === 503 ? answer.headers['retry-after'] : undefined
  return {
    kind: status >= 200 && status < 300 ? 'delivered' : 'failed',
    statusCode: status,
    retryAfterSeconds: asked === undefined ? null : secondsOf(asked, at),
    head: headOf(answer),
  }
}

/** Seconds, or a date of HTTP (RFC 9110, 10.2.3). Null for anything else. */
function secondsOf(text: string, at: Date): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  if (Number.isNaN(date)) return null
  return Math.max(0, Math.ceil((date - at.getTime()) / 1000))
}

/** A status line, some headers, and the beginning of the body, without characters that a page or a terminal obeys. */
function headOf({ status, headers, start }: KeptAnswer): string {
  const shown = SHOWN.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${headers[name]}`],
  )
  const text = [`HTTP ${status}`, ...shown, '', start.toString('utf8')].join('\n')
  return text
    .replace(/[^\P{C}\n\t]/gu, '�')
    .slice(0, HEAD_CHARACTERS)
    .toWellFormed()
}
