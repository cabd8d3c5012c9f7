import type { Db } from '../../../base/db/sql.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import { sealBooks } from '../../../money/ledger/seals/seal-books.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'
import { SECRET_SETTING } from './store.ts'

/**
 * Seals the books by the first of the keys. The newest checkpoint vouches for those before it, so it alone needs a key that
 * stays; also for one whose key is lost, if it is said to be. Throws a sentence if the books are not as they were sealed.
 */
export async function renewCheckpoint(
  db: Db,
  at: Date,
  how: { keys: CheckpointKeys; isKeyLost?: boolean },
): Promise<void> {
  const seal = async () => {
    const { faults, newest } = await sealBooks(db, at, how)
    if (faults.length > 0)
      throw new StartError(`The books are not sealed by the new secret: ${faults.join('; ')}.`)
    return newest
  }
  const newest = await seal()
  if (!newest || newest.keyId === how.keys[0].id) return
  // Nothing has moved since the last one: this act does.
  await db.write((tx) => noteCommand(tx, at, { act: 'secret.resealed', subject: SECRET_SETTING }))
  await seal()
}
