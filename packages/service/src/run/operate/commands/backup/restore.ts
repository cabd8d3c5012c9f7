import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { readNow } from '../../../../base/db/clock.ts'
import type { Config } from '../../../config/config.ts'
import { settingsOf } from '../../../config/settings.ts'
import { makeFolder } from '../../../embedded/make-folder.ts'
import { alone, findState } from '../../backup/alone.ts'
import { type BackupFile, checkWhole, type Head, readHead } from '../../backup/format.ts'
import { checkVersion, loadRows } from '../../backup/restore.ts'
import { noteCommand } from '../../command-line.ts'
import {
  chainStateFile,
  lockDataDir,
  openDataDir,
  postgresDir,
  readHolder,
  restoringDir,
  writeWhole,
} from '../../data-dir.ts'
import type { Host } from '../../host.ts'
import { checkServer, migrateDatabase } from '../../processes/database.ts'
import { stopOrphans } from '../../processes/orphans.ts'
import { sentenceOf } from '../../sentence.ts'
import { type Attached, attach } from '../../start/attach.ts'
import { StartError } from '../../start-error.ts'
import { insertLoaded, type Loaded, readServerState } from '../../store.ts'
import { orderSales } from '../sales.ts'
import { secretsHere } from './verify.ts'

/** `restore FILE`, with `--replace` or without. */
export const isRestoreOrder = ([file, ...flags]: readonly string[]): boolean =>
  file !== undefined && !file.startsWith('-') && flags.every((flag) => flag === '--replace')

export type Restored = {
  file: string
  made_at: string
  rows: number
  /** When an earlier try had put the rows there; null if this one did. */
  rows_since: string | null
  /** The folder of the database that was here before. */
  moved_to: string | null
  /** Sales on chain that the backup does not know; null where nothing is sold on chain, or if they were not looked for. */
  missing_sales: number | null
  /** Why sales on chain were not looked for, where some may be. */
  sales_fault: string | null
}
type Order = { file: string; isReplacing: boolean }
type Checked = { head: Head; digest: string; backup: BackupFile }
type Filled = Pick<Restored, 'rows' | 'rows_since' | 'missing_sales' | 'sales_fault'>

/**
 * Fills an unused database from a backup, and looks for the sales on chain that it does not know. Throws a sentence, and
 * leaves the database as it was, if that fails. Once the rows are there nothing fails: what could not be done after them is said. The
 * same command goes on where it was cut off, until a service has started on the database.
 */
export async function restore(config: Config, host: Host, order: Order): Promise<Restored> {
  const { file, isReplacing } = order
  const { database, dataDir } = config
  if (isReplacing && database.kind !== 'embedded')
    throw new StartError('--replace is for the embedded database: name a new one in DATABASE_URL.')
  if (await readHolder(dataDir)) throw new StartError('The service runs: stop it first.')
  const checked = await check(config, host, file)
  await openDataDir(dataDir)
  await placeChain(config, checked.head)
  const { filled, moved } = isReplacing
    ? await replace(config, host, (aside) => fill(aside, host, checked))
    : { filled: await fill(config, host, checked), moved: null }
  return { file, made_at: checked.head.made_at, ...filled, moved_to: moved }
}

/** Puts the rows into the database of this configuration, unless they are there, and looks for the sales that they lack. */
async function fill(config: Config, host: Host, checked: Checked): Promise<Filled> {
  await using stack = new AsyncDisposableStack()
  const attached = await attach(config, host, stack)
  const { before, rows } = await alone(attached.db, () => loadOnce(config, attached, checked))
  return {
    rows,
    rows_since: before?.restoredAt.toISOString() ?? null,
    ...(await searchSales(config, attached, checked.head.made_at)),
  }
}

