/** The fee of a settlement is the rule of the wallet that is paid, and of no other payment of its batch. */
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
import { type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'

let w: World
let s: Awaited<ReturnType<typeof mppShop>>
beforeAll(async () => {
  w = await world()
  s = await mppShop(w)
})
afterAll(() => w[Symbol.asyncDispose]())

const setRule = (wallet: string, bps: number) =>
  w.write((tx) =>
    sql`insert into fee_rules (scope, subject, kind, bps, flat, effective_at)
      values ('wallet', ${wallet}, 'settlement', ${bps}, 0, now())`.execute(tx),
  )

test('two sellers of one batch are each charged their own fee', async () => {
  const sellers = await Promise.all([w.user({ treasury: 5 }), w.user({ treasury: 5 })])
  const [cheap, dear] = sellers
  await setRule(cheap.wallet, 10)
  await setRule(dear.wallet, 250)
  const links = await Promise.all(
    [...sellers, s.seller].map(async (seller) => {
      const till = await issue(seller, 1)
      return { seller, till, ...(await open(seller, till, { max_uses: 0, type: 'RECURRING' })) }
    }),
  )
  const payers = await Promise.all(Array.from({ length: 4 }, () => issue(s.agent, 5)))
  const answers = await Promise.all(
    payers.flatMap((card) => links.map(({ code }) => payWith(w, code, card))),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const received = await Promise.all(
    links.map(async ({ seller, till }) => (await cardOf(seller, till.id)).received),
  )
  expect(received).toEqual([4 * 0.999, 4 * 0.975, 4 * 0.995])
  // The lane gathered them: all in fewer batches than payments.
  const [batches] = await all(
    w.db.reader,
    sql<{
      n: bigint
    }>`select count(distinct t.batch) as n from ledger_transfers t join settlements s on s.id = t.ref`,
  )
  expect(Number(batches?.n)).toBeLessThan(answers.length)
  expect(await w.faults()).toEqual([])
})

test('the rule of a wallet holds on every rail', async () => {
  await setRule(s.seller.wallet, 100)
  const gain = async (
    pay: (code: string, address: `0x${string}`) => Promise<{ status: number }>,
  ) => {
    const link = await open(s.seller, s.till, { amount: 2 })
    const before = await s.received()
    expect((await pay(link.code, link.deposit_address)).status).toBe(200)
    return Math.round(((await s.received()) - before) * 1e6)
  }
  const value = 2_000_000n
  const byCard = await gain((code) => payWith(w, code, s.card))
  const byX402 = await gain(async (code, address) =>
    present(w, code, await signed(w, await s.payer(), address, value)),
  )
  const byToken = await gain(async (code) => {
    const url = `${s.base}/pay/${code}`
    return withCredential(url, await cardCredential(s, s.card, url))
  })
  const onChain = await gain(async (code, address) => {
    const hash = await w.transfer(await s.payer(), address, value)
    await w.safe()
    return report(w, code, hash)
  })
  expect({ byCard, byX402, byToken, onChain }).toEqual({
    byCard: 1_980_000,
    byX402: 1_980_000,
    byToken: 1_980_000,
    onChain: 1_980_000,
  })
  expect(await w.faults()).toEqual([])
})
