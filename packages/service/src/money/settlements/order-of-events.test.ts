/** If two events concern one card or link, the one with the larger `seq` is later, whichever service wrote it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Held, issue, open, payWith } from '../../../test/actors/attack-kit.ts'
import { eventsFor } from '../../../test/events-of.ts'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { all, sql, type Tx } from '../../base/db/sql.ts'
import { lockLinks } from '../../links/link/store.ts'
import {
  type CardPaymentOutcome,
  cardPaymentLane,
} from '../../links/pay-links/methods/card/settle.ts'
import { freezeCard } from '../cards/controls/freeze.ts'

let w: World
let other: World
let seller: User
let buyer: User
let till: Held
beforeAll(async () => {
  w = await world()
  other = await w.machine()
  ;[seller, buyer] = await Promise.all([w.user({ treasury: 20 }), w.user({ treasury: 50 })])
  till = await issue(seller, 1)
  // The first payment of a database opens the account of the fees, and others wait for it.
  await payWith(w, (await newLink()).code, await issue(buyer, 1))
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

/** Does the work in a transaction, and keeps its locks until `end` is called. */
async function holding(work: (tx: Tx) => Promise<unknown>) {
  const gate = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const done = w.write(async (tx) => {
    await work(tx)
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  return async () => {
    gate.resolve()
    await done
  }
}

/** Waits until a statement of this database waits for a lock. */
async function untilWaiting(): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(
    () => all(w.db.reader, waiting),
    ({ length }) => length > 0,
    { everyMs: 5 },
  )
}

const newLink = () => open(seller, till, { type: 'RECURRING', max_uses: 0 })

/** A payment as the route hands it to the lane of its process: those of one turn are one batch. */
const submit = (machine: World, code: string, card: Held) =>
  machine.services.lanes.submit(cardPaymentLane, {
    code,
    cardId: card.id,
    token: card.token,
    amount: null,
    protocol: null,
    chain: w.chain,
    fee: w.services.settings.fee,
  })
const idOf = (outcome: CardPaymentOutcome) => {
  if (outcome.kind === 'refused') throw outcome.problem
  return outcome.settled.settlement.id
}

test('of two payments of one link by two services, the one that is written later has the larger seq', async () => {
  const [first, second] = [await newLink(), await newLink()]
  const [slow, quick] = [await issue(buyer, 5), await issue(buyer, 5)]
  // The batch of the first service pays both links. It has decided on both, and waits for the row of the first one.
  const release = await holding((tx) => lockLinks(tx, w.now(), [first.code]))
  const batch = Promise.all([submit(w, first.code, slow), submit(w, second.code, slow)])
  await untilWaiting()
  const overtaking = idOf(await submit(other, second.code, quick))
  await release()
  const overtaken = idOf((await batch)[1])
  const settled = (await eventsFor(w.db.reader, seller)).filter(
    ({ type, data }) => type === 'payment.settled' && data.pay_link_code === second.code,
  )
  expect(settled.map(({ data }) => data.settlement_id)).toEqual([overtaking, overtaken])
  expect(await w.faults()).toEqual([])
})

test('what a card declines after it was frozen has a larger seq than the freeze, and its reason', async () => {
  const link = await newLink()
  const card = await issue(buyer, 0.5)
  const mine = { walletAddress: buyer.wallet, cardId: card.id }
  const release = await holding((tx) => freezeCard(tx, w.now(), mine))
  // The card is ACTIVE as it is read, and would be declined for its limit.
  const declined = payWith(other, link.code, card)
  await untilWaiting()
  await release()
  expect((await declined).body.code).toBe('card_frozen')
  const rows = await all(
    w.db.reader,
    sql<{ type: string; code: string | null }>`select type, data ->> 'code' as code from events
      where subject = ${card.id} order by seq`,
  )
  expect(rows).toEqual([
    { type: 'card.issued', code: null },
    { type: 'card.frozen', code: null },
    { type: 'card.declined', code: 'card_frozen' },
  ])
})
