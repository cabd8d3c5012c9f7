/** A database as it was at a point of the day, beside the chain of the evening: nothing leaves a second time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_KINDS } from '../../src/api/events/catalogue.ts'
import { payoutsText, readPayouts } from '../../src/run/operate/commands/payouts.ts'
import { orderSales } from '../../src/run/operate/commands/sales.ts'
import { verifyBooks } from '../../src/run/operate/commands/verify.ts'
import { newAddress } from '../actors/facilitator-kit.ts'
import type { World } from '../world.ts'
import { countMinted, ownerOf } from './acts.ts'
import { balances, type Life, life, owed, POINTS, untilOver } from './life.ts'

let lived: Life
beforeAll(async () => {
  lived = await life()
})
afterAll(() => lived?.[Symbol.asyncDispose]())

/** The money that has left since each point and that its books do not have, in USDC. */
const MISSING = ['20', ...Array.from({ length: 7 }, () => '9.95'), '0', '0']
/** Refusals that say that it is done: by the watcher, or by the sale that was found. */
const DONE = ['pay_link_completed', 'listing_closed']
/** Events of these are made anew by a restored service, because no log of the chain names them. */
const ALWAYS = new Set(EVENT_KINDS.filter(({ fact }) => fact === 'always').map(({ type }) => type))
/** Paid on the chain this day, but for the links of a card and a mandate. */
const ON_CHAIN = ['listing.sold', 'credential.transferred', 'paylink.completed']

const verified = async (r: World) => {
  const keys = r.services.checkpointKeys
  const books = { db: r.db, chain: r.chain, keys, at: r.now(), isEmbedded: true }
  const { faults, alarms } = await verifyBooks(books)
  return { faults: faults.map(({ fault }) => fault), alarms: alarms.map(({ kind }) => kind) }
}

test.each(POINTS.map((point, i) => ({ point, missing: MISSING[i]! })))(
  'a copy $point: $missing USDC are named as missing, and nothing is paid, pulled, minted or sold twice',
  async ({ point, missing }) => {
    const { own, all } = lived
    await using stage = await lived.restore(point)
    const { restored: r, at } = stage
    const isBefore = point === POINTS[0]
    // As `purser restore` does, before anybody is served.
    const sales = await orderSales(r.services, r.now(), ['find', '--since', at.toISOString()])
    expect(sales).toHaveLength(isBefore ? 1 : 0)

    if (missing !== '0') {
      const other = { amount: 1, to_address: newAddress() }
      const held = await own.during(r.as(all.user).post('/api/withdraw', other))
      expect(held).toMatchObject({ status: 503, body: { code: 'payouts_held' } })
      expect(held.body.error).toContain(`${missing} USDC less than the books explain`)
      expect((await verified(r)).faults.join()).toContain(`${missing} USDC are missing`)
    }
    await untilOver(own, r)
    const payouts = payoutsText(await readPayouts(r))
    if (missing !== '0') expect(payouts).toContain(`${missing} USDC are missing`)
    expect(await balances(own, all), 'by itself').toEqual(lived.inTheEnd)

    for (const act of all.acts) {
      const { status, body } = await own.during(act.ask(r))
      const isDone = status < 300 || DONE.includes(body.code)
      expect({ act: act.name, status, isDone }, JSON.stringify(body)).toMatchObject({
        isDone: true,
      })
    }
    await untilOver(own, r)
    await own.during(r.runJobs({ compares: true }))
    expect(await balances(own, all), 'repeated by everybody').toEqual(lived.inTheEnd)
    expect(await owed(r, all)).toEqual(lived.owed)
    expect(await countMinted(own)).toBe(lived.minted)
    expect(await ownerOf(own, all.sale.row.tokenId!)).toBe(all.buyer.wallet)
    expect(await r.faults()).toEqual([])
    expect(await verified(r)).toEqual({ faults: [], alarms: [] })
    // Custody is whole again, so the gate is open.
    const payee = newAddress()
    const asked = { amount: 1, to_address: payee }
    const paid = await own.during(r.as(all.user).post('/api/withdraw', asked))
    expect(paid.status, paid.text).toBe(200)

    await r.deliver()
    const known = new Set(lived.delivered.map(({ id }) => id))
    const events = lived.hook.taken.map(({ event }) => event)
    const isOfChain = ({ type, data }: (typeof events)[number]) =>
      ALWAYS.has(type) ||
      (ON_CHAIN.includes(type) && !all.inBooks.includes(String(data.pay_link_code)))
    const again = events.filter(isOfChain)
    expect(again.filter(({ id }) => !known.has(id))).toEqual([])
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  },
)
