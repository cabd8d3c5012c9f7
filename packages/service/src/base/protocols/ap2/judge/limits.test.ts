import { expect, test } from 'vitest'
import {
  at,
  chainOf,
  closedContent,
  closing,
  direct,
  directOf,
  merchant,
  openContent,
  openOf,
  verdict,
} from '../../../../../test/actors/ap2/mandates.ts'
import { ExactNumber, type JsonObject, type JsonValue } from '../../json.ts'
import { makeTerminalMandate } from '../issue/issue.ts'
import type { Expected } from './evaluate.ts'

test.each([
  '25.5',
  '2500.0',
  '2.5e3',
  '"2500"',
  'true',
  'null',
  '-5',
  '-0',
  '0',
  '9007199254740993',
  '[2500]',
])('amount %s is no amount', async (amount) => {
  const json = JSON.stringify(closedContent).replace('"amount":2500', `"amount":${amount}`)
  expect(verdict(await direct(`["s",${json}]`))).toBe('mandate_field_invalid')
})

test.each([
  ['payee', { id: '', name: 'Shop' }],
  ['payee', { id: 'x'.repeat(513), name: 'Shop' }],
  ['payee', { name: 'Shop' }],
  ['payment_instrument', { id: 'card_123' }],
  ['payment_amount', { amount: 2500, currency: 'usd' }],
  ['transaction_id', ''],
  ['exp', '1'],
  ['exp', 1.5],
  ['exp', 1e15],
  ['execution_date', 'tomorrow'],
  ['aud', ['https://pay.example']],
])('field %s with %j is refused', async (name, value) => {
  expect(verdict(await direct({ ...closedContent, [name]: value }))).toBe('mandate_field_invalid')
})

// AP2 issue 315: an empty id and copied display fields.
test('a payee is known by its id alone', async () => {
  const payee = { ...merchant, id: 'pl_evil' }
  expect(verdict(await directOf({ ...closedContent, payee }))).toBe('mandate_scope_mismatch')
  expect(verdict(await chainOf(openContent, { ...closedContent, payee }))).toBe(
    'mandate_scope_mismatch',
  )
})

test('times: no exp at all, exp now, iat beyond the skew', async () => {
  const seconds = Math.floor(at.getTime() / 1000)
  const { exp: _, ...endless } = closedContent
  expect(verdict(await directOf(endless))).toBe('mandate_expiry_missing')
  expect(verdict(await directOf({ ...closedContent, exp: seconds }))).toBe('mandate_expired')
  expect(verdict(await directOf({ ...closedContent, exp: seconds + 1 }))).toBe('ok')
  expect(verdict(await directOf({ ...closedContent, iat: seconds + 60 }))).toBe('ok')
  expect(verdict(await directOf({ ...closedContent, nbf: seconds + 61 }))).toBe(
    'mandate_not_yet_valid',
  )
  expect(verdict(await chainOf({ ...openContent, exp: seconds - 1 }))).toBe('mandate_expired')
})

test('audience and nonce', async () => {
  const open = await openOf()
  const elsewhere = { ...closing(open), audience: 'https://evil.example' }
  expect(verdict(await makeTerminalMandate(closedContent, elsewhere), open)).toBe(
    'mandate_audience_mismatch',
  )
  const closed = await makeTerminalMandate(closedContent, closing(open))
  expect(verdict(closed, open, { nonce: 'n-1' })).toBe('ok')
  expect(verdict(closed, open, { nonce: 'n-2' })).toBe('mandate_nonce_mismatch')
  expect(verdict(await directOf({ ...closedContent, aud: 'https://evil.example' }))).toBe(
    'mandate_audience_mismatch',
  )
})

test('a checkout of ours counts for its own link, and where one is required nothing else does', async () => {
  const token = await directOf()
  const on = (checkout: Expected['checkout'], requiresCheckout: boolean): string =>
    verdict(token, undefined, { checkout, requiresCheckout })
  expect(on('this_link', true)).toBe('ok')
  expect(on('unknown', false)).toBe('ok')
  expect(on('unknown', true)).toBe('mandate_checkout_mismatch')
  expect(on('other_link', false)).toBe('mandate_checkout_mismatch')
  expect(on('expired', false)).toBe('mandate_checkout_mismatch')
})

