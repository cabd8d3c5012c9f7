import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { readNow } from '../../../base/db/clock.ts'
import type { Config } from '../../config/config.ts'
import { settingsOf } from '../../config/settings.ts'
import { makeFolder } from '../../embedded/make-folder.ts'
import { checkWhole, type Head, readHead } from '../backup/format.ts'
import { checkVersion, loadRows, refuseUsed } from '../backup/restore.ts'
import { type Written, writeBackup } from '../backup/write.ts'
import { noteCommand } from '../command-line.ts'
import {
  chainStateFile,
  lockDataDir,
  openDataDir,
  postgresDir,
  readHolder,
  writeWhole,
} from '../data-dir.ts'
import type { Host } from '../host.ts'
import { keysFile, loadKeys } from '../keys.ts'
import { migrateDatabase } from '../processes/database.ts'
import { stopOrphans } from '../processes/orphans.ts'
import { attach } from '../start/attach.ts'
import { StartError } from '../start-error.ts'
import { orderSales } from './sales.ts'

/** `backup FILE`. */
export const isBackupOrder = (words: readonly string[]): boolean =>
  words.length === 1 && !words[0]?.startsWith('-')
/** `restore FILE`, with `--replace` or without. */
export const isRestoreOrder = ([file, ...flags]: readonly string[]): boolean =>
  file !== undefined && !file.startsWith('-') && flags.every((flag) => flag === '--replace')

/** Writes a backup of the database of this configuration, while the service runs or not. */
export async function backUp(config: Config, host: Host, file: string): Promise<Written> {
  await using stack = new AsyncDisposableStack()
  const { databaseUrl, db, secrets } = await attach(config, host, stack)
  const at = await readNow(db.reader)
  // Before the first row is read: a backup that fails or is cut off was a try to take all of it.
  await db.write((tx) => noteCommand(tx, at, { act: 'backup.begun', subject: resolve(file) }))
  const chainFile = config.chain.kind === 'embedded' ? chainStateFile(config.dataDir) : null
  // Awaited here: the parts stop with the stack.
  return await writeBackup(file, {
    databaseUrl,
    secret: secrets.current,
    chainFile,
    at,
  })
}

export type Restored = {
  file: string
  made_at: string
  rows: number
  /** The folder of the database that was here before. */
  moved_to: string | null
  /** Sales on chain that the backup does not know; null where nothing is sold on chain. */
  missing_sales: number | null
}
type Order = { file: string; isReplacing: boolean }

/**
 * Fills an unused database from a backup, and looks for the sales on chain that it does not know. Throws a sentence, and
 * leaves the database as it was, if the backup is damaged, of another secret or another version.
 */
export async function restore(config: Config, host: Host, order: Order): Promise<Restored> {
  const { file, isReplacing } = order
  const isEmbedded = config.database.kind === 'embedded'
  if (isReplacing && !isEmbedded)
    throw new StartError('--replace is for the embedded database: name a new one in DATABASE_URL.')
  if (await readHolder(config.dataDir)) throw new StartError('The service runs: stop it first.')
  const head = await check(config, host, file)
  await openDataDir(config.dataDir)
  const moved = isReplacing ? await moveAway(config, host) : null
  await placeChain(config, head)

  await using stack = new AsyncDisposableStack()
  const { databaseUrl, db, chain } = await attach(config, host, stack)
  const advice = isEmbedded ? 'add --replace to move it away.' : 'name a new one in DATABASE_URL.'
  await refuseUsed(databaseUrl, advice)
  await migrateDatabase(databaseUrl, config)
  const rows = await loadRows(databaseUrl, file)
  const at = await readNow(db.reader)
  await db.write((tx) =>
    noteCommand(tx, at, {
      ...{ act: 'database.restored', subject: resolve(file) },
      note: `as it was at ${head.made_at}`,
    }),
  )
  const settings = settingsOf(config, null)
  const sells = settings.onChainSales !== null && settings.identity !== null
  const words = ['find', '--since', head.made_at]
  const missing = sells
    ? await orderSales({ db, chain, settings }, await readNow(db.reader), words)
    : undefined
  return {
    file,
    made_at: head.made_at,
    rows,
    moved_to: moved,
    missing_sales: missing?.length ?? null,
  }
}

/** The head of a backup that is whole and fits this service. Nothing is changed before. */
async function check(config: Config, host: Host, file: string): Promise<Head> {
  const { chain, dataDir } = config
  const needsFile = chain.kind === 'embedded' && !(chain.secrets && chain.operatorKey)
  if (needsFile && !existsSync(keysFile(dataDir)))
    throw new StartError(
      `A backup holds no keys: put the keys.json of the service at ${keysFile(dataDir)} first (chmod 600).`,
    )
  const { secrets } = await loadKeys(config, host)
  const { head, secret } = await readHead(file, secrets)
  await checkVersion(head)
  await checkWhole(file, secret)
  return head
}

/** Renames the folder of the embedded database. */
async function moveAway({ dataDir }: Config, host: Host): Promise<string | null> {
  const from = postgresDir(dataDir)
  if (!existsSync(from)) return null
  const lock = await lockDataDir(dataDir, host)
  try {
    await stopOrphans(dataDir)
    const to = `${from}.before-${host.clock.now().toISOString().replaceAll(/[:.]/g, '')}`
    await rename(from, to)
    return to
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

export const backupText = ({ file, made_at, rows }: Written): string =>
  `${file} holds the database as it was at ${made_at}: ${rows} rows. Keep PURSER_SECRET and the keys (keys.json of the data folder) apart from it: without them it is of no use.`

export const restoredText = ({ made_at, rows, moved_to, missing_sales }: Restored): string =>
  [
    `The database is as it was at ${made_at}: ${rows} rows.`,
    ...(moved_to ? [`What was here before is in ${moved_to}.`] : []),
    ...(missing_sales
      ? [`${missing_sales} sales on chain are missing in it: npx purser sales`]
      : []),
    'Next: start the service, then npx purser verify, npx purser payouts and npx purser alarms.',
  ].join('\n')
