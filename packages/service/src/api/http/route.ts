import type { Static, TObject, TSchema } from 'typebox'
import type { Lane } from '../../base/db/lanes/lane.ts'
import type { Reader, Tx } from '../../base/db/sql.ts'
import type { Costs } from '../../base/kernel/costs.ts'
import type { Problem, ProblemCode } from '../../base/kernel/problem.ts'
import type { Attack } from './attack.ts'
import type { Caller, Scope } from './caller.ts'
import type { Claim } from './idempotency.ts'
import type { Services } from './services.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Shape<S> = S extends TSchema ? Static<S> : undefined

/** The handler's input. `at` is the time of the request; code below a handler never reads the clock. */
export type Context<P, Q, B, R, C> = {
  params: P
  query: Q
  body: B
  caller: C
  /** The caller as rates tell callers apart, also on a public operation: a credential that was seen to be valid, or a network. */
  client: string
  at: Date
  requestId: string
  /** The method and the target of the request line, as they were sent. */
  sent: { method: string; target: string }
  headers: Record<string, string | undefined>
  /** The JSON body as sent; empty without a body. */
  rawBody: string
  services: Services
  /** Aborts when the server closes: an answer that streams ends then. */
  closing: AbortSignal
  /** The request's claimed Idempotency-Key. An operation of several transactions binds its record to the key. */
  claim: Claim | undefined
  /**
   * Runs reads of what everybody is shown and nothing is decided by, on one connection. They may be some seconds old, and may run
   * twice: a request without any credential is answered from the replica, if there is one. Who has a credential sees what
   * it did.
   */
  read<T>(work: (on: Reader) => Promise<T>): Promise<T>
  /**
   * Runs one transaction whose result is the answer. With an Idempotency-Key the answer is stored in the same
   * transaction, so a crash leaves both or neither. An `Answer` is stored after it, as a refusal is. A `Problem` that is
   * returned is thrown after the commit.
   */
  write<A extends R | Answer>(work: (tx: Tx) => Promise<A | Problem>): Promise<A>
  /** As `write`, through a batch lane. `toBody` makes the answer of the outcome, or throws its refusal. */
  submit<I, O, A extends R | Answer>(
    lane: Lane<I, O>,
    intent: I,
    toBody: (outcome: O) => A,
  ): Promise<A>
}

/** An answer that is not plain 200 JSON: a page, a 402, a 202, a stream. An object body is sent as JSON. */
export type Answer = { status: number; headers: Record<string, string | string[]>; body: unknown }
const ANSWER = Symbol('answer')
export const answer = (status: number, body: unknown, headers: Answer['headers'] = {}): Answer =>
  ({ [ANSWER]: true, status, headers, body }) as Answer
const PASSING = Symbol('passing')
/**
 * An answer that is true only for now. It is not stored under the request's Idempotency-Key, so a retry with the key runs
 * again.
 */
export const passing = (body: unknown, status = 200): Answer =>
  ({ ...answer(status, body), [PASSING]: true }) as Answer
const KEPT = Symbol('kept')
/** An answer too long to store under the request's Idempotency-Key: a retry gets `kept` instead. */
export const keeping = (made: Answer, kept: unknown): Answer =>
  ({ ...made, [KEPT]: kept }) as Answer
export const keptOf = (made: Answer): unknown =>
  KEPT in made ? (made as { [KEPT]: unknown })[KEPT] : made.body
export const isPassing = (value: Answer): boolean => PASSING in value
export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && ANSWER in value

/** `currency` defaults to the token of the service's chain. */
export type PaymentWay = {
  method: string
  intent: 'charge'
  currency?: string
  description: string
}

/** Headers, and media types besides the JSON of the route's schemas, of the answers with one status. */
export type Carried = {
  /** By media type. */
  content?: Record<string, TSchema>
  /** Descriptions of headers, by name. */
  headers?: Record<string, string>
}

