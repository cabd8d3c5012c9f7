import { placesOf } from '../../../base/db/pool/hosts.ts'
import { examineReplica } from '../../../base/db/replica/examine.ts'
import type { Unfit } from '../../../base/db/replica/proof.ts'
import type { Config } from '../../config/config.ts'
import { sentenceOf } from '../sentence.ts'
import { StartError } from '../start-error.ts'

type Primary = { url: string; isPooled: boolean }
/** The replica as it was found, as a sentence. `isFit`: public reads go to it. */
export type ReplicaState = { isFit: boolean; sentence: string }

/** A standby that keeps up shows a commit within milliseconds. */
const PATIENCE_MS = 2_000

const TO_PRIMARY = 'public reads go to the primary until then.'
const SENTENCES: Readonly<Record<Exclude<Unfit, 'other_database'>, string>> = {
  unknown: 'the primary has not said what it is.',
  takes_writes: `takes writes, so it is no standby, or was promoted: set PURSER_READ_URL to a standby; ${TO_PRIMARY}`,
  other_history: `follows another primary than DATABASE_URL: make it follow this one; ${TO_PRIMARY}`,
  behind: `is behind the primary: see its log, and pg_stat_replication of the primary; ${TO_PRIMARY}`,
}

/**
 * Examines the standby of PURSER_READ_URL; undefined if none is set. Throws a sentence if it belongs to another database: what it
 * shows would be that of strangers. Dead or behind is no fault of a start, since the primary answers in its place.
 */
export async function checkReplica(
  { database }: Config,
  primary: Primary,
): Promise<ReplicaState | undefined> {
  if (database.kind !== 'url' || !database.replica) return undefined
  const url = database.replica.url.reveal()
  const place = `The replica at ${placesOf(url)}`
  let unfit: Unfit | undefined
  try {
    unfit = await examineReplica(url, primary, PATIENCE_MS)
  } catch (error) {
    return { isFit: false, sentence: `${place} does not answer: ${sentenceOf(error)}` }
  }
  if (unfit === 'other_database')
    throw new StartError(
      `${place} is no copy of the database of DATABASE_URL: set PURSER_READ_URL to one of its standbys and the same database name, or leave it out.`,
    )
  if (unfit) return { isFit: false, sentence: `${place} ${SENTENCES[unfit]}` }
  return { isFit: true, sentence: `${place} is a standby of this database, and keeps up.` }
}
