import type { Uses } from '../../api/http/services.ts'
import { outageSentence } from '../../base/db/outage.ts'
import { tryWrite } from '../../base/db/try-write.ts'
import { newId } from '../../base/kernel/ids.ts'
import { noteCheck } from '../status/since.ts'
import { deleteMachine, type Machine, saveMachine } from './store.ts'

const BEAT_MS = 10_000
/** A machine that was not seen for so long has ended, or does not reach the database. */
export const LOST_SECONDS = 30

/** Shows the operators that this machine runs, until it stops. A database that does not answer holds nothing up. */
export async function announceMachine(
  services: Uses<'clock' | 'db' | 'log'>,
  {
    marks = () => [],
    ...of
  }: Omit<Machine, 'id' | 'secrets' | 'aheadMs' | 'connections' | 'refused'> & {
    connections?: number
    /** From before its start. */
    refused?: Machine['refused']
    /** The marks of the secrets that this machine lists, the one that seals first. */
    marks?: () => string[]
  },
): Promise<{ stop(): Promise<void> }> {
  const { db, log, clock } = services
  const machine = { connections: null, refused: null, ...of, id: newId('mch', clock.now()) }
  let { refused } = machine
  let isRefused = false
  /** Notes that the database takes writes, or why not. It says so in the log each time that this changes. */
  const note = (why: string | undefined) => {
    const at = clock.now()
    const since = noteCheck(services, { name: 'writes', ok: why === undefined, at }) ?? at
    if (why) refused = { from: since, until: at, why }
    if (isRefused && refused && !why) refused.until = at
    if (isRefused !== (why !== undefined))
      log[why ? 'error' : 'info'](why ?? 'the database takes writes again')
    isRefused = why !== undefined
  }
  const beat = async () => {
    try {
      await tryWrite(db)
      note(undefined)
      await db.write((tx) =>
        saveMachine(tx, { ...machine, secrets: marks(), aheadMs: clock.aheadMs(), refused }),
      )
    } catch (error) {
      const why = outageSentence(error)
      if (why) note(why)
      log.warn({ err: error }, 'the machine could not be shown to the operators')
    }
  }
  let last = beat()
  const timer = setInterval(() => {
    last = last.then(beat)
  }, BEAT_MS)
  await last
  return {
    async stop() {
      clearInterval(timer)
      await last
      await db
        .write((tx) => deleteMachine(tx, machine.id))
        .catch((error) => log.warn({ err: error }, 'the machine is still shown to the operators'))
    },
  }
}
