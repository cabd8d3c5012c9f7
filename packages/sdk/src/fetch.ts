import { PurserError } from './error.ts'
import { checkNames, FETCH_NAMES } from './options/names.ts'
import type { CardCredential, Payment, PayOrder, PayOutcome } from './outcome.ts'

/** As the second argument of `fetch`, with the card that pays. */
export type FetchOrder = Omit<RequestInit, 'body'> & {
  /** Text: the service sends it to the seller again, with the payment. JSON goes out as JSON, unless `headers` say otherwise. */
  body?: string | URLSearchParams
  card: CardCredential
  /** The most that may leave the card, the platform fee included. */
  maxAmount?: PayOrder['max_amount']
  /** The same for the same purchase: a repetition with it takes nothing more. By default each call is a purchase of its own. */
  idempotencyKey?: string
}

type Pay = (
  card: CardCredential,
  order: PayOrder,
  options: { idempotencyKey?: string; signal?: AbortSignal },
) => Promise<PayOutcome>

const NAMES = { card: true, maxAmount: true, idempotencyKey: true, ...FETCH_NAMES } as const

/**
 * Fetches, and pays with the card if the seller answers 402. The answer is the seller's, with `purser-outcome`,
 * `purser-transaction-id` and `purser-idempotency-key` in its headers. Throws `PurserError` where there is no whole answer:
 * `approval_required` with `approve_url`, `unknown` and `seller_failed` with `transaction_id` (repeat these with the error's
 * `idempotencyKey`, and with no other), `not_charged`, or the code of a decline.
 */
export async function fetchPaying(
  pay: Pay,
  url: string | URL,
  order: FetchOrder,
): Promise<Response> {
  checkNames(order, NAMES, 'fetch')
  const { card, maxAmount, idempotencyKey, ...rest } = order
  const request = new Request(url, { ...rest, headers: headersOf(rest) })
  const answer = await fetch(request.clone())
  if (answer.status !== 402) return answer
  // A body that somebody else reads too, as in Next, ends for both at once: nobody waits for that.
  void answer.body?.cancel().catch(() => undefined)
  const body = rest.body === undefined ? undefined : await request.text()
  const asked = {
    url: request.url,
    method: request.method as PayOrder['method'],
    headers: Object.fromEntries(request.headers),
    ...(body !== undefined && { body }),
    ...(maxAmount !== undefined && { max_amount: maxAmount }),
  } as PayOrder
  const outcome = await pay(card, asked, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(rest.signal && { signal: rest.signal }),
  })
  const { response } = outcome
  if (!response || response.truncated) throw unanswered(outcome)
  const headers = new Headers(withoutFraming(response.headers))
  headers.set('purser-outcome', outcome.outcome)
  if ('idempotency_key' in outcome) headers.set('purser-idempotency-key', outcome.idempotency_key)
  if (outcome.transaction_id) headers.set('purser-transaction-id', outcome.transaction_id)
  const isBare = [204, 205, 304].includes(response.status)
  return new Response(isBare ? null : bytesOf(response), { status: response.status, headers })
}

/** `fetch` calls every string text. One that is JSON is called JSON, where the caller does not say what it is. */
function headersOf({ headers: given, body }: Omit<FetchOrder, 'card'>): Headers {
  const headers = new Headers(given)
  if (typeof body === 'string' && !headers.has('content-type') && isJson(body))
    headers.set('content-type', 'application/json')
  return headers
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The body comes whole and decoded, so what framed it on its way says nothing of it. */
const withoutFraming = (headers: Record<string, string>): [string, string][] =>
  Object.entries(headers).filter(
    ([name]) => !['content-length', 'transfer-encoding', 'connection'].includes(name.toLowerCase()),
  )

function bytesOf({ body, body_encoding: encoding }: NonNullable<Payment['response']>) {
  if (encoding === 'base64') return Uint8Array.from(atob(String(body)), (one) => one.charCodeAt(0))
  return encoding === 'json' ? JSON.stringify(body) : String(body ?? '')
}

function unanswered(outcome: PayOutcome): PurserError {
  const reason = 'reason' in outcome ? outcome.reason : WORDS
  const { outcome: code, ...said } = outcome
  return new PurserError(
    0,
    { ...said, error: reason, code },
    {
      mayHaveHappened: code !== 'not_charged' && code !== 'approval_required',
      ...('idempotency_key' in outcome && { idempotencyKey: outcome.idempotency_key }),
    },
  )
}

const WORDS =
  'The seller’s answer is not whole. Repeat the call with the same idempotencyKey, and do not pay again under another.'
