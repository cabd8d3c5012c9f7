import { expect, test } from 'vitest'
import { meter } from '../../../test/actors/members/meter-kit.ts'
import { payer, requested } from '../../../test/actors/payers/payer.ts'
import { agree, days, monthly, openBilling } from '../../../test/billing/kit.ts'
import { world } from '../../../test/world.ts'

test('metrics tell of agreements, charges, memberships, pulls and meters that owe', async () => {
  await using w = await world({ pulls: true })
  const read = async () => {
    const { text } = await w.call('GET', '/metrics')
    const lines = text.split('\n').map((line) => line.split(' '))
    return (name: string) => Number(lines.find(([known]) => known === name)?.[1])
  }
  const b = await openBilling(w)
  const poor = await w.user({ treasury: 30 })
  const { card } = (await poor.post('/api/issue', { purpose: 'x', limit_amount: 10 })).body
  await agree(b.payer, b.card, monthly(b.link))
  await agree(poor, card, monthly(b.link))
  const member = { tier: 'starter', billing_period: 'month' }
  expect((await poor.post('/api/membership/subscribe', member)).status).toBe(200)
  expect((await poor.post('/api/membership/auto-renew')).body.soft).toBe(true)
  await requested(w, await payer(w))
  const before = await read()
  expect(before('purser_agreements{purpose="billing",status="ACTIVE"}')).toBe(2)
  expect(before('purser_agreements_due{purpose="membership"}')).toBe(0)
  expect(before('purser_charges_of_a_day{status="SUCCEEDED"}')).toBe(2)
  expect(before('purser_memberships{status="ACTIVE"}')).toBe(1)
  expect(before('purser_pulls_open{state="requested"}')).toBe(1)
  expect(before('purser_fee_meters_owing')).toBe(0)

  await meter(w, await w.user())
  await days(w, 31)
  const after = await read()
  // The first charges are older than a day now, and the second of the card that is empty has failed.
  expect(after('purser_charges_of_a_day{status="SUCCEEDED"}')).toBe(1)
  expect(after('purser_charges_of_a_day{status="FAILED"}')).toBe(1)
  expect(after('purser_agreements{purpose="billing",status="PAST_DUE"}')).toBe(1)
  expect(after('purser_agreements_due{purpose="billing"}')).toBe(0)
  expect(after('purser_agreements_due{purpose="membership"}')).toBe(1)
  expect(after('purser_fee_meters_owing')).toBe(1)
  expect(after('purser_direct_fees_owed_units')).toBe(50_000)
})
