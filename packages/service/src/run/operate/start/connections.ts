import type { Config } from '../../config/config.ts'
import { LOST_SECONDS } from '../../oversight/machines.ts'
import type { SeenMachine } from '../../oversight/store.ts'
import { StartError } from '../start-error.ts'
import type { ServerState } from '../store.ts'

/** The connections to the database of each part of a machine. */
export type Shares = {
  /** For the whole machine. */
  all: number
  /** API processes that share the port: fewer than are set, where each would have less than two connections. */
  processes: number
  /** For the requests of each process. */
  requests: number
  /** For the process that has started the others. */
  parent: number
  /** For the work of jobs, and for the statements of their queue. */
  jobs: number
  queue: number
}
/** The most that a role may have open at once, and who says so. */
export type Allowance = { most: number; by: string }

/** Lanes decide for many requests on one connection, so more than sixteen bring nothing. */
const OF_A_PROCESS = { least: 2, most: 16 }
const ALL_REQUESTS = 64
const OF_JOBS = { least: 2, most: 8 }
const OF_QUEUE = { least: 2, most: 8 }
/** The check of the books has two of its own for as long as it takes. */
const OF_CHECK = 2

const clamp = (value: number, { least, most }: { least: number; most: number }): number =>
  Math.min(Math.max(Math.floor(value), least), most)

type Machine = Pick<Config, 'connections' | 'processes' | 'roles'>

/** The least with which a machine of these roles works. */
export const leastOf = ({ roles }: Pick<Config, 'roles'>): number =>
  OF_A_PROCESS.least + (roles.includes('worker') ? OF_JOBS.least + OF_QUEUE.least + OF_CHECK : 0)

/**
 * How many connections the database lets the role have. A superuser is bound by the server alone. Undefined behind a pooler in
 * transaction mode, which has its own limits.
 */
export function allowanceOf({ limits, role }: Pick<ServerState, 'limits' | 'role'>): Allowance {
  const { server, ofRole, ofDatabase, isSuperuser } = limits
  const found: Allowance[] = [{ most: server, by: 'max_connections of its server' }]
  if (!isSuperuser && ofRole >= 0) found.push({ most: ofRole, by: `the limit of the role ${role}` })
  if (!isSuperuser && ofDatabase >= 0)
    found.push({ most: ofDatabase, by: 'the limit of the database' })
  return found.reduce((a, b) => (b.most < a.most ? b : a))
}

/**
 * Shares the connections of a machine, so that requests and jobs have their own and neither waits for the other. Without a setting it
 * takes what it can use, and at most half of what the database allows: a second machine, an upgrade and commands need theirs.
 * Throws a sentence if there are too few.
 */
export function shareConnections(machine: Machine, allowed?: Allowance): Shares {
  const { connections, processes, roles } = machine
  const least = leastOf(machine)
  const most = allowed?.most ?? Number.POSITIVE_INFINITY
  if (most < least)
    throw new StartError(
      `The database gives this service ${most} connections (${allowed?.by}), and it needs ${least}, better twice as many: raise that.`,
    )
  if (connections.all !== null && (connections.all < least || connections.all > most))
    throw new StartError(
      `PURSER_DATABASE_CONNECTIONS is ${connections.all}, and must be from ${least}, which this service needs, to ${most}, which the database allows it (${allowed?.by}).`,
    )
  const isWorker = roles.includes('worker')
  const serving = roles.includes('api') ? processes : 1
  const usable =
    Math.min(serving * OF_A_PROCESS.most + (serving > 1 ? OF_A_PROCESS.least : 0), ALL_REQUESTS) +
    (isWorker ? OF_JOBS.most + OF_QUEUE.most + OF_CHECK : 0)
  const all = connections.all ?? Math.min(usable, Math.max(least, Math.floor(most / 2)))
  const queue = isWorker ? clamp(all / 5, OF_QUEUE) : 0
  const left = all - queue - OF_CHECK - OF_A_PROCESS.least
  const jobs = isWorker ? Math.min(connections.jobs ?? clamp(all / 5, OF_JOBS), left) : 0
  const requests = all - jobs - queue - (isWorker ? OF_CHECK : 0)
  const others = requests - OF_A_PROCESS.least
  const shared = Math.min(serving, Math.floor(others / OF_A_PROCESS.least))
  if (shared < 2)
    return { all, jobs, queue, processes: 1, requests: clamp(requests, OF_A_PROCESS), parent: 0 }
  return {
    ...{ all, jobs, queue, processes: shared, parent: OF_A_PROCESS.least },
    requests: clamp(others / shared, OF_A_PROCESS),
  }
}

/** Says that the machines which run may together open more connections than the database allows; undefined while they fit. */
export function crowdSentence(
  machines: readonly Pick<SeenMachine, 'connections' | 'silentSeconds'>[],
  { most, by }: Allowance,
): string | undefined {
  const sum = machines
    .filter(({ silentSeconds }) => silentSeconds <= LOST_SECONDS)
    .reduce((all, { connections }) => all + (connections ?? 0), 0)
  return sum <= most
    ? undefined
    : `The machines of this database may open ${sum} connections, and it allows ${most} (${by}): set PURSER_DATABASE_CONNECTIONS on each, or raise that.`
}