async function loadOnce(
  config: Config,
  { db, databaseUrl }: Attached,
  { backup, head, digest }: Checked,
): Promise<{ before: Loaded | undefined; rows: number }> {
  const advice =
    config.database.kind === 'embedded'
      ? 'add --replace to move it away.'
      : 'name a new one in DATABASE_URL.'
  const before = await findState(db, { digest, advice })
  if (before) return { before, rows: Number(before.rows) }
  checkServer(await readServerState(db.reader))
  await migrateDatabase(databaseUrl, config)
  const act = { act: 'database.restored', subject: resolve(backup.path) }
  const note = `as it was at ${head.made_at}`
  const rows = await loadRows(db, backup, async (tx, count) => {
    await noteCommand(tx, await readNow(tx), { ...act, note })
    await insertLoaded(tx, { digest, rows: BigInt(count) })
  }).catch((cause) => {
    if (cause instanceof StartError) throw cause
    throw new StartError(
      `${sentenceOf(cause)} None of the rows is in the database: run the same command again.`,
      { cause },
    )
  })
  return { before, rows }
}

/** A chain that does not answer is asked later: the rows are there, and the search may run beside the service. */
async function searchSales(
  config: Config,
  { db, chain }: Attached,
  since: string,
): Promise<Pick<Restored, 'missing_sales' | 'sales_fault'>> {
  const settings = settingsOf(config, null)
  if (settings.onChainSales === null || settings.identity === null)
    return { missing_sales: null, sales_fault: null }
  try {
    const words = ['find', '--since', since]
    const missing = await orderSales({ db, chain, settings }, await readNow(db.reader), words)
    return { missing_sales: missing.length, sales_fault: null }
  } catch (error) {
    return { missing_sales: null, sales_fault: sentenceOf(error) }
  }
}

/** A backup that is whole and fits this service. Nothing is changed before. */
async function check(config: Config, host: Host, path: string): Promise<Checked> {
  const backup = { path, keys: config.backup.identities }
  const { head, secret } = await readHead(backup, await secretsHere(config, host))
  await checkVersion(head)
  return { backup, head, digest: (await checkWhole(backup, secret)).digest }
}

/**
 * Has `work` make an embedded database in a folder of its own, which then takes the place of the one that is here. Until then
 * nothing of that one is touched, however the work ends.
 */
async function replace<T>(
  config: Config,
  host: Host,
  work: (aside: Config) => Promise<T>,
): Promise<{ filled: T; moved: string | null }> {
  const { dataDir } = config
  const [here, folder] = [postgresDir(dataDir), restoringDir(dataDir)]
  const clear = () => rm(folder, { recursive: true, force: true })
  await holding(config, host, clear)
  let filled: T
  try {
    filled = await work({ ...config, database: { kind: 'embedded', folder } })
  } catch (error) {
    await holding(config, host, clear).catch(() => undefined)
    throw error
  }
  const moved = `${here}.before-${host.clock.now().toISOString().replaceAll(/[:.]/g, '')}`
  const wasHere = existsSync(here)
  await holding(config, host, async () => {
    if (wasHere) await rename(here, moved)
    await rename(folder, here)
  })
  return { filled, moved: wasHere ? moved : null }
}

/** Works in the data folder while no service does. */
async function holding({ dataDir }: Config, host: Host, work: () => Promise<void>): Promise<void> {
  const lock = await lockDataDir(dataDir, host)
  try {
    await stopOrphans(dataDir)
    await work()
  } finally {
    await lock.release()
  }
}

/** A chain that is here knows what was done since the backup, so it stays. */
async function placeChain({ chain, dataDir }: Config, head: Head): Promise<void> {
  const file = chainStateFile(dataDir)
  if (chain.kind !== 'embedded' || head.chain === null || existsSync(file)) return
  await makeFolder(dirname(file))
  await writeWhole(file, JSON.parse(head.chain))
}

export const restoredText = (restored: Restored): string => {
  const { made_at, rows, rows_since, moved_to, missing_sales, sales_fault } = restored
  return [
    rows_since
      ? `The database is as it was at ${made_at} since ${rows_since}, by an earlier try: ${rows} rows.`
      : `The database is as it was at ${made_at}: ${rows} rows.`,
    ...(moved_to ? [`What was here before is in ${moved_to}.`] : []),
    ...(missing_sales
      ? [`${missing_sales} sales on chain are missing in it: npx purser sales`]
      : []),
    ...(sales_fault
      ? [
          `Not done: sales on chain were not looked for. ${sales_fault} Before you start the service: npx purser sales find --since ${made_at}`,
        ]
      : []),
    'Next: start the service, then npx purser verify, npx purser payouts and npx purser alarms.',
  ].join('\n')
}
