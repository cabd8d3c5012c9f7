import type { FastifyInstance } from 'fastify'
import { Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from '../../api/http/services.ts'
import { countByStatus, readBacklog } from '../../api/webhooks/deliver/store.ts'
import { readQueue } from '../../base/jobs/queue.ts'
import { within } from '../../base/kernel/clock.ts'
import { assetsOf } from '../../chain/client/rails.ts'
import { findRelayers, type RelayerState } from '../../chain/relay/gas/store.ts'
import {
  ALARM_KINDS,
  countAlarms,
  findComparison,
  type StoredComparison,
} from '../../links/reconcile/store.ts'
import { countOpen, findCursor, OPEN_STATES } from '../../links/watcher/store.ts'
import { countMissing } from '../../money/settlements/on-chain/store-confirmations.ts'
import { countWaiting } from '../../money/treasury/withdrawals/approval/store.ts'
import { progressOf } from './components.ts'
import { tryKeptWrite } from './kept.ts'
import { mergeMetrics, openProcessMetrics } from './process-metrics.ts'
import { addProgressGauges } from './progress-metrics.ts'
import { addRecurringGauges } from './recurring-metrics.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

/** More than the chain may take, and less than a scrape. */
const PATIENCE_MS = 4_000

/** Measures every request of the server, and returns a reader of the measurements. */
export function measure(app: FastifyInstance, services: Services): { read(): Promise<string> } {
  const own = openProcessMetrics(services.measured)
  const shared = new Registry()
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by the pattern of its route and the class of its status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [own.registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    // An unknown path has no pattern, so all unknown paths share one label.
    const route = request.routeOptions.url ?? 'unmatched'
    const labels = { method: request.method, route, status: classOf(reply.statusCode) }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
  addQueueGauge(shared, services)
  addRelayerGauges(shared, services)
  addPayoutGauges(shared, services)
  addWatcherGauges(shared, services)
  addReconcileGauges(shared, services)
  addRecurringGauges(shared, services)
  addWebhookGauges(shared, services)
  addProgressGauges(shared, services)
  const readShared = sharedReader(shared, services)
  const read = async () => [...(await own.read()), ...(await readShared())]
  const { siblings } = services
  siblings?.provideMetrics(read)
  return {
    read: async () =>
      siblings
        ? siblings.readMetrics()
        : mergeMetrics([{ process: 'main', metrics: await read() }]),
  }
}

/** Reads figures of the database and the chain. Without an answer in time the process still shows how it is itself. */
function sharedReader(shared: Registry, { db, log }: Services): () => Promise<object[]> {
  // One at a time: scrapes of a database that is busy must not take its connections.
  let underWay: ReturnType<typeof ask> | undefined
  const up = new Gauge({
    name: 'purser_database_up',
    help: '1 if the database answered this scrape, and takes writes',
    aggregator: 'min',
    registers: [],
  })
  const ask = async () => {
    const [metrics, written] = await Promise.allSettled([
      shared.getMetricsAsJSON(),
      tryKeptWrite(db),
    ])
    for (const one of [metrics, written])
      if (one.status === 'rejected')
        log.warn({ err: one.reason }, 'the database did not answer a scrape')
    return {
      read: metrics.status === 'fulfilled' ? metrics.value : [],
      isUp: metrics.status === 'fulfilled' && written.status === 'fulfilled',
    }
  }
  return async () => {
    underWay ??= ask().finally(() => {
      underWay = undefined
    })
    const { isUp, read } = await within(underWay, PATIENCE_MS, () => ({ isUp: false, read: [] }))
    up.set(isUp ? 1 : 0)
    return [await up.get(), ...read]
  }
}

const classOf = (status: number): string => `${Math.floor(status / 100)}xx`

function addQueueGauge(registry: Registry, { db }: Services): void {
  new Gauge({
    name: 'purser_jobs',
    help: 'Jobs in the queue, by state',
    labelNames: ['state'] as const,
    aggregator: 'first',
    registers: [registry],
    async collect() {
      const sizes = await readQueue(db.reader)
      for (const [state, size] of Object.entries(sizes)) this.set({ state }, size)
    },
  })
}

function addPayoutGauges(registry: Registry, { db }: Services): void {
  new Gauge({
    name: 'purser_withdrawals_waiting',
    help: 'Withdrawals that wait until an operator has approved them',
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.set(await countWaiting(db.reader))
    },
  })
}

function addWatcherGauges(registry: Registry, { db, chain }: Services): void {
  new Gauge({
    name: 'purser_watched_transfers',
    help: 'Transfers to our addresses that are not at their end, by state; alarm: credited, and then gone from the chain',
    labelNames: ['state'] as const,
    aggregator: 'first',
    registers: [registry],
    async collect() {
      for (const state of OPEN_STATES) this.set({ state }, 0)
      for (const { state, transfers } of await countOpen(db.reader, chain.network))
        this.set({ state }, Number(transfers))
    },
  })
  new Gauge({
    name: 'purser_settlements_missing',
    help: 'Payments of links that were credited at their first confirmation, and that the chain has not any more',
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.set(Number((await countMissing(db.reader))?.settlements ?? 0n))
    },
  })
  new Gauge({
    name: 'purser_watched_block',
    help: 'The block up to which every transfer to our addresses has been handed on',
    aggregator: 'first',
    registers: [registry],
    async collect() {
      const cursor = await findCursor(db.reader, chain.network)
      if (cursor) this.set(Number(cursor.block))
    },
  })
  new Gauge({
    name: 'purser_watcher_behind_blocks',
    help: 'Safe blocks that the watcher has still to read',
    aggregator: 'first',
    registers: [registry],
    async collect() {
      const cursor = await findCursor(db.reader, chain.network)
      if (cursor) this.set(Number(progressOf(cursor).behind))
    },
  })
}

