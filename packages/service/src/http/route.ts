import type { Static, TObject, TSchema } from 'typebox'
import type { Lane } from '../db/lanes/lane.ts'
import type { Tx } from '../db/sql.ts'
import type { Problem, ProblemCode } from '../kernel/problem.ts'
import type { Caller, Scope } from './caller.ts'
import type { Claim } from './idempotency.ts'
import type { Carried } from './openapi/carried.ts'
import type { Services } from './services.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Shape<S> = S extends TSchema ? Static<S> : undefined

/** What a handler is given. `at` is the time of the request; nothing below asks the clock again. */
export type Context<P, Q, B, R, C> = {
  params: P
  query: Q
  body: B
  caller: C
  at: Date
  requestId: string
  headers: Record<string, string | undefined>
  /** The JSON body as it was sent; empty where there is none. */
  rawBody: string
  services: Services
  /** The request's Idempotency-Key, taken; for operations of several transactions to bind their record to. */
  claim: Claim | undefined
  /**
   * One transaction whose result is the answer: with an Idempotency-Key the answer is stored in that same
   * transaction, so a crash leaves both or neither. An `Answer` is stored after it, as a refusal is. A `Problem` that is
   * returned is thrown once what was written stands.
   */
  write<A extends R | Answer>(work: (tx: Tx) => Promise<A | Problem>): Promise<A>
  /** As `write`, through a batch lane. `toBody` throws the outcome's refusal, or makes the answer. */
  submit<I, O, A extends R | Answer>(
    lane: Lane<I, O>,
    intent: I,
    toBody: (outcome: O) => A,
  ): Promise<A>
}

/** An answer that is not plain 200 JSON: a page, a 402, a 202. JSON is written for an object body. */
export type Answer = { status: number; headers: Record<string, string | string[]>; body: unknown }
const ANSWER = Symbol('answer')
export const answer = (status: number, body: unknown, headers: Answer['headers'] = {}): Answer =>
  ({ [ANSWER]: true, status, headers, body }) as Answer
const PASSING = Symbol('passing')
/**
 * A 200 that is true only for now: it is not kept for the request's Idempotency-Key, so that a retry with the key asks
 * again.
 */
export const passing = (body: unknown): Answer =>
  ({ ...answer(200, body), [PASSING]: true }) as Answer
const KEPT = Symbol('kept')
/** An answer that is too long to be kept for the request's Idempotency-Key: a retry is given `kept` in its place. */
export const keeping = (made: Answer, kept: unknown): Answer =>
  ({ ...made, [KEPT]: kept }) as Answer
export const keptOf = (made: Answer): unknown =>
  KEPT in made ? (made as { [KEPT]: unknown })[KEPT] : made.body
export const isPassing = (value: Answer): boolean => PASSING in value
export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && ANSWER in value

/** `currency` is the token of the service's chain where none is named. */
export type PaymentWay = {
  method: string
  intent: 'charge'
  currency?: string
  description: string
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
  /** The refusals a caller should expect, beyond those that every operation shares. */
  errors: readonly ProblemCode[]
  /** Bodies of other successes than 200, by status: an `answer` of one is written as its schema says. */
  otherResponses?: Record<number, TSchema>
  /** Refusals that this operation answers with 422, whatever status they have elsewhere. */
  rejections?: readonly ProblemCode[]
  /** The ways to pay for this operation by MPP, whatever the amount (draft-payment-discovery `x-payment-info`). */
  payments?: readonly PaymentWay[]
  /** Other media types and statuses it may answer with, for the document. */
  alsoAnswers?: Record<number, string>
  /** Media types beside JSON and headers of its answers, by status, for the document. */
  carried?: Record<number, Carried>
  hidden?: boolean
  /** How often a wallet may call it, where one call costs much more than others do. */
  perMinute?: number
  /** On a public operation: whose Idempotency-Key it is, once the body has proved it; nobody's otherwise. */
  keyOwner?: (body: Shape<B>, services: Services) => Promise<string | undefined>
}

/** An endpoint as data: this one value feeds router, validation, serialization, OpenAPI, SDK and the route tests. */
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

/** `/api/cards/{id}` as Fastify writes it. */
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

/** Scripts of other sites may call it in a browser. No operation with a key is: its key has no place in a page. */
type Openness = { isOpenToSites?: true }

/** An operation that anybody may call. */
export function publicRoute<
  const P extends TObject | undefined = undefined,
  const Q extends TObject | undefined = undefined,
  const B extends TSchema | undefined = undefined,
  const R extends TSchema = TSchema,
>(route: RouteFields<P, Q, B, R> & Openness & Handler<P, Q, B, R, undefined>): Route {
  return { ...route, auth: 'public' } as unknown as Route
}
