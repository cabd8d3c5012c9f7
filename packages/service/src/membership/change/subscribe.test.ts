import { afterAll, beforeAll, expect, test } from 'vitest'
import { type User, type World, world } from '../../../test/world.ts'

let w: World
beforeAll(async () => {
  w = await world()
}, 60_000)
afterAll(() => w[Symbol.asyncDispose]())

const STARTER = { tier: 'starter', billing_period: 'month' }
const available = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
const read = async (u: User) => (await u.get('/api/membership')).body

test('the plans are public, and cost what the operator wrote', async () => {
  const { body } = await w.call('GET', '/api/membership/plans')
  expect(body.plans).toHaveLength(4)
  expect(body.plans[0]).toEqual({
    ...{ plan: 'native_token_rails', tier: 'starter', billing_period: 'month', price: 19 },
    ...{ payment_asset: 'USDC', direct_quota: 1000, overage_fee: 0.05 },
  })
})

test('a subscription pays a period out of the balance, whole and without a fee', async () => {
  const u = await w.user({ treasury: 30 })
  expect(await read(u)).toEqual({ membership: null, auto_renew: null })
  const paid = await u.post('/api/membership/subscribe', STARTER)
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({
    success: true,
    membership: {
      ...{ wallet_address: u.wallet, plan: 'native_token_rails', status: 'ACTIVE', price: 19 },
      ...{ cancel_at_period_end: false, auto_renew: false, payment_asset: 'USDC' },
      last_payment_id: expect.stringMatching(/^stl_/),
    },
  })
  expect(await available(u)).toBe(11)
  const again = await u.post('/api/membership/subscribe', STARTER)
  expect([again.status, again.body.code]).toEqual([409, 'invalid_state'])
  expect(await w.faults()).toEqual([])
})
