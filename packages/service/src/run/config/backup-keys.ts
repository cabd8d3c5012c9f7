import { Decrypter, Encrypter } from 'age-encryption'
import type { Source } from './values.ts'

/** Keys of age: backups are encrypted for all of the recipients, and opened with one of the identities. */
export type BackupKeys = { recipients: readonly string[]; identities: readonly string[] }

const CHECKS = {
  PURSER_BACKUP_RECIPIENT: (key: string) => new Encrypter().addRecipient(key),
  PURSER_BACKUP_IDENTITY: (key: string) => new Decrypter().addIdentity(key),
}

export const readBackupKeys = (from: Source): BackupKeys => ({
  recipients: readKeys(from, 'PURSER_BACKUP_RECIPIENT'),
  identities: readKeys(from, 'PURSER_BACKUP_IDENTITY'),
})

/** Keys behind commas or line by line, as `age-keygen` writes them with comments. */
function readKeys(from: Source, name: keyof typeof CHECKS): string[] {
  const parts = (from.text(name) ?? '').split(/[\n,]/).map((part) => part.trim())
  const keys = parts.filter((part) => part !== '' && !part.startsWith('#'))
  try {
    keys.forEach(CHECKS[name])
  } catch {
    // The sentence of the library may hold the key.
    from.fault(
      name === 'PURSER_BACKUP_RECIPIENT'
        ? 'PURSER_BACKUP_RECIPIENT must be public keys of age, comma-separated: write what "age-keygen -y <key file>" says, age1…; leave it out for backups in clear.'
        : 'PURSER_BACKUP_IDENTITY must be keys of age, AGE-SECRET-KEY-1…: name the file that age-keygen made in PURSER_BACKUP_IDENTITY_FILE.',
    )
  }
  return keys
}
