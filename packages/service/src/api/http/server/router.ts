import { Readable } from 'node:stream'
import { isDeepStrictEqual as isEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Lane } from '../../../base/db/lanes/lane.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { noOperation, Problem } from '../../../base/kernel/problem.ts'
import { type Caller, checkScope, isOperator, keySpaceOf } from '../caller.ts'
import {
  type Claim,
  claimOf,
  dropKey,
  RENEW_MS,
  renewKey,
  storeAnswers,
  takeKey,
} from '../idempotency.ts'
import { createLeftKeys, type LeftKeys } from '../left-keys.ts'
import { fastifyPath, isAnswer, isPassing, keptOf, type Route } from '../route.ts'
import type { Services } from '../services.ts'
import { dropNulls } from './absent.ts'
import { allowAnyOrigin, answerPreflights } from './cross-origin.ts'
import { missingPage, wantsPage } from './missing-page.ts'
import { readQuery } from './query.ts'

export type Authenticate = (request: FastifyRequest, at: Date) => Promise<Caller>

/** Registers every route, each with the same steps: caller, scope, key, handler, answer. */
export function mountRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  services: Services,
  authenticate: Authenticate,
): void {
  const { schemas } = app
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const leftKeys = createLeftKeys(services, closing.signal)
  const served = { services, leftKeys, closing: closing.signal }
  app.setValidatorCompiler(({ schema }) => schemas.validator(schema as object))
  for (const route of routes) {
    const { perMinute } = route
    const countCostly =
      perMinute !== undefined && app.limitWallets(`${route.method} ${route.path}`, perMinute)
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      config: {
        inRefusals: route.inRefusals?.of(services) ?? {},
        publicUrl: services.settings.publicUrl,
        path: route.path,
      },
      // A HEAD would open a stream that nobody reads.
      exposeHeadRoute: !route.streams,
      schema: {
        ...(route.params ? { params: route.params } : {}),
        ...(route.query ? { querystring: route.query } : {}),
        ...(route.body ? { body: route.body } : {}),
      },
      ...(route.isOpenToSites && { onRequest: allowAnyOrigin }),
      // Authenticate before validation: an unknown caller learns nothing from validation.
      preValidation: async (request, reply) => {
        const at = services.clock.now()
        request.at = at
        if (route.body) dropNulls(request.body, route.body)
        if (route.auth === 'key') {
          request.caller = await authenticate(request, at)
          await app.countWallet(request, reply)
          if (route.isForOperators && !isOperator(services.settings, request.caller.walletAddress))
            throw noOperation(request.method, pathOf(request))
          if (route.scope !== 'any') checkScope(request.caller, route.scope)
        } else if (route.heedsKey && OWN_CREDENTIAL.test(request.headers.authorization ?? '')) {
          request.caller = await authenticate(request, at)
          await app.countWallet(request, reply)
        }
        if (!route.body) checkBodyless(request)
        if (route.query) readQuery(request.query as Record<string, unknown>, route.query)
      },
      handler: countCostly
        ? async (request, reply) => {
            await countCostly(request, reply)
            return handle(route, served, request, reply)
          }
        : (request, reply) => handle(route, served, request, reply),
    })
  }
  answerPreflights(app, routes)
  refuseOtherMethods(app, routes, services.settings.publicUrl)
}

/** Others that are sent to a public operation are none of its business. */
const OWN_CREDENTIAL = /^bearer +(?:purser|tok)_\S+ *$/i

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    at: Date
  }
}

/** Refuses a body that would be ignored. The body of a GET is not read, so its declared length is checked. */
function checkBodyless({ method, headers, body }: FastifyRequest): void {
  const isEmpty =
    method === 'GET' || method === 'HEAD'
      ? !Number(headers['content-length'] ?? 0) && headers['transfer-encoding'] === undefined
      : body === undefined || body === null || isEqual(body, {})
  if (!isEmpty)
    throw new Problem(
      'invalid_request',
      'This operation takes no body. Send the request without one, or see /docs for the operation that you mean.',
    )
}

