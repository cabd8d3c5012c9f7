/** The fee of a tier, by the clock alone: no job runs in this file. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Held,
  issue,
  open,
  payWith,
  present,
  signed,
} from '../../../../test/actors/attack-kit.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { amount } from '../../../base/kernel/money.ts'
import { setFees } from '../../../run/operate/commands/fees.ts'

const DAY = 86_400
/** A month of any length is over. */
const MONTH = 31 * DAY
const LAST_RETRY = 7 * DAY

let w: World
let payer: User
let card: Held
beforeAll(async () => {
  w = await world()
  await w.withGas()
  await setFees(w, w.now(), { words: ['growth', 'settlement', '10'], note: '' }, STANDARD)
  payer = await w.user({ treasury: 500 })
  card = await issue(payer, 400)
})
afterAll(() => w[Symbol.asyncDispose]())
const STANDARD = { bps: 50n, flat: amount(0n) }

/** A member of the tier `growth`, and its fee of a payment of 1 USDC on each rail that decides one by itself. */
async function member() {
  const user = await w.user({ treasury: 150 })
  const joined = await user.post('/api/membership/subscribe', {
    tier: 'growth',
    billing_period: 'month',
  })
  expect(joined.status).toBe(200)
  const till = await issue(user, 1)
  const { code, deposit_address: address } = await open(user, till, { max_uses: 0, amount: 1 })
  const received = async () => (await user.get(`/api/cards/${till.id}`)).body.card.received
  const feeOf = async (pay: () => Promise<{ status: number }>) => {
    const before = await received()
    expect((await pay()).status).toBe(200)
    return Math.round(1e6 - ((await received()) - before) * 1e6)
  }
  return {
    user,
    async fees() {
      const { schedule, quota } = (await user.get('/api/fees')).body
      return {
        byCard: await feeOf(() => payWith(w, code, card)),
        byX402: await feeOf(async () =>
          present(w, code, await signed(w, await fundedPayer(), address, 1_000_000n)),
        ),
        shown: schedule.settlement.bps,
        quota: quota.included,
      }
    },
  }
}
const fundedPayer = async () => (await w.user({ usdc: 2 })).account

test('the fee of a tier ends with the period, and with the last retry of one that is renewed', async () => {
  const leaves = await member()
  const renews = await member()
  expect((await renews.user.post('/api/membership/auto-renew', {})).body.soft).toBe(true)
  const asMember = await leaves.fees()
  expect(asMember).toMatchObject({ byCard: 1_000, byX402: 1_000 })
  expect(await renews.fees()).toEqual(asMember)
  await w.advance(MONTH)
  const without = await leaves.fees()
  expect(without).toMatchObject({ byCard: 5_000, byX402: 5_000 })
  // It is charged as soon as a job runs, and it counts as long as it may be charged.
  expect(await renews.fees()).toEqual(asMember)
  await w.advance(LAST_RETRY)
  expect(await renews.fees()).toEqual(without)
  expect(await w.faults()).toEqual([])
})
