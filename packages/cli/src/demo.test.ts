import { expect, test } from 'vitest'
import { finish, purser, startService } from '../demo/local-service.ts'
import type { BillingResult } from './demo/billing.ts'
import type { DemoResult } from './demo/story.ts'

test('the demo pays an official seller and by AP2, is paid by the official client, and every book agrees', async () => {
  await using service = await startService()

  const demo = await finish(purser(['demo', '--json'], service.env))
  const year = await finish(purser(['demo', 'billing', '--months', '2', '--json'], service.env))
  const books = await finish(purser(['verify', '--json'], service.env))

  expect(demo).toMatchObject({ code: 0, stderr: '' })
  const result = JSON.parse(demo.stdout) as DemoResult
  expect(result.checks.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true])
  expect(result.transactions.map((row) => [row.direction, row.amount, row.protocol])).toEqual([
    ['received', 0.24875, 'x402'],
    ['sent', 0.4, 'ap2'],
    ['sent', 0.01005, 'x402'],
  ])
  expect(result.card.balance).toBe(4.8387)
  expect(result.treasury.before - result.treasury.after).toBe(6)
  expect(year).toMatchObject({ code: 0, stderr: '' })
  const billing = JSON.parse(year.stdout) as BillingResult
  expect(billing.checks.map(({ ok }) => ok)).toEqual([true, true, true])
  expect(billing.agreements.map(({ agreement }) => agreement.status)).toEqual(['ACTIVE', 'ACTIVE'])
  expect(books.code).toBe(0)
}, 300_000)