async function handle(
  route: Route,
  served: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { services, leftKeys } = served
  const claim = await readClaim(route, services, request)
  if (claim) {
    const stored = await services.db
      .write((tx) => takeKey(tx, request.at, claim, services.answerKey))
      .catch((error) => {
        // It may have been committed.
        leftKeys.add(claim, request.at, error)
        throw error
      })
    if (stored) return repeat(route, services, reply, stored)
    reach('http.key_taken')
  }
  using _lease = claim && keepKey(services, claim)
  try {
    const result = await route.handle(contextOf(served, request, claim) as never)
    reach('http.before_answer')
    if (claim && isAnswer(result) && isPassing(result))
      await services.db.write((tx) => dropKey(tx, claim))
    return send(
      { reply, route },
      result,
      claim ? (status, body) => keepAnswer(services, { claim, status, body }) : undefined,
    )
  } catch (error) {
    if (claim)
      await settleKey(services, claim, error, request.id).catch((failed) => {
        leftKeys.add(claim, request.at, failed)
        throw failed
      })
    throw error
  }
}

/** Gives a kept answer again. */
async function repeat(
  route: Route,
  services: Services,
  reply: FastifyReply,
  kept: { status: number; body: string },
): Promise<unknown> {
  reply.header('idempotency-hit', 'true')
  const renewed = kept.status === 200 && (await route.renewKept?.(JSON.parse(kept.body), services))
  if (renewed) return send({ reply, route }, renewed, undefined)
  return reply
    .type('application/json; charset=utf-8')
    .code(kept.status)
    .serializer((text: string) => text)
    .send(kept.body)
}

async function readClaim(
  route: Route,
  services: Services,
  request: FastifyRequest,
): Promise<Claim | undefined> {
  const key = request.headers['idempotency-key']
  if (key === undefined || route.method === 'GET') return undefined
  const { caller, body, url } = request
  const isKeys = route.auth === 'key' && caller !== undefined
  const owner = isKeys ? caller.walletAddress : await route.keyOwner?.(body, services)
  if (owner === undefined) return undefined
  // A restricted key has idempotency keys of its own: it must not get an answer that was given to a stronger key.
  const reader = isKeys ? keySpaceOf(caller) : owner
  return claimOf(String(key), {
    walletAddress: owner,
    reader,
    route: `${route.method} ${route.path}`,
    url,
    body,
  })
}

type Served = { services: Services; leftKeys: LeftKeys; closing: AbortSignal }

function contextOf(
  { services, closing }: Served,
  request: FastifyRequest,
  claim: Claim | undefined,
) {
  return {
    params: request.params,
    query: request.query,
    body: request.body,
    caller: request.caller,
    client: request.client,
    at: request.at,
    requestId: request.id,
    sent: { method: request.method, target: request.originalUrl },
    headers: request.headers,
    rawBody: request.rawBody,
    services,
    closing,
    claim,
    read: <T>(work: (on: Reader) => Promise<T>) =>
      hasCredential(request) ? services.db.together(work) : readAnywhere(services, work),
    write: async (work: (tx: Tx) => Promise<unknown>) => {
      const body = await services.db.write(async (tx) => {
        const made = await work(tx)
        if (claim && !isAnswer(made) && !(made instanceof Problem))
          await storeAnswers(tx, [{ claim, status: 200, body: made }], services.answerKey)
        return made
      })
      if (body instanceof Problem) throw body
      return body
    },
    submit: async <I, O>(lane: Lane<I, O>, intent: I, toBody: (outcome: O) => unknown) => {
      const note = claim && ((outcome: O) => noteOf(claim, () => toBody(outcome)))
      return toBody(await services.lanes.submit(lane, intent, note))
    },
  }
}

const hasCredential = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers.cookie !== undefined

const readAnywhere = <T>(
  { db, replica }: Services,
  work: (on: Reader) => Promise<T>,
): Promise<T> => (replica ? replica.read(work) : db.together(work))