type RouteFields<P, Q, B, R extends TSchema> = {
  method: Method
  /** With `{name}` placeholders, as in the specification. */
  path: string
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  response: R
  /** Its 200 is a stream of Server-Sent Events, and `response` says so in words. */
  streams?: true
  attack: Attack
  /** The most that a hundred calls cause. */
  costs: Costs
  /** The refusals to expect, beside those that every operation shares. */
  errors: readonly ProblemCode[]
  /** Schemas of other successes than 200, by status. An `answer` with that status is serialized by its schema. */
  otherResponses?: Record<number, TSchema>
  /** The owner of a card may have to approve first: it is answered 202 `approval_required` then. */
  waits?: true
  /** Refusals that this operation answers with 422, also if they have another status elsewhere. */
  rejections?: readonly ProblemCode[]
  /** The ways to pay for this operation by MPP, whatever the amount (draft-payment-discovery `x-payment-info`). */
  payments?: readonly PaymentWay[]
  /** Members of all its refusals, whatever their cause, beside those of every refusal. */
  inRefusals?: { names: readonly string[]; of(services: Services): Record<string, unknown> }
  /** Other media types and statuses of its answers, for the document. */
  alsoAnswers?: Record<number, string>
  /** Headers, and media types beside JSON, of its answers, by status, for the document. */
  carried?: Record<number, Carried>
  hidden?: boolean
  /** For the operators' wallets alone. For any other it does not exist. */
  isForOperators?: true
  /** How often a wallet may call it, for an operation that costs much more than others. */
  perMinute?: number
  /**
   * The 200 that is kept for an Idempotency-Key, with what has become known since. Throws the refusal that it has become.
   * Undefined if it is repeated as it is.
   */
  renewKept?: (kept: unknown, services: Services) => Promise<unknown>
  /** On a public operation that debits cards: a key that is sent along is held to its limits (`debitRefusal`). */
  heedsKey?: true
  /** On a public operation: the owner of the Idempotency-Key, as proved by the body. Without it keys are ignored. */
  keyOwner?: (body: Shape<B>, services: Services) => Promise<string | undefined>
}

/** An endpoint as data. Router, validation, serialization, OpenAPI, SDK and the route tests all use this value. */
export type Route = RouteFields<
  TObject | undefined,
  TObject | undefined,
  TSchema | undefined,
  TSchema
> & {
  auth: 'public' | 'key'
  scope?: Scope | 'any'
  isOpenToSites?: true
  handle(context: Context<never, never, never, unknown, Caller | undefined>): Promise<unknown>
}

type Handler<P, Q, B, R extends TSchema, C> = {
  handle(context: Context<Shape<P>, Shape<Q>, Shape<B>, Static<R>, C>): Promise<Static<R> | Answer>
}

/** `/api/cards/{id}` in Fastify's syntax. */
export const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** An operation that needs a key (or a session). Restricted keys need the scope; `any` asks for none. */
export function keyRoute<
  const P extends TObject | undefined = undefined,
  const Q extends TObject | undefined = undefined,
  const B extends TSchema | undefined = undefined,
  const R extends TSchema = TSchema,
>(route: RouteFields<P, Q, B, R> & { scope: Scope | 'any' } & Handler<P, Q, B, R, Caller>): Route {
  return { ...route, auth: 'key' } as unknown as Route
}

/** Whether scripts of other sites may call it in a browser. Never for operations with a key: pages must hold no key. */
type Openness = { isOpenToSites?: true }

/** An operation that needs no credential. `caller` is known of one that heeds a key, if a key came. */
export function publicRoute<
  const P extends TObject | undefined = undefined,
  const Q extends TObject | undefined = undefined,
  const B extends TSchema | undefined = undefined,
  const R extends TSchema = TSchema,
>(route: RouteFields<P, Q, B, R> & Openness & Handler<P, Q, B, R, Caller | undefined>): Route {
  return { ...route, auth: 'public' } as unknown as Route
}
