import { iso, isoOrNull } from '../../api/http/fields.ts'
import type { Uses } from '../../api/http/services.ts'
import { countByStatus, readBacklog } from '../../api/webhooks/deliver/store.ts'
import { readQueue, readTaskQueues, type TaskQueue } from '../../base/jobs/queue.ts'
import { findRelayers } from '../../chain/relay/gas/store.ts'
import { LOST_SECONDS } from './machines.ts'
import { listMachines, type SeenMachine } from './store.ts'

/** Jobs and deliveries of webhooks that wait to be done. */
export async function readQueues({ db }: Uses<'db'>, at: Date) {
  const [jobs, tasks, deliveries, backlog] = await Promise.all([
    readQueue(db.reader),
    readTaskQueues(db.reader),
    countByStatus(db.reader),
    readBacklog(db.reader, at),
  ])
  return {
    jobs,
    tasks: tasks.map(taskView),
    webhooks: {
      endpoints_due: backlog.endpoints,
      oldest_due_at: isoOrNull(backlog.oldest),
      deliveries: deliveries.map(({ status, count }) => ({ status, count: Number(count) })),
    },
  }
}

const taskView = (queue: TaskQueue) => ({
  task: queue.task,
  ready: Number(queue.ready),
  running: Number(queue.running),
  retrying: Number(queue.retrying),
  failed: Number(queue.failed),
  oldest_seconds: queue.oldestSeconds === null ? null : Math.round(queue.oldestSeconds),
})

/** The relayers of this machine; one that was never measured and has never sent has no row yet. */
export async function readRelayers({ db, chain }: Uses<'chain' | 'db'>) {
  const addresses = chain.relayers.map(({ address }) => address)
  const found = await findRelayers(db.reader, addresses)
  return addresses.map((address) => {
    const known = found.find((relayer) => relayer.address === address)
    return {
      address,
      wei: known?.balanceWei?.toString() ?? null,
      measured_at: isoOrNull(known?.measuredAt ?? null),
      is_resting: known?.isResting ?? false,
      next_nonce: Number(known?.nextNonce ?? 0n),
      unmined: Number(known?.unmined ?? 0n),
    }
  })
}

export async function readMachines({ db }: Uses<'db'>) {
  return (await listMachines(db.reader)).map(machineView)
}

const machineView = (machine: SeenMachine) => ({
  id: machine.id,
  host: machine.host,
  pid: machine.pid,
  version: machine.version,
  roles: [...machine.roles],
  processes: machine.processes,
  started_at: iso(machine.startedAt),
  seen_at: iso(machine.seenAt),
  clock_ahead_seconds: machine.aheadMs === null ? null : Math.round(machine.aheadMs / 1000),
  is_lost: machine.silentSeconds > LOST_SECONDS,
})
