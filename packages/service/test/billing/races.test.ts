/** Changes while a charge is decided or written, and workers that do one thing twice. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { all, sql } from '../../src/base/db/sql.ts'
import { chargeAllDue } from '../../src/rails/billing/jobs.ts'
import { pause } from '../until.ts'
import { type Card, type Reply, type World, world } from '../world.ts'
import {
  agree,
  type Billing,
  change,
  chargeAgain,
  create,
  days,
  issueFor,
  loseConnections,
  openBilling,
  shown,
  signedFor,
} from './kit.ts'

let w: World
let other: World
let b: Billing
beforeAll(async () => {
  w = await world()
  other = await w.machine()
  b = await openBilling(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

const daily = (more: object = {}) => ({
  merchant_wallet: b.seller.wallet,
  amount: 1,
  trigger_type: 'interval',
  period_days: 1,
  ...more,
})
const charge = (on: World) => chargeAllDue(on.services, on.now())
const nextDay = () => {
  w.clock.offsetMs += 86_400_000
}

test('two workers, each with the job twice, charge a period once', async () => {
  const card = await issueFor(b.payer, 100)
  const made = [await agree(b.payer, card, daily()), await agree(b.payer, card, daily())]
  for (const day of [2, 3, 4]) {
    nextDay()
    await Promise.all([charge(w), charge(other), charge(w), charge(other)])
    for (const { id } of made) {
      const { agreement, charges } = await shown(b.payer, id)
      expect([agreement.charges_made, charges.length]).toEqual([day, day])
    }
  }
  for (const { id } of made) await change(b.payer, id, 'cancel')
})

type Stop = {
  what: string
  stop: (of: { id: string; card: Card; link: string }) => Promise<Reply>
}
const STOPS: Stop[] = [
  { what: 'paused', stop: ({ id }) => change(b.seller, id, 'pause') },
  { what: 'cancelled', stop: ({ id }) => change(b.payer, id, 'cancel') },
  { what: 'frozen', stop: ({ card }) => b.payer.post(`/api/cards/${card.id}/freeze`) },
  {
    what: 'limited',
    stop: ({ card }) =>
      b.payer.send('PATCH', `/api/cards/${card.id}/controls`, { max_transaction: '0.5' }),
  },
  {
    what: 'without its link',
    stop: ({ link }) => b.seller.send('DELETE', `/api/paylinks/${link}`),
  },
  {
    what: 'revoked',
    stop: async ({ card }) => {
      const { mandates } = (await b.payer.get(`/api/ap2/mandates/${card.id}?kind=open`)).body
      return b.payer.post(`/api/ap2/mandates/${mandates[0].mandate_id}/revoke`)
    },
  },
]

// Each change races the charge of many agreements at once, so that it meets it at different points.
test.each(STOPS)(
  'nothing is charged after the answer to what leaves an agreement $what',
  async ({ stop }) => {
    const made: { id: string; card: Card; link: string }[] = []
    for (let i = 0; i < 6; i++) {
      const card = await issueFor(b.payer, 100)
      const link = await b.newLink(1)
      const { id } = await agree(b.payer, card, {
        ...daily({ merchant_wallet: undefined }),
        pay_link_code: link,
      })
      made.push({ id, card, link })
    }
    nextDay()
    const answered = async (one: (typeof made)[number], i: number) => {
      await pause(i * 4)
      const reply = await stop(one)
      expect(reply.status, reply.text).toBe(200)
      return spentOf(one.card.id)
    }
    const [, , ...spent] = await Promise.all([charge(w), charge(other), ...made.map(answered)])
    await charge(w)
    nextDay()
    await Promise.all([charge(w), charge(other)])
    for (const [i, { card, id }] of made.entries()) {
      expect(await spentOf(card.id)).toBe(spent[i])
      await change(b.payer, id, 'cancel')
    }
  },
)

const spentOf = async (id: string): Promise<number> =>
  (await b.payer.get(`/api/cards/${id}`)).body.card.spent

test('racing creates with one open mandate, on two machines, make one agreement and one payment', async () => {
  const card = await issueFor(b.payer, 100)
  const mandate = await signedFor(b.payer, card, daily())
  const [here, there] = [w, other].map((on) => ({
    ...b.payer,
    post: (path: string, body?: unknown) => on.call('POST', path, body, { key: b.payer.key }),
  }))
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      create((i % 2 ? here : there) ?? b.payer, card, daily(), mandate),
    ),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)])
  expect(await spentOf(card.id)).toBe(1)
})

test('a worker whose connection is lost anywhere leaves each period charged once', async () => {
  const card = await issueFor(b.payer, 100)
  const { id } = await agree(b.payer, card, daily())
  for (let day = 2; day <= 8; day++) {
    nextDay()
    await Promise.allSettled([charge(w), loseConnections(other, day * 2)])
    await chargeAgain(w)
    expect((await shown(b.payer, id)).agreement.charges_made).toBe(day)
  }
  const doubled = await all(
    w.db.reader,
    sql`select agreement_id from agreement_charges where status = 'SUCCEEDED'
      group by agreement_id, period_no having count(*) > 1`,
  )
  expect(doubled).toEqual([])
  expect(await spentOf(card.id)).toBe(8)
})

test('one agreement that cannot be written does not stop the others of its batch', async () => {
  const card = await issueFor(b.payer, 100)
  const made: { id: string }[] = []
  for (let i = 0; i < 5; i++) made.push(await agree(b.payer, card, daily()))
  // A trigger of the test fails this one's charge.
  const [poison = { id: '' }] = made
  await sql`create function poison() returns trigger language plpgsql as $$ begin
    raise exception 'poison' using errcode = 'check_violation'; end $$`.execute(w.db.reader)
  await sql
    .raw(`create trigger poison before insert on agreement_charges for each row
    when (new.agreement_id = '${poison.id}') execute function poison()`)
    .execute(w.db.reader)
  await w.advance(86_400)
  await expect(charge(w)).rejects.toThrow('poison')
  const counts = []
  for (const { id } of made) counts.push((await shown(b.payer, id)).agreement.charges_made)
  expect(counts).toEqual([1, 2, 2, 2, 2])
  await sql`drop trigger poison on agreement_charges`.execute(w.db.reader)
  await sql`drop function poison`.execute(w.db.reader)
  await days(w, 0)
  expect((await shown(b.payer, poison.id)).agreement.charges_made).toBe(2)
})
