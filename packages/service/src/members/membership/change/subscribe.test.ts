import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newToken, sendBy } from '../../../../test/actors/token-kit.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(() => w[Symbol.asyncDispose]())

const STARTER = { tier: 'starter', billing_period: 'month' }
const available = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
const read = async (u: User) => (await u.get('/api/membership')).body

test('the plans are public, and cost what the operator wrote', async () => {
  const { body } = await w.call('GET', '/api/membership/plans')
  expect(body.plans).toHaveLength(4)
  expect(body.plans[0]).toEqual({
    plan: 'native_token_rails',
    tier: 'starter',
    billing_period: 'month',
    price: 19,
    payment_asset: 'USDC',
    direct_quota: 1000,
    overage_fee: 0.05,
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
      wallet_address: u.wallet,
      plan: 'native_token_rails',
      status: 'ACTIVE',
      price: 19,
      cancel_at_period_end: false,
      auto_renew: false,
      payment_asset: 'USDC',
      last_payment_id: expect.stringMatching(/^stl_/),
    },
  })
  expect(await available(u)).toBe(11)
  const again = await u.post('/api/membership/subscribe', STARTER)
  expect([again.status, again.body.code]).toEqual([409, 'invalid_state'])
  expect(await w.faults()).toEqual([])
})

test('a balance that does not cover the price is refused with both amounts, and moves nothing', async () => {
  const u = await w.user({ treasury: 18.999999 })
  const reply = await u.post('/api/membership/subscribe', STARTER)
  expect([reply.status, reply.body]).toMatchObject([
    403,
    { code: 'insufficient_balance', available: 18.999999, requested: 19, asset: 'USDC' },
  ])
  expect(await available(u)).toBe(18.999999)
  const unknown = await u.post('/api/membership/subscribe', { ...STARTER, payment_asset: 'EURC' })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'invalid_asset'])
})

test('a restricted key needs the scope, the amount, and no limit to cards', async () => {
  const u = await w.user({ treasury: 100 })
  const { id } = await u.card()
  const keyed = async (limits: object) => {
    const scopes = ['membership:write']
    const made = await u.post('/api/keys/restricted', { name: 'x', scopes, ...limits })
    return (body: object, path = '/api/membership/subscribe') =>
      w.call('POST', path, body, { key: made.body.api_key })
  }
  const subscribeBy = [await keyed({ card_ids: [id] }), await keyed({ max_amount: 18 })]
  for (const call of subscribeBy) {
    const refused = await call(STARTER)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden_scope'])
    const enrolled = await call({}, '/api/membership/auto-renew')
    expect([enrolled.status, enrolled.body.code]).toEqual([403, 'forbidden_scope'])
  }
  expect((await read(u)).membership).toBeNull()
  const enough = await (await keyed({ max_amount: 19 }))(STARTER)
  expect(enough.status, enough.text).toBe(200)
})

test('a plan in the service token is paid, reserved and shown in its own decimals', async () => {
  const token = await newToken({ symbol: 'TOK', decimals: 18, held: 0n })
  const serviceToken: Asset = {
    network: 'eip155:84532',
    chainId: 84532,
    contract: token.contract,
    symbol: 'TOK',
    decimals: 18,
    eip712: { name: 'TOK', version: '1' },
  }
  await using own = await world({ serviceToken })
  const u = await own.user({ treasury: 30 })
  const unit = 10n ** 18n
  await own.write((tx) =>
    run(
      tx,
      sql`insert into plans values ('starter', 'month', 'TOK', ${7n * unit}, 1000, 50000, true, now())`,
    ),
  )
  await token.mint(u.account.address, 50n * unit)
  const args = [own.chain.treasury.address, 20n * unit] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const tx_hash = await sendBy(u.account, token.contract, data)
  await own.safe()
  expect((await u.post('/api/fund/verify', { tx_hash, asset: 'TOK' })).status).toBe(200)
  const paid = await u.post('/api/membership/subscribe', { ...STARTER, payment_asset: 'TOK' })
  expect(paid.body.membership).toMatchObject({ price: 7, payment_asset: 'TOK', status: 'ACTIVE' })
  const enrolled = (await u.post('/api/membership/auto-renew', {})).body
  expect(enrolled).toMatchObject({ mode: 'funded', price: 7, reserve: 7, periods_funded: 1 })
  expect(enrolled.agreement).toMatchObject({
    asset: 'TOK',
    amount: 7,
    amount_atomic: String(7n * unit),
  })
  const { card } = (await u.get(`/api/cards/${enrolled.card_id}`)).body
  expect(card).toMatchObject({ funding_asset: 'TOK', balance: 7, limit_amount: 7 })
  const { balances } = (await u.get('/api/balance')).body
  expect(balances.map((one: { available: number }) => one.available)).toEqual([30, 6])
  expect(await own.faults()).toEqual([])
})
