import { PROBLEM_CODES, type ProblemCode, statusOf } from '../../../base/kernel/problem.ts'
import type { Route } from '../route.ts'
import { pascal } from './names.ts'

/** Refusals of the server itself, and of whatever reads a request. */
const OF_ALL: readonly ProblemCode[] = [
  'invalid_request',
  'invalid_json',
  'missing_field',
  'unknown_field',
  'invalid_field',
  'invalid_amount',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
]
const OF_KEYS: readonly ProblemCode[] = [
  'unauthorized',
  'invalid_api_key',
  'forbidden_scope',
  'origin_not_allowed',
]
/** Refusals of a key that came along where none is needed. */
const OF_KEYS_ALONG: readonly ProblemCode[] = ['invalid_api_key', 'forbidden_scope']
const OF_REPEATS: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_conflict',
  'idempotency_in_progress',
]

/** The refusals that operations of its kind have in common: `router.ts` and `server.ts` throw them. */
export const commonCodes = (route: Route): ProblemCode[] =>
  inOrder([
    ...OF_ALL,
    ...(route.auth === 'key' ? OF_KEYS : route.heedsKey ? OF_KEYS_ALONG : []),
    ...(takesKey(route) ? OF_REPEATS : []),
  ])

/**
 * The codes that a route names with one status and, where there are any, those of the common ones that a request for it
 * can get with this status.
 */
export function codesAt(route: Route, status: number): ProblemCode[] {
  const own = ownCodes(route)
  return inOrder([...own, ...commonCodes(route)]).filter(
    (code) => statusOf(code) === status && (own.includes(code) || canGet(route, code)),
  )
}

/** The codes that the route names and that are not common. */
export function ownCodes(route: Route): ProblemCode[] {
  const common = commonCodes(route)
  return route.errors.filter((code) => !common.includes(code))
}

/** Whether a request for the operation can be refused with a common code of reading it, or the route says that it is. */
function canGet(route: Route, code: ProblemCode): boolean {
  if (route.errors.includes(code)) return true
  const text = JSON.stringify([route.query, route.body])
  switch (code) {
    // A body is parsed before it is known whether the operation takes one.
    case 'invalid_json':
    case 'body_too_large':
    case 'unsupported_media_type':
      return route.method !== 'GET'
    case 'missing_field':
      return text.includes('"required":[')
    case 'unknown_field':
      return route.query !== undefined || route.body !== undefined
    case 'invalid_amount':
      return text.includes('"type":["number","string"]')
    default:
      return true
  }
}

const inOrder = (codes: readonly ProblemCode[]): ProblemCode[] =>
  PROBLEM_CODES.filter((code) => codes.includes(code))

/** Whether the operation looks at an Idempotency-Key. */
export const takesKey = (route: Route): boolean =>
  route.method !== 'GET' && (route.auth === 'key' || route.keyOwner !== undefined)

const COMMON = new Set<string>([...OF_ALL, ...OF_KEYS, ...OF_REPEATS])

/** A name for a refusal with these codes: the first of those that are not common, or as many as are asked for. */
export function nameOfCodes(codes: readonly string[], words: number): string {
  const own = codes.filter((code) => !COMMON.has(code)).slice(0, words)
  if (own.length > 0) return own.map(pascal).join('Or')
  const isChange = codes.includes('idempotency_conflict')
  return `Refused${isChange ? 'Change' : ''}${codes.includes('unauthorized') ? 'WithKey' : ''}`
}
