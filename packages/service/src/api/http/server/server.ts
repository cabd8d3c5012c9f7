import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { type Outage, outageOf } from '../../../base/db/outage.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { logLevelOf, Problem, type ProblemCode } from '../../../base/kernel/problem.ts'
import { sha256Hex } from '../../../base/kernel/secrets.ts'
import type { OnAnswered } from './answered.ts'
import { answerBelow, answerUnread, HEADERS } from './below.ts'
import { noNul, parseBodies } from './bodies.ts'
import { networkOf } from './client.ts'
import { validationProblem } from './faults.ts'
import { faultOfHead, PAID_BY, replaceStrangeType } from './head.ts'
import { payerPage, troublePage, wantsPage } from './missing-page.ts'
import type { SharedRates } from './rates/shared.ts'
import { problemBody } from './router.ts'
import { createSchemas, type Schemas } from './schemas.ts'
import { traceRequests } from './trace.ts'

const BODY_LIMIT = 256 * 1024
const REQUEST_TIMEOUT_MS = 60_000
/** A payment's header may have 32 KiB. */
const HEAD_MAX_BYTES = 64 * 1024

/** How many valid credentials are remembered. Only the rate limit uses them. */
const KNOWN_MAX = 10_000
/** How many callers have a request counter. The least recently active caller is dropped first. */
const COUNTERS_MAX = 20_000

type ServerOptions = {
  log: Logger
  rateLimitPerMinute: number
  /** The counts of other processes; absent where there are none. */
  sharedRates?: SharedRates
  trustedProxies?: readonly string[]
  now: () => Date
  leaving?: { readonly isLeaving: boolean }
  /** Hears of the requests of callers, after their answers. */
  onAnswered?: OnAnswered
  /** Shared with other servers of this process. */
  schemas?: Schemas
}

/** A server with the rules that every operation shares: request ids, limits, headers, and one error format. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const newRequestId = () => newId('req', options.now())
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // The caller is the connection's address, unless the connection comes from one of these proxies.
    trustProxy: [...(options.trustedProxies ?? [])],
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request without Host is refused in `faultOfHead`: Node's own answer would be empty.
    http: { maxHeaderSize: HEAD_MAX_BYTES, requireHostHeader: false },
    childLoggerFactory: (logger) => logger,
    genReqId: newRequestId,
    clientErrorHandler: (error, socket) => answerUnread(error, socket, newRequestId()),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // `stopping` has the form of every other refusal, and the framework's own answer has not.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // A path that cannot be read has no route, so no hook runs for it.
    frameworkErrors: (error, { id }, reply) => {
      reply.headers(HEADERS).header('x-request-id', id)
      answerProblem(reply as unknown as FastifyReply, toProblem(error), id)
    },
  }) as unknown as FastifyInstance
  answerBelow(app.server, newRequestId)
  app.decorate('schemas', options.schemas ?? createSchemas())
  app.decorateRequest('caller', undefined)
  app.decorateRequest('at', null as unknown as Date)
  app.decorateRequest('credentialKey', undefined)
  app.decorateRequest('client', '')
  app.decorateRequest('rawBody', '')
  traceRequests(app)
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id)
    // The client's next request then opens a new connection, to a process that stays.
    if (options.leaving?.isLeaving) reply.header('connection', 'close')
    replaceStrangeType(request.raw)
    if (isClosing) return done(stopping())
    done(request.url.includes('%00') ? noNul() : faultOfHead(request))
  })
  await compressReads(app)
  await app.register(cookie)
  await limitRates(app, options.rateLimitPerMinute, options.sharedRates)
  parseBodies(app)
  logRequests(app, options.log)
  if (options.onAnswered) reportAnswered(app, options.onAnswered)
  renderErrors(app, options.log)
  return app
}

/** Counts a request for the wallet of its caller. Throws `rate_limited`. */
type WalletLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    schemas: Schemas
    countWallet: WalletLimit
    /** The operation's own limit, if it costs more than others. */
    limitWallets(name: string, perMinute: number): WalletLimit
  }
  interface FastifyRequest {
    /** SHA-256 of the Authorization header, hex. */
    credentialKey: string | undefined
    client: string
    /** The code of the refusal that it was answered with. */
    refusedAs: string | undefined
    /** The JSON body as sent; empty without a body. */
    rawBody: string
  }
}

/**
 * Compresses answers to reads of 1 KiB and more, if the caller asks. Secrets that are shown once, such as a key or a
 * card's token, are answers to a POST and never compressed: next to text of an attacker's choosing, the length of the
 * answer would leak the secret (decision 0035).
 */
