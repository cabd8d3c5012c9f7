import { Counter, Gauge, type Registry } from 'prom-client'
import type { Measured } from '../../api/http/services.ts'
import type { ReplicaUse } from '../../base/db/replica/replica.ts'

/** Measures the replica for public reads, as each process sees it. Adds nothing where there is none. */
export function addReplica(registry: Registry, measured: readonly Measured[]): void {
  const use = (): ReplicaUse | undefined => measured.find(({ replica }) => replica)?.replica?.use()
  if (!use()) return
  new Gauge({
    name: 'purser_read_replica_up',
    help: '1 if the replica is read; 0 if it is dead, silent, behind, or no standby of this database any more',
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(use()?.fault === undefined ? 1 : 0)
    },
  })
  new Gauge({
    name: 'purser_read_replica_lag_seconds',
    help: 'The age of the newest rows that the replica is known to show; absent if it never was fit to be read',
    aggregator: 'max',
    registers: [registry],
    collect() {
      const lag = use()?.lagSeconds
      if (lag === undefined) this.remove()
      else this.set(lag)
    },
  })
  new Counter({
    name: 'purser_public_reads_total',
    help: 'Public reads that the replica may answer, by who has answered',
    labelNames: ['from'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [from, reads] of Object.entries(use()?.reads ?? {})) this.inc({ from }, reads)
    },
  })
}
