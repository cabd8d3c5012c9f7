import type { Client } from './client.ts'
import { METHODS, type Resources } from './methods.ts'
import type { operations } from './openapi.ts'
import { checkNames, type NamesOf } from './options/names.ts'

export type { Resources }

export type CallOptions = {
  /** Your own key for this call. By default each call makes one, and sends it with each of its retries. */
  idempotencyKey?: string
  /** Ends the call, with all its retries. */
  signal?: AbortSignal
}

const CALL_NAMES: NamesOf<CallOptions> = { idempotencyKey: true, signal: true }

/** The options of a call. A key under another name would make each repetition a call of its own. */
export function callOf(given: CallOptions | undefined): CallOptions {
  checkNames(given, CALL_NAMES, 'a call')
  return given ?? {}
}

type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never
/** The body that an operation takes. */
export type Body<O extends keyof operations> = operations[O] extends { requestBody?: infer B }
  ? Json<NonNullable<B>>
  : never
/** The body of an operation's success. */
export type Answer<O extends keyof operations> = operations[O] extends {
  responses: { 200: infer R }
}
  ? Json<R>
  : unknown
/** The query that an operation takes. */
export type Query<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>
export type RowOf<O extends keyof operations, M extends string> =
  Answer<O> extends Record<M, (infer R)[]> ? R : never

/** A list: iterate over its rows, whose pages are fetched as you go, or ask for one page. */
export type Pages<Row, Page> = {
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>
  /** The page that the query asks for, with its totals. */
  page(): Promise<Page>
}

type Ask = (path: string, init: object) => Promise<Record<string, unknown>>

/** The lines of all methods, read once: clients are made often. */
const ALL = Object.entries(METHODS).map(([resource, lines]) => ({
  resource,
  methods: Object.entries(lines).map(([name, line]) => ({ name, line: lineOf(line) })),
}))

/** The methods of all resources, which call through the client. */
export function resourcesOf(client: Client): Resources {
  const all: Record<string, Record<string, unknown>> = {}
  for (const { resource, methods } of ALL) {
    const of: Record<string, unknown> = {}
    for (const { name, line } of methods) of[name] = methodOf(client, line)
    all[resource] = of
  }
  return all as Resources
}

const PAGE = 100

type Line = ReturnType<typeof lineOf>

/** A line's parts: the operation, what it takes, and of a list the rows and what names a row. */
function lineOf(line: string) {
  const [method = '', path = '', takes = '', rows, cursor = ''] = line.split(' ')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { method, path, takes, rows, cursor, names }
}

function methodOf(client: Client, { method, path, takes, rows, cursor, names }: Line) {
  const ask = client[method as keyof Client] as Ask
  return (...given: unknown[]) => {
    const values = Object.fromEntries(names.map((name, i) => [name, given[i]]))
    const rest = given.slice(names.length)
    const taken = takes === 'nothing' ? undefined : rest.shift()
    const options = rest[0] as CallOptions | undefined
    const call = async (query?: object) => {
      const { idempotencyKey, signal } = callOf(options)
      return ask(path, {
        params: {
          path: values,
          ...(query && { query }),
          ...(idempotencyKey && { header: { 'Idempotency-Key': idempotencyKey } }),
        },
        ...(signal && { signal }),
        ...(takes === 'body' && taken !== undefined && { body: taken }),
      })
    }
    const query = takes === 'query' ? ((taken ?? {}) as object) : undefined
    if (rows === undefined) return call(query)
    return {
      page: () => call(query),
      [Symbol.asyncIterator]: () => walk(call, { query: query ?? {}, rows, cursor }),
    }
  }
}

async function* walk(
  call: (query: object) => Promise<Record<string, unknown>>,
  of: { query: object; rows: string; cursor: string },
): AsyncGenerator<unknown, void, undefined> {
  let query: { limit?: number; after?: unknown } = { limit: PAGE, ...of.query }
  for (;;) {
    const page = await call(query)
    const rows = page[of.rows] as Record<string, unknown>[]
    yield* rows
    const next = 'next_after' in page ? page.next_after : rows.at(-1)?.[of.cursor]
    const isMore =
      'next_after' in page ? next !== null : (page.has_more ?? rows.length === query.limit)
    if (!isMore || next === undefined) return
    query = { ...query, after: next }
  }
}
