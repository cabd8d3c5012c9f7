import type { Uses } from '../../api/http/services.ts'
import { isLost } from '../../base/db/sql.ts'
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
  }: Omit<Machine, 'id' | 'secrets' | 'aheadMs'> & {
    /** The marks of the secrets that this machine lists, the one that seals first. */
    marks?: () => string[]
  },
): Promise<{ stop(): Promise<void> }> {
  const { db, log, clock } = services
  const noteDatabase = (ok: boolean) =>
    noteCheck(services, { name: 'database', ok, at: clock.now() })
  const machine = { ...of, id: newId('mch', clock.now()) }
  const beat = () =>
    db
      .write((tx) => saveMachine(tx, { ...machine, secrets: marks(), aheadMs: clock.aheadMs() }))
      .then(() => void noteDatabase(true))
      .catch((error) => {
        if (isLost(error)) noteDatabase(false)
        log.warn({ err: error }, 'the machine could not be shown to the operators')
      })
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
