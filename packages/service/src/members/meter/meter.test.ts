import { afterAll, beforeAll, expect, test } from 'vitest'
import { join, joinAs, meter, meterOne, setPlan } from '../../../test/actors/members/meter-kit.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { type RawBuilder, sql } from '../../base/db/sql.ts'
import { newId } from '../../base/kernel/ids.ts'
import { amount } from '../../base/kernel/money.ts'
import { newBatch, readBatch } from '../../money/settlements/batch.ts'
import { readMeterPayees } from '../../money/settlements/payee.ts'
import { settle } from '../../money/settlements/settle.ts'
import { writeBatch } from '../../money/settlements/write.ts'
import { checkGate } from './gate.ts'
import { reverseMetering } from './meter.ts'
import { lockMeter } from './store.ts'
import { topUpMeter } from './top-up.ts'

let w: World
let other: World
beforeAll(async () => {
  w = await world()
  other = await w.machine()
  await setPlan(w, 3, 50_000)
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

async function member(treasury = 10): Promise<User> {
  const user = await w.user({ treasury })
  await join(w, user)
  return user
}
const topUp = (user: User, amount: unknown) => user.post('/api/fees/topup', { amount })
const fees = async (user: User) => (await user.get('/api/fees')).body
const gate = async ({ wallet }: User, on: World = w) => {
  const asked = { walletAddress: wallet, asset: on.chain.asset }
  return checkGate(on.db.reader, on.now(), asked).then(
    () => 'open',
    ({ code, status }) => `${status} ${code}`,
  )
}
const reverse = (settlementId: string) =>
  w.write((tx) => reverseMetering(tx, w.now(), { settlementId, asset: w.chain.asset }))
async function events(user: User, type: string) {
  // The feed waits for transactions that others on this server hold open.
  await w.deliver()
  return (await user.get(`/api/events?type=${type}`)).body.events.map(({ data }: any) => data)
}
const kinds = (metered: readonly { kind: string }[]) => metered.map(({ kind }) => kind).sort()

test('settlements are free within the quota, then the meter pays, then the fee is owed', async () => {
  const user = await member()
  expect(kinds(await meter(w, user, 3))).toEqual(['free', 'free', 'free'])
  expect(await gate(user)).toBe('402 no_active_plan')
  const added = await topUp(user, 0.1)
  expect(added.body).toMatchObject({ success: true, added: 0.1, meter: { balance: 0.1, owed: 0 } })
  expect(await gate(user)).toBe('open')
  for (const kind of ['paid', 'paid', 'owed'])
    expect(await meter(w, user)).toEqual([{ meteredFee: 50_000n, kind }])
  const shown = await fees(user)
  expect(shown).toMatchObject({
    meter: { balance: 0, owed: 0.05, asset: 'USDC' },
    quota: { included: 3, used: 6 },
    overage_fee: 0.05,
    gate: 'closed',
    schedule: { settlement: { bps: 50, flat: 0 }, payment: { bps: 50, flat: 0 } },
  })
  expect(new Date(shown.quota.resets_at) > w.now()).toBe(true)
  expect((await w.call('GET', '/metrics')).text).toContain('purser_direct_fees_owed_units 50000\n')
  // The next top-up pays what is owed before anything else.
  expect((await topUp(user, 1)).body.meter).toMatchObject({ balance: 0.95, owed: 0 })
  const { entries } = (await user.get('/api/fees/entries')).body
  expect(entries.map(({ kind, status, amount }: any) => `${kind} ${status} ${amount}`)).toEqual([
    'topup ADDED 1',
    ...Array(3).fill('fee PAID 0.05'),
    'topup ADDED 0.1',
    ...Array(3).fill('fee FREE 0'),
  ])
  const [newest] = entries
  const page = (await user.get(`/api/fees/entries?limit=2&after=${newest.id}`)).body
  expect(page).toEqual({ entries: entries.slice(1, 3), has_more: true })
  const [balance] = (await user.get('/api/balance')).body.balances
  expect(balance).toMatchObject({ available: 8.9, total_allocated: 191.1 })
  expect(await w.faults()).toEqual([])
})

test('of many that race for the last of the quota and of the meter, as many are free and paid as there are', async () => {
  const user = await member()
  await topUp(user, 0.149999)
  const ids = Array.from({ length: 12 }, () => newId('stl', w.now()))
  // Every settlement is metered twice, on two machines.
  const metered = await Promise.all(
    ids.flatMap((id) => [meterOne(w, user.wallet, id), meterOne(other, user.wallet, id)]),
  )
  const once = metered.filter((_, i) => i % 2 === 0)
  expect(metered.filter((_, i) => i % 2 === 1)).toEqual(once)
  expect(kinds(once)).toEqual([
    ...Array(3).fill('free'),
    ...Array(7).fill('owed'),
    ...Array(2).fill('paid'),
  ])
  const shown = await fees(user)
  expect(shown.meter).toMatchObject({ balance: 0.049999, owed: 0.35 })
  expect(shown.quota.used).toBe(12)
  expect(await w.faults()).toEqual([])
})

test('top-ups that race for the last of the treasury balance take no more than it has', async () => {
  const user = await member(1)
  const replies = await Promise.all(
    [w, other, w, other, w].map((on) => on.as(user).post('/api/fees/topup', { amount: 0.3 })),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403])
  const refused = replies.find(({ status }) => status === 403)?.body
  expect(refused).toMatchObject({ code: 'insufficient_balance', available: 0.1, requested: 0.3 })
  expect((await fees(user)).meter.balance).toBe(0.9)
})

test('a top-up that does not cover what is owed pays the oldest fees, and leaves the gate closed', async () => {
  const user = await member()
  await meter(w, user, 6)
  expect((await fees(user)).meter.owed).toBe(0.15)
  expect((await topUp(user, 0.12)).body.meter).toMatchObject({ balance: 0.02, owed: 0.05 })
  expect(await gate(user)).toBe('402 no_active_plan')
  // An older debt comes before a newer fee, even if the meter could pay one.
  expect((await topUp(user, 0.02)).body.meter).toMatchObject({ balance: 0.04, owed: 0.05 })
  expect((await topUp(user, 0.06)).body.meter).toMatchObject({ balance: 0.05, owed: 0 })
  expect(await gate(user)).toBe('open')
})

test('a settlement that a reorganization took is metered no more, once; one that comes back is metered again', async () => {
  const user = await member()
  await topUp(user, 0.05)
  await meter(w, user, 3)
  const id = newId('stl', w.now())
  expect(await meterOne(w, user.wallet, id)).toMatchObject({ kind: 'paid' })
  await Promise.all([reverse(id), reverse(id), reverse(id)])
  expect(await fees(user)).toMatchObject({ meter: { balance: 0.05 }, quota: { used: 3 } })
  await reverse(newId('stl', w.now()))
  expect(await meterOne(w, user.wallet, id)).toMatchObject({ kind: 'paid' })
  const { entries } = (await user.get('/api/fees/entries?limit=2')).body
  expect(entries.map(({ status }: any) => status)).toEqual(['PAID', 'REVERSED'])
  // The money of a reversed fee pays what is owed meanwhile.
  expect(await meter(w, user)).toMatchObject([{ kind: 'owed' }])
  await reverse(id)
  expect((await fees(user)).meter).toMatchObject({ balance: 0, owed: 0 })
  expect(await w.faults()).toEqual([])
})

test('a low balance is one event, and only a balance above the mark arms it again', async () => {
  const user = await member()
  await meter(w, user, 3)
  await topUp(user, 1.05)
  const low = () => events(user, 'fees.low_balance')
  await meter(w, user)
  expect(await low()).toEqual([])
  await meter(w, user, 3)
  expect(await low()).toMatchObject([{ balance: 0.95, mark: 1, owed: 0, asset: 'USDC' }])
  await topUp(user, 0.04)
  await meter(w, user)
  expect(await low()).toHaveLength(1)
  await topUp(user, 0.2)
  await meter(w, user, 2)
  expect(await low()).toHaveLength(2)
  expect(await events(user, 'fees.topped_up')).toMatchObject([
    { amount: 1.05, balance: 1.05, source: 'manual', agreement_id: null },
    { amount: 0.04 },
    { amount: 0.2 },
  ])
})

/** As a threshold agreement does it: the card pays the meter in one transaction. */
const payMeter = (user: User, cardId: string, units: bigint) =>
  w.write(async (tx) => {
    const { asset } = w.chain
    const { fee } = w.services.settings
    const walletAddress = user.wallet
    await lockMeter(tx, walletAddress)
    const payee = (await readMeterPayees(tx, { wallets: [walletAddress], asset })).get(
      walletAddress,
    )!
    const batch = newBatch(
      w.now(),
      await readBatch(tx, w.now(), { cardIds: [cardId], assets: [asset] }),
    )
    const payer = batch.cards.get(cardId)!
    const outcome = settle(batch, { payer, payee, amount: amount(units), rail: 'ap2', asset, fee })
    writeBatch(tx, batch)
    if (outcome.kind !== 'settled') return outcome.problem.code
    const agreement = { id: 'agr_1', settlementId: outcome.settled.settlement.id }
    await topUpMeter(tx, w.now(), { walletAddress, asset, amount: amount(units), agreement })
    return 'settled'
  })

test('a card tops the meter of its own wallet up by a settlement without a fee, and pays what is owed first', async () => {
  const user = await member()
  const card = await user.card({ limit: 5, allowed_merchants: ['fee_meter'] })
  await meter(w, user, 5)
  expect(await payMeter(user, card.id, 1_000_000n)).toBe('settled')
  expect((await fees(user)).meter).toMatchObject({ balance: 0.9, owed: 0 })
  expect(await payMeter(user, card.id, 5_000_000n)).toBe('limit_exceeded')
  const [entry] = (await user.get('/api/fees/entries?limit=1')).body.entries
  expect(entry).toMatchObject({ kind: 'topup', amount: 1, agreement_id: 'agr_1' })
  const [sent] = (await user.get(`/api/payments?card_id=${card.id}`)).body.payments
  expect(sent).toMatchObject({ merchant: 'fee_meter', amount: 1, fee: 0, status: 'SETTLED' })
  const stranger = await w.user()
  await expect(payMeter(stranger, card.id, 1_000_000n)).rejects.toThrow('its own wallet')
  expect(await w.faults()).toEqual([])
  // A settlement to a meter without its top-up, and a count without its fees, are found.
  const harmed = async (statement: RawBuilder<unknown>) => {
    await w.write(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await statement.execute(tx)
    })
    return (await w.faults()).length
  }
  const mine = sql`wallet_address = ${user.wallet}`
  expect(await harmed(sql`update direct_usage set used = used + 1 where ${mine}`)).toBe(1)
  expect(await harmed(sql`update direct_usage set used = used - 1 where ${mine}`)).toBe(0)
  expect(await harmed(sql`update meter_topups set amount = amount + 1 where ${mine}`)).toBe(1)
  expect(await harmed(sql`update meter_topups set amount = amount - 1 where ${mine}`)).toBe(0)
  expect(
    await harmed(sql`update direct_fees set amount = 1 where ${mine} and state = 'paid'`),
  ).toBe(2)
  expect(
    await harmed(sql`update direct_fees set amount = 50000 where ${mine} and state = 'paid'`),
  ).toBe(0)
})

