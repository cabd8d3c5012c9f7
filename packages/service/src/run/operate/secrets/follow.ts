import type { Uses } from '../../../api/http/services.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import { markOf } from './kept.ts'
import { readSealingMark } from './store.ts'

/** How soon each process seals by another secret, after a rotation has begun. */
export const FOLLOW_MS = 2_000

export type Following = {
  /** Resolves with a sentence if another secret seals that this machine does not list. */
  lost: Promise<string>
  stop(): Promise<void>
}

/** Keeps the ring at the secret that the database names. A database that does not answer holds nothing up. */
export function followSecret({ db, log }: Uses<'db' | 'log'>, secrets: Keyring): Following {
  const lost = Promise.withResolvers<string>()
  const look = async () => {
    const mark = await readSealingMark(db.reader)
    if (mark === undefined || mark === markOf(secrets.current)) return
    const sealing = secrets.all.find((secret) => markOf(secret) === mark)
    if (!sealing)
      return lost.resolve(
        'PURSER_SECRET was replaced on another machine, and this one does not list the new one: start it with PURSER_SECRET=<new>,<old>.',
      )
    secrets.turnTo(sealing)
    log.info('another secret of PURSER_SECRET seals from now on')
  }
  let last: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    last = last
      .then(look)
      .catch((error) => log.debug({ err: error }, 'the secret in use could not be read'))
  }, FOLLOW_MS)
  return {
    lost: lost.promise,
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
