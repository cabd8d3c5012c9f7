import { PROBLEM_CODES, type ProblemCode, statusOf } from '../../../base/kernel/problem.ts'
import { APPROVAL_ANSWER } from '../fields.ts'
import type { Route } from '../route.ts'
import { addCarried } from './carried.ts'
import { codesAt, commonCodes, ownCodes } from './codes.ts'
import { refusalSchema } from './error-members.ts'
import { plain } from './plain.ts'
import type { Content, OpenApiResponse, Operation, Schema } from './shape.ts'

/** The answers of an operation by status. `default` is a refusal that all operations of its kind have in common. */
export function responsesOf(route: Route): Operation['responses'] {
  const responses: Operation['responses'] = successesOf(route)
  const rejections = PROBLEM_CODES.filter((code) => route.rejections?.includes(code))
  const statuses = [
    ...Object.keys(route.alsoAnswers ?? {}).map(Number),
    ...ownCodes(route).map(statusOf),
    ...(rejections.length > 0 ? [REJECTED] : []),
  ]
  for (const status of [...new Set(statuses)].sort()) {
    if (responses[status]) continue
    const codes = [...codesAt(route, status), ...(status === REJECTED ? rejections : [])]
    responses[status] = otherResponse(route, { status, codes })
  }
  if (route.waits && !responses[WAITS])
    responses[WAITS] = otherResponse(route, { status: WAITS, codes: ['approval_required'] })
  responses.default = otherResponse(route, { status: 0, codes: commonCodes(route) })
  addCarried(responses, route.carried)
  return responses
}

const REJECTED = 422
const WAITS = 202

function successesOf(route: Route): Operation['responses'] {
  const also = route.alsoAnswers ?? {}
  const type = route.streams ? 'text/event-stream' : 'application/json'
  const others = Object.entries(route.otherResponses ?? {}).map(([status, body]) => [
    status,
    {
      description: also[Number(status)] ?? 'Success',
      content: jsonContent(plain(body)),
    },
  ])
  return {
    200: {
      description: also[200] ? `Success. ${also[200]}` : 'Success',
      content: { [type]: { schema: plain(route.response) } },
    },
    ...Object.fromEntries(others),
  }
}

/** A refusal with one of the codes, or an answer that the route says in words alone. */
function otherResponse(
  route: Route,
  { status, codes }: { status: number; codes: readonly ProblemCode[] },
): OpenApiResponse {
  const names = [
    ...(codes.includes('rate_limited') ? ['X-Request-Id', ...RATE_HEADERS] : []),
    ...(codes.some((code) => RETRY_CODES.includes(code)) ? ['Retry-After'] : []),
  ]
  return {
    description: route.alsoAnswers?.[status] ?? MEANINGS[status] ?? 'Any other refusal',
    ...(names.length > 0 ? { headers: headersOf(names) } : {}),
    ...(codes.length > 0
      ? { content: jsonContent(refusalSchema(codes, route.inRefusals?.names)) }
      : status < 300
        ? { content: jsonContent({ type: 'object' }) }
        : {}),
  }
}

/** The meaning of each status; the codes tell more. */
const MEANINGS: Readonly<Record<number, string>> = {
  202: APPROVAL_ANSWER,
  400: 'Not a valid request',
  401: 'No good credential',
  402: 'A payment is due first',
  403: 'Not allowed',
  404: 'No such object of yours',
  409: 'Not in this state',
  410: 'It is over',
  422: 'Understood, but not possible',
  429: 'Too much at once',
  502: 'Another server failed',
  503: 'Not now',
}

/** Codes of refusals that a caller should repeat later. */
const RETRY_CODES: readonly ProblemCode[] = [
  'idempotency_in_progress',
  'rate_limited',
  'funds_in_flight',
  'authorization_in_flight',
  'payer_waits',
  'approvals_wait',
  'token_waits',
  'seller_waits',
  'gas_budget_spent',
  'payout_cap_reached',
  'overloaded',
  'settlement_pending',
  'transaction_pending',
]

export const jsonContent = (schema: Schema): Content => ({ 'application/json': { schema } })

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
})
export const HEADERS: Readonly<Record<string, Schema>> = {
  'X-Request-Id': header('Names this request; quote it when you ask for help', 'string'),
  'RateLimit-Limit': header('Requests allowed in the window', 'integer'),
  'RateLimit-Remaining': header('Requests left in the window', 'integer'),
  'RateLimit-Reset': header('Seconds until the window ends', 'integer'),
  'Retry-After': header('Seconds after which to ask again', 'integer'),
}
const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const headersOf = (names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
