import { type JsonObject, member, readJsonObject } from '../json.ts'

/** The problem types of the scheme (draft-httpauth-payment "Error Codes", draft-evm-session "Error Responses"). */
export const PROBLEMS = {
  'payment-required': { status: 402, title: 'Payment Required' },
  'payment-insufficient': { status: 402, title: 'Payment Insufficient' },
  'payment-expired': { status: 402, title: 'Payment Expired' },
  'verification-failed': { status: 402, title: 'Verification Failed' },
  'malformed-credential': { status: 402, title: 'Malformed Credential' },
  'invalid-challenge': { status: 402, title: 'Invalid Challenge' },
  'invalid-payload': { status: 402, title: 'Invalid Payload' },
  'payment-action-required': { status: 402, title: 'Payment Action Required' },
  'method-unsupported': { status: 400, title: 'Method Unsupported' },
  'bad-request': { status: 400, title: 'Bad Request' },
  'internal-payment-error': { status: 500, title: 'Internal Payment Error' },
  'session/insufficient-balance': { status: 402, title: 'Insufficient Balance' },
  'session/invalid-signature': { status: 402, title: 'Invalid Signature' },
  'session/signer-mismatch': { status: 402, title: 'Signer Mismatch' },
  'session/amount-exceeds-deposit': { status: 402, title: 'Amount Exceeds Deposit' },
  'session/delta-too-small': { status: 402, title: 'Delta Too Small' },
  'session/challenge-not-found': { status: 402, title: 'Challenge Not Found' },
  'session/channel-not-found': { status: 410, title: 'Channel Not Found' },
  'session/channel-finalized': { status: 410, title: 'Channel Closed' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemType = keyof typeof PROBLEMS
export const PROBLEM_BASE = 'https://paymentauth.org/problems/'
export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

/** The body of a refusal (RFC 9457). With status 402 the headers carry a fresh challenge; its id may be named here. */
export function problemDocument(
  type: ProblemType,
  detail: string,
  challengeId?: string,
): { type: string; title: string; status: number; detail: string; challengeId?: string } {
  return {
    type: PROBLEM_BASE + type,
    ...PROBLEMS[type],
    detail,
    ...(challengeId !== undefined && { challengeId }),
  }
}

/** A seller's report of an error. It is only a claim: the chain alone proves that money moved. */
export type ProblemClaim = {
  /** The type, if we know it. For any other type, only `uri` is set. */
  readonly type: ProblemType | undefined
  readonly uri: string
  readonly title: string | undefined
  readonly status: number | undefined
  readonly detail: string | undefined
  readonly challengeId: string | undefined
}

const BODY_MAX_BYTES = 64 * 1024
const TEXT_MAX_CHARACTERS = 1024

/**
 * Reads a problem document; `undefined` if the body is not one. Members of a wrong type are ignored (RFC 9457, 3.1).
 */
export function readProblem(body: Uint8Array): ProblemClaim | undefined {
  const json = body.length <= BODY_MAX_BYTES ? readJsonObject(body) : undefined
  if (!json) return undefined
  const uri = text(json, 'type') ?? 'about:blank'
  const status = member(json, 'status')
  const claim = {
    type: typeOf(uri),
    uri,
    title: text(json, 'title'),
    status: typeof status === 'number' && status >= 100 && status <= 599 ? status : undefined,
    detail: text(json, 'detail'),
    challengeId: text(json, 'challengeId'),
  }
  const says = claim.title ?? claim.status ?? claim.detail
  return uri === 'about:blank' && says === undefined ? undefined : claim
}

function typeOf(uri: string): ProblemType | undefined {
  const slug = uri.startsWith(PROBLEM_BASE) ? uri.slice(PROBLEM_BASE.length) : ''
  return Object.hasOwn(PROBLEMS, slug) ? (slug as ProblemType) : undefined
}

function text(json: JsonObject, name: string): string | undefined {
  const value = member(json, name)
  return typeof value === 'string' && value !== ''
    ? value.slice(0, TEXT_MAX_CHARACTERS).toWellFormed()
    : undefined
}
