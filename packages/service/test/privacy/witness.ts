import { routes } from '../../src/run/app.ts'
import type { Reply, User, World } from '../world.ts'

/** Ids that are one wallet's business. Settlements, streams, agreements, charges, listings and links are shared. */
const PRIVATE =
  /\b(?:card|txn|dec|ses|mnd|wh|wd|dep|hold|tkn|fee|evt|alm)_[0-9a-hjkmnp-tv-z]{26}\b/g
const KEY_HASH = /(?<="key_hash":")[0-9a-f]{64}/g
const CARD_TOKEN = /\btok_[\w-]{43}/g
/** The words by which the story marks a wallet's own text. */
const MARK = /\bsecret-[a-z-]+\b/g
/** Ids that both parties of a payment, or the public, know an object by. */
const SHARED =
  /\b(?:(?:stl|str|agr|chg|exc|lst|pl)_[0-9a-hjkmnp-tv-z]{26}|PL_[0-9A-HJKMNP-TV-Z]{10})\b/g
const HASH = /\b0x[0-9a-f]{64}\b/g
const ENCODED = /[\w-]{24,}/g

/** The text, and what is written in it as base64: receipts, mandates, headers. */
function readable(text: string): string {
  const parts = [text]
  for (const [word] of text.matchAll(ENCODED)) {
    const decoded = Buffer.from(word, 'base64url').toString()
    if (decoded.startsWith('{') || decoded.startsWith('[')) parts.push(decoded)
  }
  return parts.join('\n')
}

export type Witness = ReturnType<typeof newWitness>

/** Keeps all that one wallet is shown. `known` are ids that another wallet gave to it, or that it bought. */
export function newWitness(name: string) {
  const seen = new Map<string, string[]>()
  const known = new Set<string>()
  const shared = new Set<string>()
  let said = ''
  return {
    name,
    seen,
    known,
    shared,
    /** `asked` are the viewer's own words: an answer that repeats them reveals nothing. */
    see(where: string, text: string, asked = ''): void {
      said += `${asked}\n`
      // The log of its requests repeats what it asked for before.
      const own = readable(where.startsWith('GET /api/requests') ? said : asked)
      const shown = readable(text)
      for (const form of [PRIVATE, KEY_HASH, CARD_TOKEN, MARK])
        for (const [word] of shown.matchAll(form))
          if (!own.includes(word)) seen.set(word, [...(seen.get(word) ?? []), where])
      for (const form of [SHARED, HASH]) for (const [word] of shown.matchAll(form)) shared.add(word)
    },
  }
}

/** The user, whose witness sees every answer. */
export function watched(user: User, witness: Witness): User {
  const see = (what: string, body: unknown, reply: Reply): Reply => {
    const asked = `${what} ${body === undefined ? '' : JSON.stringify(body)}`
    witness.see(`${what} ${reply.status}`, `${JSON.stringify(reply.headers)}\n${reply.text}`, asked)
    return reply
  }
  return {
    ...user,
    get: async (path, options) => see(`GET ${path}`, undefined, await user.get(path, options)),
    post: async (path, body, options) =>
      see(`POST ${path}`, body, await user.post(path, body, options)),
    send: async (method, path, body, options) =>
      see(`${method} ${path}`, body, await user.send(method, path, body, options)),
  }
}

/** The viewer without a key. */
export const stranger = (w: World): User => {
  const call = (method: string, path: string, body?: unknown, options = {}) =>
    w.call(method, path, body, options)
  return {
    wallet: '',
    key: '',
    get: (path: string, options?: object) => call('GET', path, undefined, options),
    post: (path: string, body?: unknown, options?: object) => call('POST', path, body, options),
    send: call,
  } as User
}

/** The ids that a path parameter of a route may be, by the beginning of the route. The first that fits counts. */
const TAKES: readonly (readonly [string, RegExp])[] = [
  ['/api/payments/', /^(txn|stl|str)_|^0x/],
  ['/api/settlement/status/', /^(txn|stl|str)_|^0x/],
  ['/api/cards/', /^card_/],
  ['/api/ap2/mandates/', /^card_/],
  ['/api/ap2/receipts/', /^stl_/],
  ['/api/v1/credentials/', /^card_/],
  ['/api/mpp/stream/', /^str_/],
  ['/api/billing/agreements/', /^agr_/],
  ['/api/exceptions/', /^exc_/],
  ['/api/receipts/', /^stl_/],
  ['/api/approvals/', /^apr_/],
  ['/approvals/', /^apr_/],
  ['/api/keys/', /^[0-9a-f]{64}$/],
  ['/api/requests/', /^req_/],
  ['/api/listings/', /^lst_/],
  ['/api/paylinks/', /^PL_/],
  ['/api/pay/', /^PL_/],
  ['/pay/', /^PL_/],
  ['/logos/', /^[0-9a-f]{64}$/],
  ['/accents/', /^[0-9a-f]{6}$/],
  ['/api/x402/settlements/', /^stl_/],
  ['/api/tokens/', /^tkn_/],
  ['/api/withdrawals/addresses/', /^pad_/],
  ['/api/crt-markets/', /^0x/],
  ['/api/webhooks/deliveries/', /^wh_\w+:evt_/],
  ['/explorer/', /^0x/],
]

const reads = routes.filter(
  // The stream of events does not end; `test` follows it apart. Discovery asks other servers.
  ({ method, path }) =>
    method === 'GET' && path !== '/api/events/stream' && !/discover$/.test(path),
)

type Query = { properties?: Record<string, unknown> }

/** Every path of every operation that reads, with each of these ids in it and in its filters. */
export function readingPaths(ids: readonly string[]): string[] {
  const cards = ids.filter((id) => id.startsWith('card_'))
  const codes = ids.filter((id) => id.startsWith('PL_'))
  const settlements = ids.filter((id) => /^(stl|str)_/.test(id))
  const hooks = ids.filter((id) => id.startsWith('wh_'))
  const events = ids.filter((id) => id.startsWith('evt_'))
  const deliveries = hooks.flatMap((hook) => events.map((event) => `${hook}:${event}`))
  return reads.flatMap(({ path, query }) => {
    const takes = TAKES.find(([start]) => path.startsWith(start))?.[1]
    if (path.includes('{') && !takes) throw new Error(`no ids are known for ${path}`)
    const filled = path.includes('{')
      ? [...ids, ...deliveries]
          .filter((id) => takes?.test(id))
          .map((id) => path.replace(/\{\w+\}/, id))
      : [path]
    const { properties = {} } = (query ?? {}) as Query
    const filters = [
      ...('limit' in properties ? ['limit=100'] : ['']),
      ...('card_id' in properties ? cards.map((id) => `card_id=${id}`) : []),
      ...('pay_link_code' in properties ? codes.map((code) => `pay_link_code=${code}`) : []),
      ...('code' in properties ? codes.map((code) => `code=${code}`) : []),
      ...('webhook_id' in properties ? hooks.map((id) => `webhook_id=${id}`) : []),
      ...('settlement' in properties ? settlements.map((id) => `settlement=${id}`) : []),
    ]
    return filled.flatMap((one) => filters.map((filter) => (filter ? `${one}?${filter}` : one)))
  })
}

export type Leak = { what: string; seenBy: string[] }

/** Each id or word of one wallet that another was shown too, with the answers that showed it. */
export function leaksAmong(witnesses: readonly Witness[]): Leak[] {
  const all = new Set(witnesses.flatMap(({ seen }) => [...seen.keys()]))
  return [...all].flatMap((what) => {
    const by = witnesses.filter(({ seen, known }) => seen.has(what) && !known.has(what))
    const seenBy = by.map(({ name, seen }) => `${name}: ${seen.get(what)?.slice(0, 4).join(', ')}`)
    return by.length > 1 ? [{ what, seenBy }] : []
  })
}