test('the gate is closed without a live plan, and open while it is past due', async () => {
  const nobody = await w.user({ treasury: 1 })
  await topUp(nobody, 1)
  expect(await gate(nobody)).toBe('402 no_active_plan')
  // Money that has moved is metered all the same, without a quota.
  expect(await meter(w, nobody)).toEqual([{ meteredFee: 50_000n, kind: 'paid' }])
})

test('the gate is open while a plan is past due, and closed once it has expired', async () => {
  await using own = await world()
  const [late, gone] = [await own.user(), await own.user()]
  await joinAs(own, late, 'PAST_DUE')
  await joinAs(own, gone, 'EXPIRED')
  expect([await gate(late, own), await gate(gone, own)]).toEqual(['open', '402 no_active_plan'])
})

test('the quota is of the UTC month, also if the clock is set back', async () => {
  const user = await member()
  await meter(w, user, 4)
  await w.advance(31 * 86_400)
  expect(await fees(user)).toMatchObject({
    quota: { used: 0 },
    meter: { owed: 0.05 },
    gate: 'open',
  })
  expect(kinds(await meter(w, user, 2))).toEqual(['free', 'free'])
  await w.advance(-31 * 86_400)
  expect((await fees(user)).quota.used).toBe(4)
  expect(kinds(await meter(w, user))).toEqual(['owed'])
  expect(await w.faults()).toEqual([])
})

