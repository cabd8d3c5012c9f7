import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { isLost } from '../db/sql.ts'
import { newId } from '../kernel/ids.ts'
import { Problem, type ProblemCode } from '../kernel/problem.ts'
import { sha256Hex } from '../kernel/secrets.ts'
import { problemBody } from './router.ts'

const BODY_LIMIT = 256 * 1024
const REQUEST_TIMEOUT_MS = 60_000

/** Credentials that are remembered to be good, for the rate limit alone. */
const KNOWN_MAX = 10_000
/** As deep as a body may nest: far beyond any that means something, far below what overflows the stack. */
const DEPTH_MAX = 64

type ServerOptions = { log: Logger; rateLimitPerMinute: number; now: () => Date }

/** A server with the manners that every operation shares: ids, limits, headers, and one shape of error. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => newId('req', options.now()),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
  }) as unknown as FastifyInstance
  app.decorateRequest('caller', undefined)
  app.decorateRequest('at', null as unknown as Date)
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      useDefaults: false,
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    hsts: { maxAge: 31_536_000, includeSubDomains: true },
  })
  await app.register(cookie)
  // A credential counts for itself once it has proved good: a made-up one would be a way around the limit.
  const known = new Set<string>()
  app.addHook('preHandler', async (request) => {
    const hash = request.caller && hashOfCredential(request)
    if (hash === undefined || known.has(hash)) return
    if (known.size >= KNOWN_MAX) known.clear()
    known.add(hash)
  })
  await app.register(rateLimit, {
    max: options.rateLimitPerMinute,
    timeWindow: 60_000,
    enableDraftSpec: true,
    keyGenerator: (request) => {
      const hash = hashOfCredential(request)
      return hash !== undefined && known.has(hash) ? hash : request.ip
    },
    errorResponseBuilder: (_, context) =>
      new Problem('rate_limited', `Too many requests. Try again in ${context.after}.`, {
        headers: { 'retry-after': String(Math.ceil(context.ttl / 1000)) },
      }),
  })
  parseBodies(app)
  app.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) throw noNul()
  })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, id } = request
    const path = url.split('?')[0]
    options.log.info(
      { id, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
  })
  renderErrors(app, options.log)
  return app
}

function hashOfCredential({ headers }: FastifyRequest): string | undefined {
  return headers.authorization === undefined ? undefined : sha256Hex(headers.authorization)
}

/** JSON, and nothing else; an empty body is no body, whatever its media type says. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>(
    /^application\/(?:[\w.+-]+\+)?json(?:;|$)/i,
    { parseAs: 'string' },
    (request, body, done) => {
      if (body.trim() === '') done(null, undefined)
      else if (body.includes('\\u0000')) done(noNul())
      else
        void parse(request, body, (error, json) => {
          done(error ?? faultOf(json), json)
        })
    },
  )
}

/** Why a body that is JSON can neither be stored nor written again. */
function faultOf(json: unknown): Problem | null {
  let level = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX)
      return new Problem('invalid_field', `The body nests more than ${DEPTH_MAX} levels deep.`)
    if (level.some((value) => typeof value === 'string' && !value.isWellFormed()))
      return new Problem('invalid_field', 'Text may not hold half of a surrogate pair (\\ud800).')
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.entries(value).flat() : [],
    )
  }
  return null
}

/** PostgreSQL's text holds any character but NUL, and nobody's purpose or memo needs it. */
const noNul = (): Problem =>
  new Problem('invalid_field', 'Text may not hold the NUL character (\\u0000). Leave it out.')

const BY_FASTIFY_CODE: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 256 KiB.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid_json', 'The body is not valid JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'invalid_request',
    'Content-Length does not match the body.',
  ],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not valid.'],
}

function renderErrors(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    const problem = toProblem(error)
    if (problem.status >= 500)
      log.error({ id: request.id, err: error, cause: error.cause }, 'request failed')
    if (problem.code === 'unauthorized' || problem.code === 'invalid_api_key')
      reply.header('www-authenticate', 'Bearer realm="purser"')
    return reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(problemBody(problem, request.id))
  })
}

function toProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  if (isLost(error))
    return new Problem(
      'overloaded',
      'The database is out of reach. Ask again in a moment; with the same Idempotency-Key nothing is done twice.',
      { headers: { 'retry-after': '1' }, cause: error },
    )
  const [code, text] = BY_FASTIFY_CODE[error.code] ?? []
  if (code && text) return new Problem(code, text, { cause: error })
  if (error.validation) return validationProblem(error)
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

/** One sentence for the first fault that validation found, naming its field. */
function validationProblem(error: FastifyError): Problem {
  const [fault] = error.validation ?? []
  const at = (fault?.instancePath ?? '').slice(1).replaceAll('/', '.')
  const params = (fault?.params ?? {}) as { missingProperty?: string; additionalProperty?: string }
  const name = (leaf: string) => (at ? `${at}.${leaf}` : leaf)
  if (fault?.keyword === 'required' && params.missingProperty) {
    const param = name(params.missingProperty)
    return new Problem('missing_field', `${param} is required.`, { param })
  }
  if (fault?.keyword === 'additionalProperties' && params.additionalProperty) {
    const param = name(params.additionalProperty)
    return new Problem(
      'unknown_field',
      `${param} is not a field of this operation. Leave it out, or check its spelling.`,
      { param },
    )
  }
  const where = at || error.validationContext || 'body'
  return new Problem('invalid_field', `${where} ${fault?.message ?? 'is not valid'}.`, {
    param: where,
  })
}
