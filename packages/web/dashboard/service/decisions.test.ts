import { expect, test } from 'vitest'
import { DECLINES } from '../../../service/src/money/cards/policy.ts'
import { atomicText } from './amounts.ts'
import { decisionWords, inputLines } from './decisions.ts'

const sum = (atomic: string) => atomicText(atomic, 6)
const CARD = {
  ...{ status: 'ACTIVE', spent: '2000000', held: '0', available: '18000000', mcc_locks: '' },
  ...{ limit_amount: '20000000', max_transaction: '5000000', day_used: '2000000' },
  ...{ daily_limit: '3000000', weekly_limit: null, allowed_merchants: ['a.example'] },
}
const of = (rule: string, inputs: object = {}) =>
  decisionWords({ rule, merchant: 'b.example', mcc: null, inputs: { ...CARD, ...inputs } }, sum)

test('a decision says its rule with the figures that it looked at', () => {
  expect(of('max_transaction_exceeded')).toBe('One payment of the card may be 5.00 at most.')
  expect(of('daily_limit_exceeded')).toBe(
    'The card may spend 3.00 on this day (UTC), and had spent 2.00.',
  )
  expect(of('limit_exceeded', { held: '1' })).toBe(
    'The card may spend 20.00 in all, and had spent 2.00, with 0.000001 on hold.',
  )
  expect(of('insufficient_funds')).toBe('There was 18.00 on the card.')
  expect(of('merchant_not_allowed')).toBe(
    'b.example is not among the payees that the card may pay: a.example.',
  )
  expect(of('within_limits')).toBe(
    'Within its limits: before it, the card had spent 2.00 of 20.00 in all, 2.00 of 3.00 on this day (UTC).',
  )
  expect(of('card_frozen', { refused_by: 'card_1' })).toBe(
    'A card above this one refused it. The card was frozen.',
  )
})

test('each rule of the policy has a sentence, and an unknown one its own name', () => {
  const windows = Object.fromEntries(
    ['hour', 'week', 'month'].flatMap((one) => [
      [`${one}ly_limit`, '5000000'],
      [`${one}_used`, '4000000'],
    ]),
  )
  for (const rule of DECLINES)
    expect(of(rule, windows), rule).not.toBe(`${rule.replaceAll('_', ' ')}.`)
  expect(of('new_rule')).toBe('new rule.')
})

test('the inputs are listed with amounts in whole units, and without what was not set', () => {
  const lines = Object.fromEntries(inputLines(CARD, sum))
  expect(lines).toMatchObject({ spent: '2.00', 'daily limit': '3.00', status: 'ACTIVE' })
  expect(lines).not.toHaveProperty('weekly limit')
  expect(lines['payees that it may pay']).toBe('a.example')
})
