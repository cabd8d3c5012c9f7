import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Outage, outageOf } from '../../../base/db/outage.ts'
import type { Clock } from '../../../base/kernel/clock.ts'
import type { Config } from '../../config/config.ts'
import type { OwnDatabase } from '../../config/database.ts'
import { sentenceOf } from '../sentence.ts'
import { codeOf } from '../start-error.ts'
import { checkDatabase, checkServer, type Home } from './database.ts'
import { warningsOf } from './database-faults.ts'

const AGAIN_MS = 2_000
const STARTING = '57P03'
const PASSING: readonly (Outage | undefined)[] = [
  'connections',
  'files',
  'full',
  'limits',
  'memory',
]

/** The time in which the database took nothing from this machine, and why. */
type Refused = { from: Date; until: Date; why: string }

type Starting = {
  clock: Clock
  log: Logger
  signal: AbortSignal
  report: (line: string) => void
}
export type Server = Home & { refused: Refused | null }

/** Waits for the operator's own database, refuses a server that the service cannot work on, and logs what should be mended. */
export async function readyServer(
  { database }: Config,
  starting: Starting,
): Promise<Server | undefined> {
  if (database.kind === 'embedded') return undefined
  const server = await waitForDatabase(database, starting)
  checkServer(server.state)
  for (const sentence of warningsOf(server.state)) starting.log.warn(sentence)
  return server
}

/**
 * Waits for a database that has no room, memory or connection for a session now, or is just starting, and reports why: a start that
 * ended would only be made again by its supervisor. Throws a sentence for any other fault.
 */
async function waitForDatabase(
  database: OwnDatabase,
  of: Pick<Starting, 'clock' | 'signal' | 'report'>,
): Promise<Server> {
  let refused = null as Refused | null
  for (;;) {
    const found = await checkDatabase(database).catch((error: Error) => ({ error }))
    if (!('error' in found)) return { ...found, refused }
    const { error } = found
    if (!PASSING.includes(outageOf(error.cause)) && codeOf(error.cause) !== STARTING) throw error
    const [until, why] = [of.clock.now(), sentenceOf(error)]
    if (why !== refused?.why) of.report(`Waiting: ${why}`)
    refused = { from: refused?.from ?? until, until, why }
    await sleep(AGAIN_MS, undefined, { signal: of.signal })
  }
}
