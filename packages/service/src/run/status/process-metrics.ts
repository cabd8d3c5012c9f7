import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  Registry,
} from 'prom-client'
import type { Measured } from '../../api/http/services.ts'
import type { LaneUse } from '../../base/db/lanes/lane.ts'
import { RAILS } from '../../base/protocols/rails.ts'
import { addReplica } from './replica-metrics.ts'

const OUTCOMES = ['settled', 'declined', 'failed', 'refunded'] as const
/** A batch has 256 intents at most. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** The metrics of one process, as they go to the process that shows those of all. */
export type ProcessMetrics = {
  /** One of few names, such as `api-1`. */
  process: string
  metrics: object[]
}
type Row = { labels: Record<string, string>; value: number; metricName?: string }
type Shown = { name: string; aggregator: string; values: Row[] }

/**
 * Measures the process itself: its payments, lanes, connections, memory and event loop. The parts are read when the metrics
 * are, so a payment costs nothing but the numbers that they keep.
 */
export function openProcessMetrics(measured: readonly Measured[]): {
  registry: Registry
  read(): Promise<object[]>
} {
  const registry = new Registry()
  addPayments(registry, measured)
  addLanes(registry, measured)
  addPools(registry, measured)
  addReplica(registry, measured)
  let hasDefaults = false
  return {
    registry,
    async read() {
      // Starts at the first read: monitoring the event loop costs CPU, and most short-lived servers are never read.
      if (!hasDefaults) collectDefaultMetrics({ register: registry })
      hasDefaults = true
      return registry.getMetricsAsJSON()
    },
  }
}

/** The text of the metrics of all processes. Figures of a process itself keep its name as a label, the rest is summed. */
export async function mergeMetrics(all: readonly ProcessMetrics[]): Promise<string> {
  const labelled = all.map(({ process, metrics }) =>
    (metrics as Shown[]).map((metric) =>
      /^(process|nodejs)_/.test(metric.name)
        ? {
            ...metric,
            aggregator: 'first',
            values: metric.values.map((row) => ({ ...row, labels: { ...row.labels, process } })),
          }
        : metric,
    ),
  )
  return (AggregatorRegistry.aggregate(labelled) as Registry).metrics()
}

function addPayments(registry: Registry, measured: readonly Measured[]): void {
  new Counter({
    name: 'purser_payments_total',
    help: 'Payments by the rail that moved the money, and by outcome; declined: by the policy of a card',
    labelNames: ['rail', 'outcome'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const rail of RAILS)
        for (const outcome of OUTCOMES) {
          const sums = measured.map(({ db }) => db.counted.get(`${rail} ${outcome}`) ?? 0)
          this.inc(
            { rail, outcome },
            sums.reduce((sum, one) => sum + one, 0),
          )
        }
    },
  })
}

const lanesOf = (measured: readonly Measured[]): LaneUse[] =>
  measured.flatMap(({ lanes }) => lanes.use())

function addLanes(registry: Registry, measured: readonly Measured[]): void {
  const common = { labelNames: ['lane'] as const, registers: [registry] }
  new Gauge({
    ...common,
    name: 'purser_lane_waiting',
    help: 'Requests that wait for the next batch of a lane',
    collect() {
      this.reset()
      for (const { lane, waiting } of lanesOf(measured)) this.inc({ lane }, waiting)
    },
  })
  new Counter({
    ...common,
    name: 'purser_lane_refused_total',
    help: 'Requests that were refused because too many waited in the lane',
    collect() {
      this.reset()
      for (const { lane, refused } of lanesOf(measured)) this.inc({ lane }, refused)
    },
  })
  registry.registerMetric(batchSizes(measured) as unknown as Metric)
}

/** A histogram of numbers that were counted elsewhere: the library's own takes each of them by itself. */
function batchSizes(measured: readonly Measured[]) {
  const name = 'purser_lane_batch_size'
  return {
    name,
    async get() {
      const values = lanesOf(measured).flatMap(({ lane, sizes }): Row[] => {
        const all = [...sizes]
        const countTo = (most: number) =>
          all.reduce((sum, [size, batches]) => (size <= most ? sum + batches : sum), 0)
        const bucket = (le: string, value: number): Row => ({
          ...{ metricName: `${name}_bucket`, labels: { lane, le }, value },
        })
        const whole = countTo(Number.POSITIVE_INFINITY)
        return [
          ...SIZES.map((most) => bucket(String(most), countTo(most))),
          bucket('+Inf', whole),
          {
            metricName: `${name}_sum`,
            labels: { lane },
            value: all.reduce((sum, [size, batches]) => sum + size * batches, 0),
          },
          { metricName: `${name}_count`, labels: { lane }, value: whole },
        ]
      })
      const help = 'Requests that were written together, by lane'
      return { name, help, type: 'histogram', aggregator: 'sum', values }
    },
  }
}

function addPools(registry: Registry, measured: readonly Measured[]): void {
  const gauge = (name: string, help: string, read: (db: Measured['db']) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'] as const,
      registers: [registry],
      collect() {
        this.reset()
        for (const { name: pool, db } of measured) this.inc({ pool }, read(db))
      },
    })
  gauge('purser_db_connections', 'Open connections to the database', (db) => db.use().open)
  gauge('purser_db_connections_in_use', 'Connections that are lent', (db) => db.use().inUse)
  gauge('purser_db_connections_max', 'The most connections of the pool', (db) => db.use().most)
  gauge('purser_db_waiters', 'Callers that wait for a connection', (db) => db.use().waiting)
}
