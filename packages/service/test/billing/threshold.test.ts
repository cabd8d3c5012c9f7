import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { newId } from '../../src/base/kernel/ids.ts'
import { meterSettlement } from '../../src/members/meter/meter.ts'
import { eventsOf } from '../events-of.ts'
import { type World, world } from '../world.ts'
import {
  agree,
  type Billing,
  change,
  days,
  issueFor,
  openBilling,
  shown,
  signedFor,
} from './kit.ts'

let w: World
let b: Billing
beforeAll(async () => {
  w = await world()
  b = await openBilling(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const weekly = () => ({
  merchant_wallet: b.seller.wallet,
  amount: 10,
  trigger_type: 'interval',
  period_days: 7,
})

test('a threshold tops the fee meter up once below its floor, and again only after it was above', async () => {
  const user = await w.user({ treasury: 100 })
  const card = await issueFor(user, 50)
  const asked = {
    merchant_wallet: w.chain.treasury.address,
    amount: 1,
    trigger_type: 'threshold',
    threshold_metric: 'svc_fee_balance',
    threshold_floor: '1.02',
    max_occurrences: 10,
  }
  const balance = async () => (await user.get('/api/fees')).body.meter.balance
  const use = async (times: number) => {
    const walletAddress = user.wallet
    for (let i = 0; i < times; i++)
      await w.write((tx) =>
        meterSettlement(tx, w.now(), {
          walletAddress,
          settlementId: newId('stl', w.now()),
          asset: w.chain.asset,
          worth: 'named',
        }),
      )
    await w.runJobs()
  }
  const { id, ...made } = await agree(user, card, asked)
  expect(made).toMatchObject({
    trigger_type: 'threshold',
    period_days: null,
    threshold_floor: 1.02,
    next_charge_at: null,
    charges_made: 0,
  })
  const second = await user.post('/api/billing/agreements', {
    payer_card_id: card.id,
    card_token: card.token,
    open_mandate: await signedFor(user, card, asked),
    ...Object.fromEntries(Object.entries(asked).filter(([name]) => name !== 'max_occurrences')),
  })
  expect([second.status, second.body.code]).toEqual([409, 'invalid_state'])

  await w.runJobs()
  await w.runJobs()
  // One top-up of 1 does not reach the floor, so it stays the only one.
  expect(await balance()).toBe(1)
  await use(3)
  expect(await balance()).toBeCloseTo(0.85)
  expect((await shown(user, id)).charges).toMatchObject([
    { period_key: 'p1', amount: 1, status: 'SUCCEEDED' },
  ])
  // By hand above the floor it is armed again; a top-up costs no fee.
  await user.post('/api/fees/topup', { amount: '0.2' })
  await w.runJobs()
  await use(1)
  expect(await balance()).toBeCloseTo(2)
  const { agreement, charges } = await shown(user, id)
  expect(charges.map((one) => one.period_key)).toEqual(['p2', 'p1'])
  expect(agreement).toMatchObject({ charges_made: 2, total_charged: 2, status: 'ACTIVE' })
  expect((await user.get(`/api/ap2/receipts/${charges[0].settlement_id}`)).status).toBe(200)
  expect((await user.get('/api/fees/entries')).body.entries).toContainEqual(
    expect.objectContaining({ kind: 'topup', agreement_id: id }),
  )
  expect((await change(user, id, 'cancel', { at_period_end: true })).body.code).toBe(
    'invalid_field',
  )
  await change(user, id, 'cancel')
  await use(40)
  expect((await shown(user, id)).agreement.charges_made).toBe(2)
  expect(await eventsOf(w.db.reader, id)).not.toContainEqual(
    expect.objectContaining({ data: expect.objectContaining({ payer_card_id: null }) }),
  )
})

test('a top-up that failed is not made once the meter was filled by hand', async () => {
  const user = await w.user({ treasury: 100 })
  const card = await issueFor(user, 50)
  const { id } = await agree(user, card, {
    merchant_wallet: w.chain.treasury.address,
    amount: 40,
    trigger_type: 'threshold',
    threshold_metric: 'svc_fee_balance',
    threshold_floor: '5',
    max_occurrences: 10,
  })
  await user.post(`/api/cards/${card.id}/freeze`)
  await w.runJobs()
  expect((await shown(user, id)).agreement).toMatchObject({ status: 'PAST_DUE', failure_count: 1 })
  await user.post(`/api/cards/${card.id}/unfreeze`)
  // The money stands on the meter before any job has looked, and the retry finds it there.
  await user.post('/api/fees/topup', { amount: '20' })
  await days(w, 1)
  const { agreement, charges } = await shown(user, id)
  expect(agreement).toMatchObject({
    status: 'ACTIVE',
    failure_count: 0,
    charges_made: 0,
    next_attempt_at: null,
  })
  expect(charges).toMatchObject([{ period_key: 'p1', status: 'FAILED' }])
  expect((await user.get('/api/fees')).body.meter.balance).toBe(20)
  await change(user, id, 'cancel')
})

test('the database refuses what no code of ours asks for', async () => {
  const card = await issueFor(b.payer, 100)
  const { id } = await agree(b.payer, card, weekly())
  const on = (change: ReturnType<typeof sql>) => w.write((tx) => change.execute(tx))
  for (const refused of [
    sql`update agreements set amount = amount + 1 where id = ${id}`,
    sql`update agreements set charges_made = 0 where id = ${id}`,
    sql`update agreements set anchor = anchor + interval '1 day' where id = ${id}`,
    sql`update agreements set merchant_wallet = payer_wallet where id = ${id}`,
    sql`update agreements set status = 'PAUSED' where id = ${id}`,
    sql`update agreements set status = 'CANCELLED' where id = ${id}`,
    sql`update agreements set first_failed_at = now(), failure_count = 1 where id = ${id}`,
    sql`update agreements set first_month = 0 where id = ${id}`,
    sql`delete from agreements where id = ${id}`,
    sql`update agreement_charges set status = 'FAILED', error = 'x' where agreement_id = ${id}`,
    sql`delete from agreement_charges where agreement_id = ${id}`,
    sql`insert into agreement_charges select 'chg_other', agreement_id, period_no, amount, 'FAILED', 1, 'x', null, null,
      created_at, updated_at from agreement_charges where agreement_id = ${id}`,
    sql`insert into agreement_charges select 'chg_other', agreement_id, 2, amount, status, 1, error, settlement_id, null,
      created_at, updated_at from agreement_charges where agreement_id = ${id}`,
  ])
    await expect(on(refused)).rejects.toThrow()
  await change(b.payer, id, 'cancel')
  for (const status of ['ACTIVE', 'PAUSED', 'COMPLETED'])
    await expect(
      on(sql`update agreements set status = ${status} where id = ${id}`),
    ).rejects.toThrow()
})
