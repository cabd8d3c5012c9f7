import { expect, test } from 'vitest'
import { world } from '../../../test/world.ts'
import { issueLane } from '../../money/cards/issue/issue.ts'
import { mergeMetrics } from './process-metrics.ts'

const reader = async (w: { call: (method: string, path: string) => Promise<{ text: string }> }) => {
  const { text } = await w.call('GET', '/metrics')
  const lines = text.split('\n').map((line) => /^(\S+) (\S+)$/.exec(line) ?? [])
  return (name: string) => lines.find(([, known]) => known === name)?.[2]
}

test('payments are counted once, by rail and outcome, when they are committed', async () => {
  await using w = await world()
  const before = await reader(w)
  const seller = await w.user({ treasury: 5 })
  const payer = await w.user({ treasury: 30 })
  const card = await payer.card({ limit: 10 })
  for (const amount of [2, 3, 9]) {
    const body = { amount, card_id: (await seller.card({ limit: 1 })).id }
    const link = (await seller.post('/api/paylinks', body)).body
    const paid = await w.call('POST', `/api/pay/${link.code}/settle`, {
      protocol: 'card',
      payer_card_id: card.id,
      payer_card_token: card.token,
    })
    expect(paid.status, paid.text).toBe(amount === 9 ? 403 : 200)
  }
  const after = await reader(w)
  const grown = (name: string) => Number(after(name)) - Number(before(name))
  expect(grown('purser_payments_total{rail="card",outcome="settled"}')).toBe(2)
  expect(grown('purser_payments_total{rail="card",outcome="declined"}')).toBe(1)
  expect(grown('purser_payments_total{rail="ap2",outcome="settled"}')).toBe(0)
  // Four cards, one after the other.
  expect(after(`purser_lane_waiting{lane="${issueLane.name}"}`)).toBe('0')
  expect(after(`purser_lane_batch_size_bucket{lane="${issueLane.name}",le="1"}`)).toBe('4')
  expect(after(`purser_lane_batch_size_count{lane="${issueLane.name}"}`)).toBe('4')
  expect(after('purser_db_waiters{pool="requests"}')).toBe('0')
  expect(Number(after('purser_db_connections_max{pool="requests"}'))).toBeGreaterThanOrEqual(0)
  expect(after('purser_chain_up')).toBe('1')
  expect(Number(after('purser_chain_head_age_seconds'))).toBeGreaterThanOrEqual(0)
})

test('what follows the books is behind by the age of the first batch that it has not counted', async () => {
  await using w = await world()
  await w.runJobs()
  expect((await reader(w))('purser_follower_behind_seconds')).toBe('0')
  await w.user({ treasury: 1 })
  expect(Number((await reader(w))('purser_follower_behind_seconds'))).toBeGreaterThan(0)
  await w.runJobs()
  expect((await reader(w))('purser_follower_behind_seconds')).toBe('0')
})

test('processes are kept apart where a sum would mean nothing, and summed elsewhere', async () => {
  const of = (value: number) => [
    {
      name: 'nodejs_eventloop_lag_seconds',
      help: 'x',
      type: 'gauge',
      aggregator: 'average',
      values: [{ labels: {}, value }],
    },
    {
      name: 'purser_db_waiters',
      help: 'x',
      type: 'gauge',
      aggregator: 'sum',
      values: [{ labels: { pool: 'jobs' }, value }],
    },
  ]
  const text = await mergeMetrics([
    { process: 'main', metrics: of(1) },
    { process: 'api-1', metrics: of(4) },
  ])
  expect(text).toContain('nodejs_eventloop_lag_seconds{process="main"} 1')
  expect(text).toContain('nodejs_eventloop_lag_seconds{process="api-1"} 4')
  expect(text).toContain('purser_db_waiters{pool="jobs"} 5')
})