/** The answer to store with an outcome. A refusal is stored later, as every other refusal. */
function noteOf(claim: Claim, toBody: () => unknown) {
  try {
    const body = toBody()
    return isAnswer(body)
      ? { claim, status: body.status, body: body.body }
      : { claim, status: 200, body }
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

type Keep = (status: number, body: unknown) => Promise<void>

async function send(
  { reply, route }: { reply: FastifyReply; route: Route },
  result: unknown,
  keep: Keep | undefined,
): Promise<unknown> {
  if (!isAnswer(result)) {
    await keep?.(200, result)
    return sendShaped(reply.code(200), result, route.response)
  }
  if (result.status < 500 && !isPassing(result)) await keep?.(result.status, keptOf(result))
  reply.code(result.status).headers(result.headers)
  const { body } = result
  if (isRefusal(body)) reply.request.refusedAs = body.code
  if (typeof body === 'string' || body === undefined || isRaw(body)) return reply.send(body ?? '')
  const shape = route.otherResponses?.[result.status]
  if (shape) return sendShaped(reply, body, shape)
  if (!('content-type' in result.headers)) reply.type('application/json; charset=utf-8')
  return reply.serializer(JSON.stringify).send(body)
}

const isRaw = (body: unknown): boolean => body instanceof Readable || Buffer.isBuffer(body)

const isRefusal = (body: unknown): body is { code: string } =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'error' in body

/** Sends the members of the body that the schema names. */
function sendShaped(reply: FastifyReply, body: unknown, schema: object): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8')
  return reply.serializer(reply.server.schemas.serializer(schema, reply)).send(body)
}

/** Stores an answer that no transaction of the handler stored: that of a read, or of an operation in several steps. */
async function keepAnswer(
  services: Services,
  stored: { claim: Claim; status: number; body: unknown },
): Promise<void> {
  await services.db.write(async (tx) => {
    const already = await takeKey(tx, services.clock.now(), stored.claim, services.answerKey).catch(
      (error) => {
        if (error instanceof Problem && error.code === 'idempotency_in_progress') return undefined
        throw error
      },
    )
    if (!already) await storeAnswers(tx, [stored], services.answerKey)
  })
}

/** Renews the request's claim while it runs, so that its key is free soon after a crash. */
function keepKey({ db, clock, log }: Services, claim: Claim): Disposable {
  const timer = setInterval(() => {
    db.write((tx) => renewKey(tx, clock.now(), claim)).catch((error) => {
      log.warn({ err: error }, 'a request could not keep its Idempotency-Key')
    })
  }, RENEW_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Stores a refusal as the key's answer. After a failure of ours, or a refusal that may pass, it frees the key for a retry. */
async function settleKey(
  services: Services,
  claim: Claim,
  error: unknown,
  requestId: string,
): Promise<void> {
  const isOfKey = error instanceof Problem && error.code.startsWith('idempotency_')
  if (isOfKey && !error.isPassing) return
  if (error instanceof Problem && error.status < 500 && error.status !== 429 && !error.isPassing) {
    await keepAnswer(services, { claim, status: error.status, body: problemBody(error, requestId) })
    return
  }
  await services.db.write((tx) => dropKey(tx, claim))
}

export const problemBody = (problem: Problem, requestId: string): Record<string, unknown> => ({
  error: problem.message,
  code: problem.code,
  request_id: requestId,
  ...(problem.param === undefined ? {} : { param: problem.param }),
  ...problem.extra,
})

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? ''

/** A known path with another method answers 405 and lists the allowed methods. Everything else is 404. */
function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly Route[],
  publicUrl: string,
): void {
  const byPath = new Map<string, { pattern: RegExp; methods: string[] }>()
  for (const route of routes) {
    const entry = byPath.get(route.path) ?? {
      pattern: new RegExp(`^${route.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
      methods: [],
    }
    entry.methods.push(route.method, ...(route.method === 'GET' && !route.streams ? ['HEAD'] : []))
    byPath.set(route.path, entry)
  }
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const allowed = [...byPath.values()]
      .filter((entry) => entry.pattern.test(path))
      .flatMap((entry) => entry.methods)
    if (allowed.length === 0 && request.method === 'GET' && wantsPage(request.headers.accept)) {
      const { headers, html } = missingPage(path, publicUrl)
      return reply.code(404).headers(headers).send(html)
    }
    if (allowed.length === 0 || allowed.includes(request.method))
      throw noOperation(request.method, path)
    const allow = [...new Set(allowed)].join(', ')
    throw new Problem(
      'method_not_allowed',
      `${request.method} is not possible here. Use ${allow}.`,
      { headers: { allow } },
    )
  })
}
