import type { Db } from '../../../base/db/sql.ts'
import { LOST_SECONDS } from '../../oversight/machines.ts'
import { listMachines } from '../../oversight/store.ts'
import { StartError } from '../start-error.ts'
import {
  findLoaded,
  giveDatabase,
  hasTable,
  type Loaded,
  readIdentities,
  takeDatabase,
} from '../store.ts'

/**
 * Does `work` while no service and no other restore works on the database, from whatever folder or machine. Throws a sentence if one
 * does.
 */
export function alone<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return db.together(async (on) => {
    if (!(await takeDatabase(on))) throw new StartError(await whoseSentence(db))
    try {
      // Connections through a pooler in transaction mode hold no lock.
      const machine = await findMachine(db)
      if (machine) throw new StartError(machine)
      return await work()
    } finally {
      await giveDatabase(on).catch(() => undefined)
    }
  })
}

const whoseSentence = async (db: Db): Promise<string> =>
  (await findMachine(db)) ??
  'A service or another restore works on this database: stop it first, on whatever machine it runs.'

/** Says which machine works on the database, if one was seen lately. */
async function findMachine({ reader }: Db): Promise<string | undefined> {
  if (!(await hasTable(reader, 'machines'))) return undefined
  const seen = (await listMachines(reader)).find((one) => one.silentSeconds < LOST_SECONDS)
  return (
    seen &&
    `The service runs on this database, on ${seen.host} as process ${seen.pid}: stop it first. One that was killed counts for ${LOST_SECONDS} s.`
  )
}

/**
 * The backup that a restore has put into the database already; undefined for an unused one. Throws a sentence if a service has ever
 * worked on it.
 */
export async function findState(
  { reader }: Db,
  { digest, advice }: { digest: string; advice: string },
): Promise<Loaded | undefined> {
  if (await hasTable(reader, 'restored_backup')) {
    const loaded = await findLoaded(reader)
    if (loaded?.digest === digest) return loaded
  }
  const isUsed =
    (await hasTable(reader, 'chain_identity')) && (await readIdentities(reader)).length > 0
  if (isUsed) throw new StartError(`The database is in use already: ${advice}`)
  return undefined
}
