import type { Reader } from '../../../base/db/sql.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import { markOf } from './kept.ts'
import { countSealed, namedCounts } from './sealed.ts'
import { readReplaced, readSealingMark } from './store.ts'

/** Why this machine may not work on the database with these secrets: a sentence; undefined if it may. */
export async function findSecretFault(on: Reader, secrets: Keyring): Promise<string | undefined> {
  const mark = await readSealingMark(on)
  if (mark === undefined) return undefined
  const listed = secrets.all.map(markOf)
  const replaced = await readReplaced(on)
  const isMissing = replaced.some((row) => row.retiredAt === null && !listed.includes(row.mark))
  if (listed.includes(mark)) {
    if (!isMissing) return undefined
    return (
      `PURSER_SECRET lacks the secret before the one in use, and what it sealed is not sealed anew: ${await lostText(on, secrets)}. ` +
      'Set PURSER_SECRET=<new>,<old>, run "npx purser secret rotate" until nothing is left, and take the old one out then.'
    )
  }
  if (replaced.some((row) => listed.includes(row.mark)))
    return (
      'PURSER_SECRET was replaced by a new one: put that before it on this machine too, PURSER_SECRET=<new>,<old>, ' +
      'or set the new one alone once "npx purser secret" says that nothing is left.'
    )
  return (
    `PURSER_SECRET is another one than that of this database, and opens nothing of ${await lostText(on, secrets)}. Set it as it was. ` +
    'To replace it, set PURSER_SECRET=<new>,<old> on every machine, then run "npx purser secret rotate".'
  )
}

async function lostText(on: Reader, secrets: Keyring): Promise<string> {
  return namedCounts(await countSealed(on, secrets), 'lost') || 'what is sealed there'
}
