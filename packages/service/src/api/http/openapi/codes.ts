import { PROBLEM_CODES, type ProblemCode } from '../../../base/kernel/problem.ts'
import type { Route } from '../route.ts'

/** Refusals that need no more than a request. */
const OF_ALL = [
  'invalid_request',
  'request_timeout',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
] as const

/**
 * The codes that a route names, and those that the framework may answer to an operation of its kind, in the order of the
 * table. `router.ts` and `server.ts` throw the latter.
 */
export function codesOf(route: Route): ProblemCode[] {
  const codes = new Set<ProblemCode>([...route.errors, ...OF_ALL])
  const add = (...more: ProblemCode[]) => {
    for (const code of more) codes.add(code)
  }
  // A body is parsed before it is known whether the operation takes one.
  if (route.method !== 'GET')
    add('invalid_json', 'invalid_field', 'body_too_large', 'unsupported_media_type')
  for (const part of [route.params, route.query, route.body]) {
    if (!part) continue
    add('invalid_field')
    const text = JSON.stringify(part)
    if (text.includes('"required":[')) add('missing_field')
    if (part !== route.params) add('unknown_field')
    if (text.includes('"type":["number","string"]')) add('invalid_amount')
  }
  if (route.auth === 'key') add('unauthorized', 'invalid_api_key', 'forbidden_scope')
  if (takesKey(route))
    add('invalid_idempotency_key', 'idempotency_conflict', 'idempotency_in_progress')
  return PROBLEM_CODES.filter((code) => codes.has(code))
}

/** Whether the operation looks at an Idempotency-Key. */
export const takesKey = (route: Route): boolean =>
  route.method !== 'GET' && (route.auth === 'key' || route.keyOwner !== undefined)