const withConstraints = (...more: JsonValue[]): JsonObject => ({
  ...openContent,
  constraints: [...(openContent.constraints as JsonValue[]), ...more],
})
test.each([
  ['an unknown type', { type: 'com.example.limit', max: 1 }, 'mandate_constraint_unresolved'],
  ['no type', { currency: 'USD', max: 99_999 }, 'mandate_constraint_unresolved'],
  ['no object', 'payment.budget', 'mandate_constraint_unresolved'],
  [
    'an extra member',
    { type: 'payment.amount_range', currency: 'USD', max: 5000, per: 'DAY' },
    'mandate_constraint_unresolved',
  ],
  [
    'a fraction as maximum',
    { type: 'payment.amount_range', currency: 'USD', max: 100.5 },
    'mandate_constraint_unresolved',
  ],
  [
    'a budget finer than its currency',
    { type: 'payment.budget', currency: 'USD', max: 30.001 },
    'mandate_constraint_unresolved',
  ],
  [
    'a reference to an unknown checkout',
    { type: 'payment.reference', conditional_transaction_id: 'x' },
    'mandate_constraint_unresolved',
  ],
  [
    'an execution window that is over, with no date in the mandate',
    { type: 'payment.execution_date', not_after: '2026-03-01T09:59:59Z' },
    'mandate_constraint_violated',
  ],
  [
    'the same window in an offset that sorts later as text',
    { type: 'payment.execution_date', not_after: '2026-03-01T11:30:00+02:00' },
    'mandate_constraint_violated',
  ],
  ['today as last day', { type: 'payment.execution_date', not_after: '2026-03-01' }, 'ok'],
  [
    'a recurrence without a budget',
    { type: 'payment.agent_recurrence', frequency: 'DAILY' },
    'mandate_limits_missing',
  ],
  [
    'an empty list of payees',
    { type: 'payment.allowed_payees', allowed: [] },
    'mandate_constraint_violated',
  ],
  [
    'a list of other providers',
    { type: 'payment.allowed_pisps', allowed: [] },
    'mandate_constraint_violated',
  ],
] as const)('a constraint with %s', async (_, constraint, code) => {
  expect(verdict(await chainOf(withConstraints(constraint)))).toBe(code)
})

test('an open mandate without a cap, or without payees, approves nothing', async () => {
  const constraints = openContent.constraints as JsonValue[]
  for (const kept of [constraints.slice(1), [constraints[0], constraints[2]] as JsonValue[]])
    expect(verdict(await chainOf({ ...openContent, constraints: kept }))).toBe(
      'mandate_limits_missing',
    )
})

test('what the open mandate sets stands unchanged; the closed one may say more', async () => {
  const preset = {
    payment_amount: { amount: 2500, currency: 'USD' },
    payee: { id: 'pl_7f3k', name: 'Shop' },
  }
  expect(verdict(await chainOf({ ...openContent, ...preset }))).toBe('ok')
  const other = { ...preset, payment_amount: { amount: 2499, currency: 'USD' } }
  expect(verdict(await chainOf({ ...openContent, ...other }))).toBe('mandate_preset_changed')
  const risk = { ...openContent, risk_data: { score: 1 } }
  expect(verdict(await chainOf(risk))).toBe('mandate_preset_changed')
})

test('an exact number stays exact: a budget in major units is no float', async () => {
  const budget = (max: string): JsonObject => ({
    type: 'payment.budget',
    currency: 'USD',
    max: new ExactNumber(max),
  })
  // 19.99 * 100 is 1998.9999999999998 in floats.
  const closed = { ...closedContent, payment_amount: { amount: 1999, currency: 'USD' } }
  const price = { prices: [{ currency: 'USD', min: 1999n, max: 1999n }] }
  const chain = await chainOf(withConstraints(budget('19.99')), closed)
  expect(verdict(chain, undefined, price)).toBe('ok')
})

test('a mandate for a later date does not pay now; a stated date does not reopen a window', async () => {
  expect(verdict(await directOf({ ...closedContent, execution_date: '2026-03-02' }))).toBe(
    'mandate_not_yet_valid',
  )
  expect(verdict(await directOf({ ...closedContent, execution_date: '2026-03-01' }))).toBe('ok')
  const over = { type: 'payment.execution_date', not_after: '2026-03-01T09:00:00Z' }
  const closed = { ...closedContent, execution_date: '2026-03-01T08:00:00Z' }
  expect(verdict(await chainOf(withConstraints(over), closed))).toBe('mandate_constraint_violated')
})