async function compressReads(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') route.compress = false
  })
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // A compressed body could bypass the size limit.
    globalDecompression: false,
  })
}

async function limitRates(
  app: FastifyInstance,
  max: number,
  shared: SharedRates | undefined,
): Promise<void> {
  // Only a valid credential has a counter of its own: otherwise made-up credentials would bypass the limit.
  const known = new Set<string>()
  app.addHook('preHandler', (request, _, done) => {
    const key = request.caller && request.credentialKey
    if (key !== undefined && !known.has(key)) {
      if (known.size >= KNOWN_MAX) known.clear()
      known.add(key)
    }
    done()
  })
  await app.register(rateLimit, {
    max,
    timeWindow: 60_000,
    enableDraftSpec: true,
    keyGenerator: (request) => {
      const { authorization } = request.headers
      const key = authorization === undefined ? undefined : sha256Hex(authorization)
      request.credentialKey = key
      const isKnown = key !== undefined && known.has(key)
      request.client = isKnown ? key : networkOf(request.ip)
      return isKnown ? key : request.ip
    },
    errorResponseBuilder: (_, { ttl }) => tooMany(ttl),
    cache: COUNTERS_MAX,
  })
  countWallets(app, max, shared)
}

/** All credentials of a wallet also count together: forty keys do not multiply the limit by forty. */
function countWallets(app: FastifyInstance, max: number, shared: SharedRates | undefined): void {
  app.decorate('limitWallets', (name: string, perMinute: number) =>
    limitWallets(app, { name, max: perMinute, shared }),
  )
  app.decorate('countWallet', limitWallets(app, { name: 'all', max, shared }))
}

type NamedLimit = { name: string; max: number; shared: SharedRates | undefined }

/** All limits share one store of counters, so each limit has a name. */
function limitWallets(app: FastifyInstance, { name, max, shared }: NamedLimit): WalletLimit {
  const nameOf = ({ caller }: FastifyRequest) => `${name} ${caller?.walletAddress ?? ''}`
  const count = app.createRateLimit({
    ...{ max, timeWindow: 60_000, cache: COUNTERS_MAX },
    keyGenerator: nameOf,
  })
  return async (request, reply) => {
    const found = await count(request)
    if (found.isAllowed) return
    if (found.isExceeded) throw tooMany(found.ttl)
    const left = shared?.take(nameOf(request), found.remaining) ?? found.remaining
    if (left < 0) throw tooMany(found.ttl)
    if (left < Number(reply.getHeader('ratelimit-remaining') ?? Infinity))
      reply.headers({
        'ratelimit-remaining': String(left),
        'ratelimit-reset': String(found.ttlInSeconds),
      })
  }
}

const tooMany = (ttlMs: number): Problem => {
  const seconds = Math.ceil(ttlMs / 1000)
  return new Problem('rate_limited', `Too many requests. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds), 'ratelimit-remaining': '0' },
  })
}

function logRequests(app: FastifyInstance, log: Logger): void {
  // The logged fields of a request hold no secret, and redaction would cost more than the log line.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, id } = request
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    const ms = Math.round(reply.elapsedTime)
    lines.info({ id, method, path, status: reply.statusCode, ms }, 'request')
    done()
  })
}

function reportAnswered(app: FastifyInstance, report: OnAnswered): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, at, id, method, url, routeOptions } = request
    if (caller) {
      const query = url.indexOf('?')
      report({
        ...{ id, caller, at, method },
        route: routeOptions.config.path ?? routeOptions.url ?? '',
        path: query < 0 ? url : url.slice(0, query),
        status: reply.statusCode,
        code: request.refusedAs,
        ms: Math.round(reply.elapsedTime),
      })
    }
    done()
  })
}

const BY_FASTIFY_CODE: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 256 KiB.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'Content-Length does not match the body.',
  ],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not valid.'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_request', 'A part of the path is too long to be an id.'],
}

function renderErrors(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    const problem = toProblem(error)
    logFailure(log, request.id, problem)
    request.refusedAs = problem.code
    if (problem.code === 'unauthorized' || problem.code === 'invalid_api_key')
      reply.header('www-authenticate', `Bearer realm="purser"${challengeOf(request)}`)
    return pageAnswer(request, reply, problem) ?? answerProblem(reply, problem, request.id)
  })
}

const challengeOf = ({ routeOptions }: FastifyRequest): string => {
  const { resourceMetadata } = routeOptions.config
  return resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata}"`
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where RFC 9728 describes the resource, for callers without a credential. */
    resourceMetadata?: string
    /** Members that every refusal of the route has. */
    inRefusals?: Record<string, unknown>
    publicUrl?: string
    /** The route's path, with `{name}` for a value. */
    path?: string
  }
}

