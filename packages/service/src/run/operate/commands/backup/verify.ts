import { existsSync } from 'node:fs'
import type { Keyring } from '../../../../base/signing-keys/keyring.ts'
import type { Config } from '../../../config/config.ts'
import { checkWhole, isEncrypted, readHead } from '../../backup/format.ts'
import { isOfThisVersion } from '../../backup/restore.ts'
import type { Host } from '../../host.ts'
import { keysFile, loadKeys } from '../../keys.ts'
import { StartError } from '../../start-error.ts'

export type Verified = {
  file: string
  made_at: string
  rows: number
  is_encrypted: boolean
  /** The version that wrote it; null for one that noted none. */
  version: string | null
  /** Whether this version restores it, or the one that wrote it has to. */
  is_of_this_version: boolean
}

/** Reads a backup to its last byte, as a restore does before it begins. Asks no database. Throws a sentence if it is not whole. */
export async function verifyBackup(config: Config, host: Host, path: string): Promise<Verified> {
  const backup = { path, keys: config.backup.identities }
  const { head, secret } = await readHead(backup, await secretsHere(config, host))
  const { rows } = await checkWhole(backup, secret)
  return {
    ...{ file: path, made_at: head.made_at, rows, is_encrypted: await isEncrypted(path) },
    ...{ version: head.version ?? null, is_of_this_version: await isOfThisVersion(head) },
  }
}

/** The secrets that sign backups. Throws a sentence in place of making new ones. */
export async function secretsHere(config: Config, host: Host): Promise<Keyring> {
  const { chain, dataDir } = config
  const needsFile = chain.kind === 'embedded' && !(chain.secrets && chain.operatorKey)
  if (needsFile && !existsSync(keysFile(dataDir)))
    throw new StartError(
      `A backup holds no keys: put the keys.json of the service at ${keysFile(dataDir)} first (chmod 600).`,
    )
  return (await loadKeys(config, host)).secrets
}

export const verifiedText = (verified: Verified): string => {
  const { file, made_at, rows, is_encrypted, version, is_of_this_version } = verified
  const by = `Purser ${version ?? 'of another version'}`
  return [
    `${file} is whole: ${rows} rows, as they were at ${made_at}${is_encrypted ? ', encrypted' : ''}.`,
    is_of_this_version
      ? 'This version restores it.'
      : `${by} made it, and that version restores it.`,
  ].join('\n')
}
