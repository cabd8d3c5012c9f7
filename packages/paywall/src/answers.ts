import type { Answer } from './answer.ts'
import { base64, utf8 } from './bytes.ts'
import { type Refusal, SHARED, VARY } from './demand.ts'
import { receiptHeader } from './mpp.ts'
import type { PaywallError } from './options.ts'
import type { Presented } from './payment.ts'
import type { Receipt, ServiceSilent, Terms } from './service.ts'

/** May the same payment be sent again, and may a new one be made? */
type Retry = { same_payment: boolean; new_payment: boolean; words: string }

type Said = { code: string; detail: string; retry: Retry; receipt?: Receipt | null }

/** An answer that is no demand. */
export function problem(
  status: number,
  { code, detail, retry, ...more }: Said,
  headers: Record<string, string> = {},
): Answer {
  const body = { type: 'about:blank', status, code, detail, retry, ...more }
  return {
    status,
    headers: { ...SHARED, 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(body),
  }
}

export const unreadable = (fault: string): Answer =>
  problem(400, {
    code: 'invalid_payment',
    detail: fault,
    retry: {
      ...{ same_payment: false, new_payment: true },
      words:
        'This request took nothing. If the payment was taken before, it buys what it was made for: send it there. For this URL send the request without a payment for the terms, and pay those.',
    },
  })

const SAME = {
  same_payment: true,
  new_payment: false,
  words:
    'Repeat this same request with this same payment. Never sign another: you could pay twice.',
}

/** The money may be on its way. A demand would make the client sign a second payment. */
export const pending = (): Answer =>
  problem(
    503,
    {
      code: 'settlement_pending',
      detail: 'The payment is on its way to the chain, and the answer waits for it.',
      retry: SAME,
    },
    { 'retry-after': '3' },
  )

/** The refusal that says nothing of the payment: the chain could not be asked, or no relayer was free. */
export const NOT_CHECKED = 'payment_not_checked'

/** Nothing was sent, and what was signed is still good. A demand would make the client sign a second payment. */
export const unchecked = (detail: string): Answer =>
  problem(503, { code: NOT_CHECKED, detail, retry: SAME }, { 'retry-after': '2' })

export const busy = (seconds: number): Answer =>
  problem(
    409,
    {
      code: 'payment_in_progress',
      detail: 'This payment is being served by another request.',
      retry: SAME,
    },
    { 'retry-after': String(seconds) },
  )

export const used = (receipt: Receipt | null): Answer =>
  problem(409, {
    code: 'payment_used',
    detail: 'This payment has bought its answer before. It buys nothing more.',
    receipt,
    retry: {
      ...{ same_payment: false, new_payment: true },
      words: 'For another answer make a new payment. The earlier one was taken once.',
    },
  })

/** The service cannot be relied on now, so nobody is let in. */
export function silent(error: ServiceSilent): Answer {
  const { rationed, retrySeconds } = error
  const headers = { 'retry-after': String(retrySeconds) }
  if (rationed) return problem(429, { ...rationed, retry: SAME }, headers)
  const detail = 'The payment service cannot be reached now.'
  return problem(503, { code: 'payment_service_unavailable', detail, retry: SAME }, headers)
}

/** A mistake of the seller: the price cannot be asked for. */
export const misconfigured = (error: PaywallError): Answer =>
  problem(error.code === 'upto_not_spoken' ? 501 : 500, {
    code: error.code,
    detail: error.message,
    retry: { same_payment: false, new_payment: false, words: 'Only the seller can mend this.' },
  })

/** A refusal of the service, in the words of an agent: whether money lacks, time is over, or the payment is wrong. */
export function refusalOf({
  reason,
  detail,
}: {
  reason: string | null
  detail: string | null
}): Refusal {
  const name = reason ?? 'verification_failed'
  const code = /insufficient_(balance|funds)$/.test(name)
    ? 'insufficient_funds'
    : /(expired|valid_before)$/.test(name)
      ? 'payment_expired'
      : /^unexpected_/.test(name)
        ? NOT_CHECKED
        : 'payment_refused'
  return { code, reason: name, detail: detail ?? 'The payment was refused.' }
}

/** The headers of an answer that was paid for. */
export function receiptHeaders(
  payment: Presented,
  receipt: Receipt,
  { network, networkV1, chainId }: Terms,
): Record<string, string> {
  const { transaction, payer, amount, settlement_id: id, settled_at: timestamp } = receipt
  if (payment.protocol === 'mpp') {
    const isOnChain = transaction !== null
    const shared = { timestamp, challengeId: payment.challengeId, reference: transaction ?? id }
    return {
      'payment-receipt': receiptHeader(
        isOnChain ? { ...shared, method: 'evm', chainId } : { ...shared, method: 'agentcard' },
      ),
    }
  }
  const shared = { success: true, transaction: transaction ?? '', payer, amount }
  const encode = (value: object) => base64(utf8(JSON.stringify(value)))
  return payment.version === 2
    ? { 'payment-response': encode({ ...shared, network }) }
    : { 'x-payment-response': encode({ ...shared, network: networkV1 ?? network }) }
}

/** Says in the headers of an answer that it is for its payer alone. */
export function keepPrivate(headers: Headers): void {
  const control = headers.get('cache-control') ?? ''
  if (!/\b(private|no-store)\b/i.test(control)) headers.set('cache-control', 'private, no-store')
  headers.append('vary', VARY)
  const exposed = headers.get('access-control-expose-headers')
  const all = SHARED['access-control-expose-headers']
  headers.set('access-control-expose-headers', exposed ? `${exposed}, ${all}` : all)
}
