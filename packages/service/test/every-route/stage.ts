import { expect } from 'vitest'
import type { Route } from '../../src/api/http/route.ts'
import { sql } from '../../src/base/db/sql.ts'
import type { Address } from '../../src/base/kernel/assets.ts'
import { routes } from '../../src/run/app.ts'
import { type Reply, type User, world } from '../world.ts'

/** Everything that a refused request could have changed, counted and summed. */
const FOOTPRINT = sql<Record<string, bigint>>`select
  (select count(*) from ledger_transfers) as transfers, (select count(*) from ledger_holds) as holds,
  (select count(*) from cards) as cards, (select count(*) from pay_links) as links,
  (select count(*) from card_transactions) as transactions, (select count(*) from settlements) as settlements,
  (select count(*) from deposits) as deposits, (select count(*) from api_keys where revoked_at is null) as keys,
  (select coalesce(sum(posted * id), 0) from ledger_accounts) as balances,
  (select coalesce(sum(limit_amount + spent + held), 0) from cards) as counters,
  (select string_agg(status, ',' order by id) from cards) as states,
  (select string_agg(status, ',' order by id) from pay_links) as link_states`

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A world in which two wallets own the same kinds of things. The first is an operator: its reads exist. */
export async function openStage() {
  const operators: Address[] = []
  const w = await world({ settings: { operators } })
  const [mine, theirs] = await Promise.all([w.user({ treasury: 100 }), w.user({ treasury: 100 })])
  operators.push(mine.wallet as Address)
  return {
    ...{ w, mine, theirs },
    ids: await possessions(mine),
    foreign: await possessions(theirs),
    footprint: async () => (await FOOTPRINT.execute(w.db.reader)).rows[0],
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

async function possessions(u: User): Promise<Record<string, string>> {
  const { card } = (await u.post('/api/issue', { purpose: 'x', limit_amount: 5 })).body
  const link = (await u.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  const [key] = (await u.get('/api/keys')).body.keys
  const payer = (await u.post('/api/issue', { purpose: 'payer', limit_amount: 5 })).body.card
  const spare = (await u.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  const paid = await u.post(`/api/pay/${spare.code}/settle`, {
    payer_card_id: payer.id,
    payer_card_token: payer.token,
  })
  return {
    id: card.id,
    card_id: card.id,
    code: link.code,
    hash: key.key_hash,
    txn_id: paid.body.transaction_id,
    txn: paid.body.transaction_id,
  }
}

/** More kinds of things that a wallet has, for each path that names one. */
export async function belongings(u: User): Promise<Record<string, string>> {
  const till = (await u.post('/api/issue', { purpose: 'till', limit_amount: 5 })).body.card
  const link = (await u.post('/api/paylinks', { card_id: till.id, amount: 1, max_uses: 0 })).body
  const tryWith = async (control: object) => {
    const { card } = (await u.post('/api/issue', { purpose: 'x', limit_amount: 5, ...control }))
      .body
    const body = { payer_card_id: card.id, payer_card_token: card.token }
    return { card, reply: (await u.post(`/api/pay/${link.code}/settle`, body)).body }
  }
  const declined = await tryWith({ max_transaction: 0.5 })
  const asked = await tryWith({ approval_above: 0 })
  const paying = (await u.post('/api/issue', { purpose: 'x', limit_amount: 5 })).body.card
  const stream = await u.post('/api/mpp/stream/open', {
    ...{ card_id: paying.id, card_token: paying.token, receiver_card_id: till.id },
    ...{ budget: 2, tick_amount: 1 },
  })
  const webhook = await u.post('/api/webhooks', { url: 'http://127.0.0.1:9/' })
  const address = `0x${'5'.repeat(40)}`
  const added = await u.post('/api/withdrawals/addresses', { address })
  const listing = await u.post('/api/listings', { card_id: till.id, price: 1 })
  return {
    decision: declined.reply.decision_id,
    approval: asked.reply.approval_id,
    stream: stream.body.id,
    webhook: webhook.body.id,
    address: added.body.address.id,
    listing: listing.body.listing.id,
  }
}

/** The kind of thing that `{id}` is in a path; a card in all others. */
const KINDS: readonly (readonly [path: RegExp, kind: string])[] = [
  [/\/payments\//, 'txn'],
  [/^\/api\/decisions\//, 'decision'],
  [/^\/api\/approvals\//, 'approval'],
  [/^\/api\/mpp\/stream\//, 'stream'],
  [/^\/api\/webhooks\/\{id/, 'webhook'],
  [/^\/api\/withdrawals\/addresses\//, 'address'],
  // The listings of others are there to be bought.
  [/^\/api\/listings\/\{id\}$/, 'listing'],
]

/** Every route with its name. */
export const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const)
export const keyed = named.filter(([, route]) => route.auth === 'key')
/** Operations whose path is free text, or that act whatever the body says. */
export const isDevelopment = (route: Route) => route.path.startsWith('/api/dev/')

/** The route's path with these ids in it. */
export const fill = (route: Route, values: Record<string, string>): string =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const kind = name === 'id' && KINDS.find(([path]) => path.test(route.path))?.[1]
    return encodeURIComponent((kind && values[kind]) || (values[name] ?? 'x'))
  })

/** Ids of the same form that nothing has. */
export const unknownOf = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, id]) => {
      const [, prefix = '', rest = ''] = /^(.*_)?(.*)$/.exec(id) ?? []
      return [
        name,
        `${prefix}${(name === 'hash' ? 'f' : /^[A-Z]/.test(prefix) ? 'Z' : 'z').repeat(rest.length)}`,
      ]
    }),
  )

type Field = { type?: string; pattern?: string; minimum?: number; enum?: string[] }
type Fields = { required?: string[]; properties?: Record<string, Field> }

/** Texts of each form that a pattern asks for. */
const FORMS = [
  'x',
  'ACME',
  '5734',
  `0x${'1'.repeat(40)}`,
  `0x${'7'.repeat(64)}`,
  '0x',
  `card_${'z'.repeat(26)}`,
]
/** Fields whose form only the rule knows. */
const KNOWN: Record<string, unknown> = {
  amount: 1,
  start_price: 1,
  token: `tok_${'x'.repeat(43)}`,
  since: '2026-01-01T00:00:00Z',
}

/** A body with its required fields filled so that validation passes. Most rules refuse a text `x`. */
export function sample({
  body,
  path,
}: {
  body?: Route['body']
  path: string
}): Record<string, unknown> {
  const { required = [], properties = {} } = (body ?? {}) as Fields
  // With a word of each closed list somebody else's object is a 404; without one an operation on the wallet is refused.
  const isOwned = path.includes('{')
  const valueFor = (name: string): unknown => {
    const { type, pattern, minimum = 1, enum: words } = properties[name] ?? {}
    if (type === 'integer') return minimum
    if (words) return isOwned ? words[0] : 'x'
    return pattern ? FORMS.find((form) => new RegExp(pattern, 'u').test(form)) : 'x'
  }
  return Object.fromEntries(required.map((name) => [name, KNOWN[name] ?? valueFor(name)]))
}

export function expectRefusal(reply: Reply, what: string): void {
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeGreaterThanOrEqual(400)
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
  expect(reply.body, what).toMatchObject({
    error: expect.any(String),
    code: expect.any(String),
    request_id: expect.stringMatching(/^req_/),
  })
  expect(reply.headers['x-request-id'], what).toBe(reply.body.request_id)
}