function addReconcileGauges(registry: Registry, { db, chain }: Services): void {
  new Gauge({
    name: 'purser_alarms',
    help: 'Alarms that are open, by kind',
    labelNames: ['kind'] as const,
    aggregator: 'first',
    registers: [registry],
    async collect() {
      for (const kind of ALARM_KINDS) this.set({ kind }, 0)
      for (const { kind, alarms } of await countAlarms(db.reader))
        this.set({ kind }, Number(alarms))
    },
  })
  const gauge = (name: string, help: string, read: (row: StoredComparison) => number): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['asset'] as const,
      aggregator: 'first',
      registers: [registry],
      async collect() {
        for (const { network, symbol: asset } of assetsOf(chain)) {
          const row = await findComparison(db.reader, { network, asset })
          if (row) this.set({ asset }, read(row))
        }
      },
    })
  gauge(
    'purser_custody_difference_units',
    'The amount on chain beyond the amount that the books explain, in base units; below zero if money is missing',
    ({ difference }) => Number(difference),
  )
  gauge('purser_unclaimed_units', 'Arrived from wallets that nobody knows, in base units', (row) =>
    Number(row.unclaimed),
  )
  gauge(
    'purser_reconciled_block',
    'The block at which ledger and chain were compared last',
    (row) => Number(row.block),
  )
  gauge(
    'purser_reconciled_timestamp_seconds',
    'When ledger and chain were compared last',
    (row) => row.comparedAt.getTime() / 1000,
  )
}

function addRelayerGauges(registry: Registry, { db, chain }: Services): void {
  const ours = chain.relayers.map(({ address }) => address)
  const gauge = (
    name: string,
    help: string,
    read: (relayer: RelayerState) => bigint | null,
  ): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['relayer'] as const,
      aggregator: 'first',
      registers: [registry],
      async collect() {
        for (const relayer of await findRelayers(db.reader, ours)) {
          const value = read(relayer)
          if (value !== null) this.set({ relayer: relayer.address }, Number(value))
        }
      },
    })
  gauge('purser_relayer_wei', 'Gas money of a relayer, as last measured', (r) => r.balanceWei)
  gauge('purser_relayer_resting', '1 while a relayer is out of gas and sends nothing', (r) =>
    r.isResting ? 1n : 0n,
  )
  gauge(
    'purser_relayer_unmined',
    'Transactions of a relayer that no block holds yet',
    (r) => r.unmined,
  )
}

function addWebhookGauges(registry: Registry, { db, clock }: Services): void {
  const common = { aggregator: 'first' as const, registers: [registry] }
  new Gauge({
    ...common,
    name: 'purser_webhook_deliveries',
    help: 'Deliveries of webhooks, by status',
    labelNames: ['status'] as const,
    async collect() {
      for (const { status, count } of await countByStatus(db.reader))
        this.set({ status }, Number(count))
    },
  })
  new Gauge({
    ...common,
    name: 'purser_webhook_oldest_due_seconds',
    help: 'For how long a delivery has been due that is not sent yet',
    async collect() {
      const at = clock.now()
      const { oldest } = await readBacklog(db.reader, at)
      this.set(oldest ? (at.getTime() - oldest.getTime()) / 1000 : 0)
    },
  })
  new Gauge({
    ...common,
    name: 'purser_webhook_endpoints_due',
    help: 'Webhooks to which a delivery is due',
    async collect() {
      this.set((await readBacklog(db.reader, clock.now())).endpoints)
    },
  })
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE
