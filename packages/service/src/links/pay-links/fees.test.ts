import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cardOf,
  issue,
  open,
  payWith,
  present,
  report,
  signed,
} from '../../../test/actors/attack-kit.ts'
import { cardCredential, mppShop, withCredential } from '../../../test/actors/mpp-payers.ts'
import { handMadeSeller } from '../../../test/sellers/x402-sellers.ts'
import { type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { amount } from '../../base/kernel/money.ts'

let w: World
let s: Awaited<ReturnType<typeof mppShop>>
beforeAll(async () => {
  // The chain carries one base unit only if its operator says so.
  w = await world({ settings: { gas: { minimum: amount(1n), sellerPerDay: null } } })
  s = await mppShop(w)
})
afterAll(() => w[Symbol.asyncDispose]())

const feesOfHouse = async (): Promise<bigint> => {
  const { rows } = await sql<{ sum: bigint }>`select coalesce(sum(p.posted), 0) as sum
    from ledger_house_parts p join ledger_accounts a on a.id = p.account_id where a.kind = 'fees'`.execute(
    w.db.reader,
  )
  return BigInt(rows[0]?.sum ?? 0)
}
/** The amounts that one payment brings to the house and the seller's card, in base units. */
async function gains(pay: () => Promise<unknown>): Promise<{ fee: bigint; net: number }> {
  const [fees, received] = [await feesOfHouse(), await s.received()]
  await pay()
  return {
    fee: (await feesOfHouse()) - fees,
    net: Math.round(((await s.received()) - received) * 1e6),
  }
}
const linkOf = (units: number) =>
  open(s.seller, s.till, { amount: (units / 1e6).toFixed(6), max_uses: 1 })

const rails: Record<string, (units: number) => Promise<void>> = {
  card: async (units) => {
    expect((await payWith(w, (await linkOf(units)).code, s.card)).status).toBe(200)
  },
  x402: async (units) => {
    const link = await linkOf(units)
    const payment = await signed(w, await s.payer(), link.deposit_address, BigInt(units))
    const paid = await present(w, link.code, payment)
    expect(paid.status, paid.text).toBe(200)
  },
  agentcard: async (units) => {
    const url = `${s.base}/pay/${(await linkOf(units)).code}`
    const paid = await withCredential(url, await cardCredential(s, s.card, url))
    expect(paid.status).toBe(200)
  },
  onchain: async (units) => {
    const link = await linkOf(units)
    const hash = await w.transfer(await s.payer(), link.deposit_address, BigInt(units))
    await w.safe()
    expect((await report(w, link.code, hash)).status).toBe(200)
  },
  stream: async (units) => {
    const card = await issue(s.agent, 1)
    const opened = await s.agent.post('/api/mpp/stream/open', {
      card_id: card.id,
      card_token: card.token,
      budget: 0.001,
      tick_amount: (units / 1e6).toFixed(6),
      receiver_card_id: s.till.id,
    })
    const stream_id = opened.body.id
    await s.agent.post('/api/mpp/stream/tick', {
      stream_id,
      card_id: card.id,
      card_token: card.token,
    })
    const closed = await s.agent.post('/api/mpp/stream/close', { stream_id })
    expect([closed.status, closed.body.final_amount]).toEqual([200, units / 1e6])
  },
}

test.each(Object.keys(rails))('the smallest payments pay their fee too, by %s', async (rail) => {
  const pay = rails[rail] as (units: number) => Promise<void>
  expect(await gains(() => pay(99))).toEqual({ fee: 1n, net: 98 })
  // The house takes the whole of one base unit: nothing below it could be taken, and nothing is made up.
  expect(await gains(() => pay(1))).toEqual({ fee: 1n, net: 0 })
  expect(await w.faults()).toEqual([])
})

test('a payment to a seller elsewhere pays its fee on top, however small it is', async () => {
  await using seller = await handMadeSeller({
    amount: 99n,
    serve: async ({ response, settle }) => {
      await settle()
      response.writeHead(200).end('rain')
    },
  })
  const card = await issue(s.agent, 1)
  const before = await feesOfHouse()
  const paid = await s.agent.post('/api/pay', {
    card_id: card.id,
    card_token: card.token,
    url: seller.url,
  })
  expect(paid.body, paid.text).toMatchObject({ merchant_amount: 0.000099, platform_fee: 0.000001 })
  expect((await cardOf(s.agent, card.id)).spent).toBe(0.0001)
  expect((await feesOfHouse()) - before).toBe(1n)
})
