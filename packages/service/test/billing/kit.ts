import { expect } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { chargeAllDue } from '../../src/rails/billing/jobs.ts'
import { open } from '../actors/attack-kit.ts'
import { pause, until } from '../until.ts'
import type { Card, Reply, User, World } from '../world.ts'

/** A payer with cards, and a seller with a RECURRING link that takes AP2. */
export async function openBilling(w: World, treasury = 10_000) {
  const [payer, seller] = [await w.user({ treasury }), await w.user({ treasury: 10 })]
  const till = await seller.card()
  const card = await issueFor(payer, treasury / 2)
  const newLink = async (amount: number | string | null = 10, more: object = {}) =>
    (await open(seller, till, { amount, type: 'RECURRING', max_uses: 0, ...more })).code
  return { payer, seller, till, card, newLink, link: await newLink() }
}
export type Billing = Awaited<ReturnType<typeof openBilling>>

export async function issueFor(user: User, limit: number, more: object = {}): Promise<Card> {
  const made = await user.post('/api/issue', { purpose: 'x', limit_amount: limit, ...more })
  expect(made.status, made.text).toBe(200)
  return made.body.card
}

/** The fields of an order that say who pays whom, how much and when. */
export type Asked = Record<string, unknown>

/** The fields that `prepare` takes and `create` does not. */
const LIMITS = ['max_occurrences', 'budget', 'expires_in']
const without = (asked: Asked, names: readonly string[]): Asked =>
  Object.fromEntries(Object.entries(asked).filter(([name]) => !names.includes(name)))

export const prepare = (user: User, asked: Asked): Promise<Reply> =>
  user.post(
    '/api/billing/agreements/prepare',
    without(asked, ['card_token', 'plan_ref', 'description']),
  )

/** Has a key prepared and the service sign the open mandate that is proposed, or what `change` makes of it. */
export async function signedFor(
  user: User,
  card: Card,
  asked: Asked,
  change: (content: any) => unknown = (content) => content,
): Promise<string> {
  const prepared = await prepare(user, { payer_card_id: card.id, ...asked })
  expect(prepared.status, prepared.text).toBe(200)
  const signed = await user.post('/api/ap2/open-mandate', {
    card_id: card.id,
    card_token: card.token,
    content: change(prepared.body.content),
  })
  expect(signed.status, signed.text).toBe(200)
  return signed.body.mandate
}

export const create = (user: User, card: Card, asked: Asked, mandate: string): Promise<Reply> =>
  user.post('/api/billing/agreements', {
    payer_card_id: card.id,
    card_token: card.token,
    open_mandate: mandate,
    ...without(asked, LIMITS),
  })

/** Makes an agreement, from the key to the first charge. */
export async function agree(user: User, card: Card, asked: Asked): Promise<any> {
  const made = await create(user, card, asked, await signedFor(user, card, asked))
  expect(made.status, made.text).toBe(200)
  return made.body.agreement
}

export const monthly = (link: string, more: Asked = {}): Asked => ({
  pay_link_code: link,
  amount: 10,
  trigger_type: 'interval',
  period_months: 1,
  ...more,
})

/** The agreement and its charges, as this user sees them. */
export const shown = async (user: User, id: string): Promise<{ agreement: any; charges: any[] }> =>
  (await user.get(`/api/billing/agreements/${id}`)).body

export const change = (user: User, id: string, verb: string, body?: object): Promise<Reply> =>
  user.post(`/api/billing/agreements/${id}/${verb}`, body)

const DAY_SECONDS = 86_400
/** Moves the clock by days and charges what is due then, as the job of every minute does. */
export async function days(w: World, count: number): Promise<void> {
  await w.advance(count * DAY_SECONDS)
  await chargeAllDue(w.services, w.now())
}

/** Ends every connection that is at work on the database after `afterMs`, and waits until the server has ended them. */
export async function loseConnections(by: World, afterMs: number): Promise<void> {
  await pause(afterMs)
  await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(
    by.db.reader,
  )
}

/** Runs the job until it succeeds, as the queue does. A pool may give out a lost connection once more. */
export const chargeAgain = (w: World) =>
  until(
    () => chargeAllDue(w.services, w.now()).then(() => 'charged', String),
    (seen) => expect(seen).toBe('charged'),
  )
