import createClient, {
  type FetchResponse,
  type MaybeOptionalInit,
  type Middleware,
} from 'openapi-fetch'
import { randomUuid } from './crypto/uuid.ts'
import { laneOf } from './lane.ts'
import { ANSWERS, type paths, REPEATABLE } from './openapi.ts'
import { type Hooks, observed } from './options/hooks.ts'
import { checkNames, FETCH_NAMES, type NamesOf } from './options/names.ts'
import { callService, type Fetch } from './retry.ts'

export type ClientOptions = Hooks & {
  /** The service's address, e.g. `http://127.0.0.1:4021`. */
  baseUrl: string
  /** An API key or session token. Public operations need none. */
  apiKey?: string
  /** Used instead of the global `fetch`, which takes the same two arguments. Pass the signal on: it frees the connection. */
  fetch?: Fetch
  /** How often a failed call is retried, if that is safe. Default: 3. */
  retries?: number
  /** The time limit of a call with all its retries. Default: 90,000. */
  timeoutMs?: number
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: unknown } ? P : never
}[keyof paths]
type Init<P extends keyof paths, M extends Method> = MaybeOptionalInit<paths[P], M & keyof paths[P]>
/** 202 is an operation's own answer with more members, or a payment that waits for a person: that one is thrown. */
type Decided<T> =
  // biome-ignore lint/suspicious/noExplicitAny: the shape that openapi-fetch asks of an operation
  T extends Record<string | number, any>
    ? T extends { responses: infer R }
      ? Omit<T, 'responses'> & { responses: Omit<R, 202> }
      : T
    : never
type Success<T> = Extract<
  FetchResponse<Decided<T>, unknown, 'application/json'>,
  { error?: never }
>['data']
/** Resolves with the body of a successful answer; throws `PurserError` for every other. */
type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...init: undefined extends Init<P, M> ? [init?: Init<P, M>] : [init: Init<P, M>]
) => Promise<Success<paths[P][M & keyof paths[P]]>>

/** Every operation of the service, typed by its document. */
export type Client = {
  GET: Call<'get'>
  POST: Call<'post'>
  PUT: Call<'put'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

const CLIENT_NAMES: NamesOf<ClientOptions> = {
  baseUrl: true,
  apiKey: true,
  fetch: true,
  retries: true,
  timeoutMs: true,
  onRequest: true,
  onResponse: true,
}

/** A client of the service at `baseUrl`. It connects on the first call. */
export function createPurserClient(options: ClientOptions): Client {
  checkNames(options, CLIENT_NAMES, 'createPurser')
  const { retries = 3, timeoutMs = 90_000 } = options
  const client = createClient<paths, 'application/json'>({
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    ...(options.apiKey ? { headers: { authorization: `Bearer ${options.apiKey}` } } : {}),
  })
  client.use(nameRequests)
  const call =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
    async (path: string, init: CallInit = {}): Promise<unknown> => {
      checkNames(init, INIT_NAMES, method)
      checkNames(init.params, PARAMS_NAMES, 'params')
      checkNames(init.params?.header, HEADER_NAMES, 'params.header')
      // The signal is not the Request's, which would follow it weakly and leave a listener on it.
      const { signal, fetch = options.fetch ?? globalFetch, ...rest } = init
      const { parseAs = 'json' } = rest
      const members = ANSWERS[`${method} ${path}`] ?? ''
      const calling = {
        fetch: observed(fetch, options),
        ...{ retries, timeoutMs, signal: signal ?? undefined, parseAs, members },
      }
      const ask = client[method] as (path: string, init: object) => Promise<{ data?: unknown }>
      const lane = laneOf(rest.body)
      const send = (request: Request) => {
        if (lane) request.headers.set('x-purser-lane', lane)
        return callService(calling, request)
      }
      return (await ask(path, { ...rest, fetch: send })).data
    }
  return {
    GET: call('GET'),
    POST: call('POST'),
    PUT: call('PUT'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
  } as unknown as Client
}

/** The members of a call's options that are handled here. */
type CallInit = {
  signal?: AbortSignal | null
  fetch?: Fetch
  parseAs?: 'json' | 'stream' | 'other'
  body?: unknown
  params?: { header?: object }
}

/** The options of openapi-fetch. A key or a limit under any other name would not be sent. */
const INIT_NAMES: Readonly<Record<string, true>> = {
  params: true,
  parseAs: true,
  fetch: true,
  baseUrl: true,
  querySerializer: true,
  bodySerializer: true,
  pathSerializer: true,
  middleware: true,
  ...FETCH_NAMES,
}
const PARAMS_NAMES = { path: true, query: true, header: true, cookie: true } as const
const HEADER_NAMES = { 'Idempotency-Key': true, 'idempotency-key': true } as const

export const globalFetch: Fetch = (request, init) => globalThis.fetch(request, init)

/** One key per call, made before the first attempt, so that all attempts send the same key. */
const nameRequests: Middleware = {
  onRequest({ request, schemaPath }) {
    if (!REPEATABLE.has(`${request.method} ${schemaPath}`)) return undefined
    if (request.headers.has('idempotency-key')) return undefined
    request.headers.set('idempotency-key', randomUuid())
    return request
  },
}
