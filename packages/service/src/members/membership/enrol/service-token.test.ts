import { expect, test } from 'vitest'
import { tokenWorld, UNIT } from '../../../../test/actors/tokens/service-token-kit.ts'
import type { User, World } from '../../../../test/world.ts'
import { run, sql } from '../../../base/db/sql.ts'
import { formatAmount } from '../../../base/kernel/money.ts'

const MONTH_SECONDS = 32 * 86_400
/** No number of JSON holds its last digit. */
const PRICE = 7n * UNIT + 1n
const STARTER = { tier: 'starter', billing_period: 'month' }
/** Numbers that are no amounts. */
const COUNTS =
  /^(seq|created|single_use|direct_quota|overage_fee|.*_count|charges_made|period_.*|periods_.*|decimals|failure_count|first_seen)$/
const NAMES_OF_ASSET = ['asset', 'funding_asset', 'payment_asset'] as const

type Shown = Record<string, unknown>

/** Every object in the answer that is about the service token. */
function tokensIn(value: unknown): Shown[] {
  if (Array.isArray(value)) return value.flatMap(tokensIn)
  if (typeof value !== 'object' || value === null) return []
  const object = value as Shown
  const isToken = NAMES_OF_ASSET.some((name) => object[name] === 'TOK')
  return [...(isToken ? [object] : []), ...Object.values(object).flatMap(tokensIn)]
}

/** Each amount is in the token's decimals, and beside it are its exact base units. */
function expectExact(path: string, shown: Shown): void {
  for (const [name, value] of Object.entries(shown)) {
    if (typeof value !== 'number' || COUNTS.test(name)) continue
    const atomic = shown[`${name}_atomic`]
    expect(atomic, `${path}: ${name}`).toMatch(/^\d+$/)
    expect(value, `${path}: ${name}`).toBe(Number(formatAmount(BigInt(atomic as string), 18)))
  }
}

async function payMonths(w: World, user: User): Promise<void> {
  const paid = await user.post('/api/membership/subscribe', { ...STARTER, payment_asset: 'TOK' })
  expect(paid.status, paid.text).toBe(200)
  expectExact('subscribe', paid.body.membership)
  const enrolled = await user.post('/api/membership/auto-renew', { periods: 2 })
  expect(enrolled.body, enrolled.text).toMatchObject({ mode: 'funded', periods_funded: 2 })
  expect(enrolled.body).toMatchObject({
    price_atomic: String(PRICE),
    reserve_atomic: String(2n * PRICE),
  })
  await w.advance(MONTH_SECONDS)
  await w.runJobs()
}

test('every view shows a token of 18 decimals in its own decimals, with its exact base units', async () => {
  const { w, user, send } = await tokenWorld({ permits: true })
  await using _ = w
  await w.withGas()
  await w.write((tx) =>
    run(
      tx,
      sql`insert into plans values ('starter', 'month', 'TOK', ${PRICE}, 1000, 50000, true, now())`,
    ),
  )
  await send(w.chain.treasury.address, 40n * UNIT)
  await w.safe()
  await w.runJobs()
  const withdrawn = await user.post('/api/withdraw', {
    amount: '1.000000000000000001',
    asset: 'TOK',
  })
  expect(withdrawn.status, withdrawn.text).toBe(200)
  expectExact('withdraw', { ...withdrawn.body, asset: 'TOK' })
  await payMonths(w, user)

  const { cards } = (await user.get('/api/cards')).body
  const autopay = cards.find(({ kind }: { kind: string }) => kind === 'autopay')
  const [payment] = (await user.get('/api/payments')).body.payments
  const [agreement] = (await user.get('/api/billing/agreements')).body.agreements
  const paths = [
    '/api/balance',
    '/api/membership',
    '/api/membership/plans',
    '/api/billing/agreements',
    `/api/billing/agreements/${agreement.id}`,
    '/api/cards',
    `/api/cards/${autopay.id}`,
    `/api/cards/${autopay.id}/transactions`,
    '/api/payments',
    `/api/payments/${payment.id}`,
    '/api/withdrawals',
    '/api/events?limit=100',
  ]
  for (const path of paths) {
    const { status, body, text } = await user.get(path)
    expect(status, text).toBe(200)
    const found = tokensIn(body)
    expect(found.length, `${path} shows nothing of the token`).toBeGreaterThan(0)
    for (const shown of found) expectExact(path, shown)
  }
  expect(autopay).toMatchObject({
    limit_amount_atomic: String(2n * PRICE),
    spent_atomic: String(PRICE),
  })
  expect(payment).toMatchObject({
    asset: 'TOK',
    amount_atomic: String(PRICE),
    refunded_atomic: '0',
  })
  const one = (await user.get(`/api/payments/${payment.id}`)).body.payment
  expect(one.timeline[0].data).toMatchObject({ amount_atomic: String(PRICE) })
  const charges = (await user.get(`/api/billing/agreements/${agreement.id}`)).body
  expect(JSON.stringify(charges)).toContain(`"amount_atomic":"${PRICE}"`)
  const settled = (await user.get(`/api/settlement/status/${payment.id}`)).body
  expect(settled).toMatchObject({ fee_amount: 0, fee_amount_atomic: '0' })
  const ended = (await user.send('DELETE', '/api/membership/auto-renew')).body
  expect(ended).toMatchObject({ returned: 7, returned_atomic: String(PRICE) })
  expect(await w.faults()).toEqual([])
})
