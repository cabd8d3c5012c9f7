import { resolve } from 'node:path'
import { readNow } from '../../../../base/db/clock.ts'
import type { Config } from '../../../config/config.ts'
import { type Written, writeBackup } from '../../backup/write.ts'
import { noteCommand } from '../../command-line.ts'
import { chainStateFile } from '../../data-dir.ts'
import type { Host } from '../../host.ts'
import { attach } from '../../start/attach.ts'

/** `backup FILE`. */
export const isBackupOrder = (words: readonly string[]): boolean =>
  words.length === 1 && !words[0]?.startsWith('-')
/** `backup verify FILE`. */
export const isVerifyOrder = ([verb, ...words]: readonly string[]): boolean =>
  verb === 'verify' && isBackupOrder(words)

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
    version: config.version,
    recipients: config.backup.recipients,
  })
}

export const backupText = ({ file, made_at, rows }: Written): string =>
  `${file} holds the database as it was at ${made_at}: ${rows} rows. Keep PURSER_SECRET and the keys (keys.json of the data folder) apart from it: without them it is of no use.`