test.each([
  [0, 400, 'invalid_amount'],
  [-1, 400, 'invalid_amount'],
  ['0.0000001', 400, 'invalid_amount'],
  [1e10, 400, 'invalid_amount'],
  [true, 400, 'invalid_amount'],
  [1e9, 403, 'insufficient_balance'],
])('a top-up of %s is refused', async (amount, status, code) => {
  const user = await w.user()
  const { status: answered, body } = await topUp(user, amount)
  expect([answered, body.code]).toEqual([status, code])
})

test('a key that is restricted to cards or to an amount cannot move money to the meter past that', async () => {
  const user = await member()
  const card = await user.card()
  const keyOf = async (limits: object) =>
    (await user.post('/api/keys/restricted', { name: 'x', ...limits })).body.api_key
  const by = async (limits: object) =>
    (await user.post('/api/fees/topup', { amount: 1 }, { key: await keyOf(limits) })).status
  expect(await by({ scopes: ['fees:read'] })).toBe(403)
  expect(await by({ scopes: ['fees:write'], card_ids: [card.id] })).toBe(403)
  expect(await by({ scopes: ['fees:write'], max_amount: 0.5 })).toBe(403)
  expect(await by({ scopes: ['fees:write'], max_amount: 1 })).toBe(200)
})

test('the database refuses what would make a fee or a count untrue', async () => {
  const user = await member()
  await topUp(user, 0.05)
  await meter(w, user, 5)
  const refused = (statement: RawBuilder<unknown>) =>
    expect(w.write((tx) => statement.execute(tx))).rejects.toThrow()
  const mine = sql`wallet_address = ${user.wallet}`
  await refused(sql`update direct_fees set amount = 1 where ${mine} and state = 'paid'`)
  await refused(
    sql`update direct_fees set state = 'owed', paid_at = null where ${mine} and state = 'paid'`,
  )
  await refused(
    sql`update direct_fees set state = 'paid', paid_at = now() where ${mine} and state = 'free'`,
  )
  await refused(sql`delete from direct_fees where ${mine}`)
  await refused(sql`update direct_usage set used = -1 where ${mine}`)
  await refused(sql`update meter_topups set amount = 2 where ${mine}`)
  await refused(sql`insert into direct_fees select 'fee_2', settlement_id, wallet_address, month, network, asset, amount,
    state, created_at, paid_at from direct_fees where ${mine} limit 1`)
  const [fee] = (await user.get('/api/fees/entries')).body.entries
  await reverse(fee.settlement_id)
  await refused(sql`update direct_fees set reversed_at = null where id = ${fee.id}`)
})