/** The page of a link, and what its forms lead to. */
const PAYERS = /^\/pay\/\{code\}/

/** A refusal as a page, for a person who opened one. */
function pageAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply | undefined {
  const { path, publicUrl = '' } = request.routeOptions.config
  if (!wantsPage(request.headers.accept)) return undefined
  const shownAs = ({ headers, html }: { headers: object; html: string }) =>
    reply
      .code(problem.status)
      .headers({ ...problem.headers, ...headers })
      .serializer(String)
      .send(html)
  if (!PAYERS.test(path ?? '')) {
    const isPage = problem.status >= 500 && !request.url.startsWith('/api/')
    return isPage ? shownAs(troublePage(request.id)) : undefined
  }
  const { code = '' } = request.params as { code?: string }
  const base = URL.parse(publicUrl)?.pathname.replace(/\/$/, '') ?? ''
  const page = `${base}/pay/${encodeURIComponent(code)}`
  const hasPaid =
    request.method === 'POST' || PAID_BY.some((name) => request.headers[name] !== undefined)
  return shownAs(payerPage({ problem, id: request.id, hasPaid, page }))
}

const answerProblem = (reply: FastifyReply, problem: Problem, id: string): FastifyReply =>
  reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      ...problemBody(problem, id),
      ...urlsOf(problem, reply.routeOptions?.config?.publicUrl),
      ...reply.routeOptions?.config?.inRefusals,
    })

const urlsOf = ({ links }: Problem, publicUrl = ''): Record<string, string> =>
  Object.fromEntries(Object.entries(links).map(([name, path]) => [name, publicUrl + path]))

/** Logs only our own faults as errors with a stack. Failures of others are logged as a short description. */
function logFailure(log: Logger, id: string, problem: Problem): void {
  const level = logLevelOf(problem)
  const { code, cause } = problem
  if (level === 'error') log.error({ id, err: problem, cause }, 'request failed')
  else if (level) log[level]({ id, code, why: whyOf(cause) }, 'request not served')
}

/** The kind of error, without message and stack: a peer may have written those. */
function whyOf(cause: unknown): Record<string, unknown> | undefined {
  if (!(cause instanceof Error)) return undefined
  const { name } = cause
  const { code, kind } = cause as { code?: unknown; kind?: unknown }
  const inner = whyOf(cause.cause)
  return { name, ...(kind ? { kind } : {}), ...(code ? { code } : {}), ...(inner && { inner }) }
}

/** The refusal of a request that a connection in use brings while the server closes. */
const stopping = (): Problem =>
  new Problem(
    'overloaded',
    'This machine stops, and nothing was changed. Ask again in a moment; with the same Idempotency-Key nothing is done twice.',
    { headers: { 'retry-after': '1', connection: 'close' } },
  )

const UNREACHED = [
  'The database is out of reach. Ask again in a moment; with the same Idempotency-Key nothing is done twice.',
  '1',
] as const
/** The sentence for the caller, and after how many seconds another try makes sense. */
const OUTAGES: Partial<Record<Outage, readonly [string, string]>> = {
  unreachable: UNREACHED,
  connections: UNREACHED,
  busy: ['The database took too long, and nothing was changed. Ask again in a moment.', '1'],
}
const WAITS = [
  'The database takes nothing now, and nothing was changed. Ask again in a while.',
  '10',
] as const

function toProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  const outage = outageOf(error)
  if (outage) {
    const [why, seconds] = OUTAGES[outage] ?? WAITS
    return new Problem('overloaded', why, { headers: { 'retry-after': seconds }, cause: error })
  }
  const [code, text] = BY_FASTIFY_CODE[error.code] ?? []
  if (code && text) return new Problem(code, text, { cause: error })
  if (error.validation)
    return validationProblem({
      context: error.validationContext ?? 'body',
      faults: error.validation as Parameters<typeof validationProblem>[0]['faults'],
    })
  if (error instanceof SyntaxError || (error.statusCode === 400 && error.code === undefined))
    return new Problem('invalid_json', 'The body is not valid JSON.', { cause: error })
  if (error.statusCode && error.statusCode < 500)
    return new Problem('invalid_request', 'The request could not be read.', { cause: error })
  return new Problem(
    'internal_error',
    'Something failed on our side. Nothing was changed, or it will be finished; ask again.',
    {
      cause: error,
    },
  )
}
