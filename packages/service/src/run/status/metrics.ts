import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from '../../api/http/services.ts'
import { countByStatus, readBacklog } from '../../api/webhooks/deliver/store.ts'
import { readQueue } from '../../base/jobs/queue.ts'
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
import { progressOf } from './components.ts'
import { addRecurringGauges } from './recurring-metrics.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]

/** Measures every request of the server, and returns a reader of the measurements. */
export function measure(app: FastifyInstance, services: Services): { read(): Promise<string> } {
  const registry = new Registry()
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by the pattern of its route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    // An unknown path has no pattern, so all unknown paths share one label.
    const route = request.routeOptions.url ?? 'unmatched'
    const labels = { method: request.method, route, status: String(reply.statusCode) }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
  addQueueGauge(registry, services)
  addRelayerGauges(registry, services)
  addWatcherGauges(registry, services)
  addReconcileGauges(registry, services)
  addRecurringGauges(registry, services)
  addWebhookGauges(registry, services)
  let hasProcessMetrics = false
  const read = async <T>(how: () => Promise<T>): Promise<T> => {
    // Starts at the first read: monitoring the event loop costs CPU, and most short-lived servers are never read.
    if (!hasProcessMetrics) collectDefaultMetrics({ register: registry })
    hasProcessMetrics = true
    return how()
  }
  const { siblings } = services
  siblings?.provideMetrics(() => read(() => registry.getMetricsAsJSON()))
  return {
    read: () => (siblings ? siblings.readMetrics() : read(() => registry.metrics())),
  }
}

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
  const oldest = new Gauge({
    ...common,
    name: 'purser_webhook_oldest_due_seconds',
    help: 'For how long a delivery has been due that is not sent yet',
  })
  new Gauge({
    ...common,
    name: 'purser_webhook_endpoints_due',
    help: 'Webhooks to which a delivery is due',
    async collect() {
      const at = clock.now()
      const backlog = await readBacklog(db.reader, at)
      this.set(backlog.endpoints)
      oldest.set(backlog.oldest ? (at.getTime() - backlog.oldest.getTime()) / 1000 : 0)
    },
  })
}

export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE
