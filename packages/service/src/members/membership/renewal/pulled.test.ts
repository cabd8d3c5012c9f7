/** Renewals out of a wallet, by its allowance: once a period, and nothing changes while the money is on its way. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asIssuer } from '../../../../test/actors/ap2/issuer.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { carryPull } from '../../../money/pulls/carry.ts'
import { losePull } from '../../../money/pulls/end.ts'
import { findPull } from '../../../money/pulls/store.ts'
import { houseOf } from '../state/state.ts'
import { endPeriod } from './end-period.ts'
import { finishCharge } from './finish-charge.ts'

let w: World
let other: World
beforeAll(async () => {
  w = await world({ pulls: true })
  other = await w.machine()
  await w.withGas()
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

const PATH = '/api/membership/auto-renew'
const days = (at: Date, count: number) => addHours(at, 24 * count)
const read = async (u: User) => (await u.get('/api/membership')).body
const onChain = (u: User) => readAssetBalance(w.chain, u.wallet as Address)
const allow = async (u: User, value: bigint) =>
  w.mined(await w.approve(u.account, { spender: w.chain.settler!, value }))
const work = (u: User, at: Date, on: World = w) =>
  on.write((tx) =>
    endPeriod(tx, at, { walletAddress: u.wallet as Address, house: houseOf(on.services) }),
  )
const chargesOf = async (u: User) => {
  const { agreements } = (await u.get('/api/billing/agreements')).body
  return (await u.get(`/api/billing/agreements/${agreements[0].id}`)).body
}

async function member(): Promise<{ u: User; end: Date }> {
  const u = await w.user({ treasury: 40, usdc: 60 })
  const body = { tier: 'starter', billing_period: 'month' }
  const paid = await u.post('/api/membership/subscribe', body)
  await allow(u, 38_000_000n)
  const enrolled = await u.post(PATH, { mode: 'wallet' })
  expect(enrolled.status, enrolled.text).toBe(200)
  return { u, end: new Date(paid.body.membership.current_period_end) }
}

/** Carries the wallet's newest pull to its end, and ends its charge at `at`, twice and on two machines. */
async function finish(u: User, at: Date): Promise<string> {
  const { charges } = await chargesOf(u)
  const chargeId = charges[0].id
  for (let tries = 0; tries < 600; tries++) {
    const pull = await findPull(w.db.reader, chargeId)
    if (pull && pull.state !== 'requested' && pull.state !== 'sent') break
    await carryPull(w.services, w.now(), chargeId)
  }
  await Promise.all(
    [w, other, w].map((on) =>
      on.write((tx) => finishCharge(tx, at, { chargeId, house: houseOf(on.services) })),
    ),
  )
  return chargeId
}

test('each period is pulled once, by two machines at once, late and again; the dates stay', async () => {
  const { u, end } = await member()
  const late = days(end, 2)
  await Promise.all([work(u, late), work(u, late, other), work(u, late)])
  expect((await chargesOf(u)).charges).toHaveLength(1)
  expect((await read(u)).membership.status).toBe('ACTIVE')
  await finish(u, late)
  await work(u, late)
  expect(await onChain(u)).toBe(41_000_000n)
  const { membership, auto_renew } = await read(u)
  expect(membership).toMatchObject({
    status: 'ACTIVE',
    current_period_start: end.toISOString(),
  })
  expect(auto_renew.next_charge_at).toBe(membership.current_period_end)
  await work(u, new Date(membership.current_period_end))
  await finish(u, new Date(membership.current_period_end))
  const { agreement, charges } = await chargesOf(u)
  expect(agreement).toMatchObject({ charges_made: 2, total_charged: 38, failure_count: 0 })
  expect(charges.map(({ period_key }: { period_key: string }) => period_key)).toEqual(['p2', 'p1'])
  expect(await onChain(u)).toBe(22_000_000n)
})

test('while a pull is on its way nothing of the membership changes', async () => {
  const { u, end } = await member()
  await work(u, end)
  const { agreement } = await chargesOf(u)
  for (const [method, path, body] of [
    ['POST', '/api/membership/cancel'],
    ['POST', '/api/membership/subscribe', { tier: 'starter', billing_period: 'month' }],
    ['DELETE', PATH],
  ] as const) {
    const reply = await u.send(method, path, body)
    expect([path, reply.status, reply.body.code]).toEqual([path, 409, 'charge_in_flight'])
    expect(reply.headers['retry-after']).toBe('15')
  }
  for (const verb of ['cancel', 'pause'])
    expect((await u.post(`/api/billing/agreements/${agreement.id}/${verb}`)).status).toBe(409)
  await work(u, days(end, 40))
  expect((await chargesOf(u)).charges).toHaveLength(1)
  await finish(u, end)
  expect((await u.send('DELETE', PATH)).body).toMatchObject({ success: true, returned: 0 })
  await work(u, days(end, 20))
  expect(await onChain(u)).toBe(41_000_000n)
})

test('an allowance that is gone is past due, and a retry pulls once there is one again', async () => {
  const { u, end } = await member()
  await allow(u, 18_999_999n)
  await work(u, end)
  await finish(u, end)
  expect((await read(u)).membership.status).toBe('PAST_DUE')
  const failed = await chargesOf(u)
  expect(failed.agreement).toMatchObject({
    status: 'PAST_DUE',
    next_attempt_at: days(end, 1).toISOString(),
  })
  expect(failed.charges[0]).toMatchObject({ status: 'FAILED', error: 'insufficient_allowance' })
  await allow(u, 19_000_000n)
  await work(u, addHours(end, 12))
  expect((await chargesOf(u)).charges[0].status).toBe('FAILED')
  await work(u, days(end, 1))
  await finish(u, days(end, 1))
  expect((await chargesOf(u)).charges).toEqual([
    expect.objectContaining({ id: failed.charges[0].id, period_key: 'p1', status: 'SUCCEEDED' }),
  ])
  expect((await read(u)).membership).toMatchObject({
    status: 'ACTIVE',
    current_period_start: end.toISOString(),
  })
  expect(await onChain(u)).toBe(41_000_000n)
})

test('a token that refuses the transfer is past due, and everybody else is renewed', async () => {
  const [blocked, fine] = [await member(), await member()]
  const issuer = { rpcUrl: w.rpcUrl, asset: w.chain.asset }
  const args: [Address] = [blocked.u.wallet as Address]
  await asIssuer(issuer, { functionName: 'blacklist', args })
  for (const { u, end } of [blocked, fine]) {
    await work(u, end)
    await finish(u, end)
  }
  expect((await chargesOf(blocked.u)).charges[0]).toMatchObject({
    status: 'FAILED',
    error: 'token_refused',
  })
  expect((await read(blocked.u)).membership.status).toBe('PAST_DUE')
  expect((await read(fine.u)).membership.status).toBe('ACTIVE')
  // Its balance is in our books, so a subscription pays the due period.
  const body = { tier: 'starter', billing_period: 'month' }
  expect((await blocked.u.post('/api/membership/subscribe', body)).body.membership.status).toBe(
    'ACTIVE',
  )
})

test('a pull that a reorganization took ends the membership, and the period can be bought again', async () => {
  const { u, end } = await member()
  await work(u, end)
  const chargeId = await finish(u, end)
  const pull = await findPull(w.db.reader, chargeId)
  await w.write((tx) => losePull(tx, end, pull!))
  for (const on of [w, other])
    await on.write((tx) => finishCharge(tx, end, { chargeId, house: houseOf(on.services) }))
  expect(await read(u)).toMatchObject({ membership: { status: 'EXPIRED' }, auto_renew: null })
  w.clock.offsetMs = days(end, 1).getTime() - Date.now()
  const again = await u.post('/api/membership/subscribe', {
    tier: 'starter',
    billing_period: 'month',
  })
  expect(again.body.membership).toMatchObject({ status: 'ACTIVE' })
  w.clock.offsetMs = 0
  const undone = await all(
    w.db.reader,
    sql`select from membership_payments where charge_id = ${chargeId} and undone_at is not null`,
  )
  expect(undone).toHaveLength(1)
})

test('the books explain all of it', async () => {
  expect(await w.faults()).toEqual([])
})
