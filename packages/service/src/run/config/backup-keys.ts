import type { Source } from './values.ts'

/** Keys of age: backups are encrypted for all of the recipients, and opened with one of the identities. */
export type BackupKeys = { recipients: readonly string[]; identities: readonly string[] }

/** Sentences for keys that are none. The library, which `run/operate/backup/age.ts` alone loads, looks at them to the last letter. */
export const KEY_FAULTS = {
  PURSER_BACKUP_RECIPIENT:
    'PURSER_BACKUP_RECIPIENT must be public keys of age, comma-separated: write what "age-keygen -y <key file>" says, age1…; leave it out for backups in clear.',
  PURSER_BACKUP_IDENTITY:
    'PURSER_BACKUP_IDENTITY must be keys of age, AGE-SECRET-KEY-1…: name the file that age-keygen made in PURSER_BACKUP_IDENTITY_FILE.',
} as const
const FORMS = {
  PURSER_BACKUP_RECIPIENT: /^age1[a-z0-9]{20,}$/,
  PURSER_BACKUP_IDENTITY: /^AGE-SECRET-KEY-(PQ-)?1[A-Z0-9]{20,}$/,
}

export const readBackupKeys = (from: Source): BackupKeys => ({
  recipients: readKeys(from, 'PURSER_BACKUP_RECIPIENT'),
  identities: readKeys(from, 'PURSER_BACKUP_IDENTITY'),
})

/** Keys behind commas or line by line, as `age-keygen` writes them with comments. */
function readKeys(from: Source, name: keyof typeof FORMS): string[] {
  const parts = (from.text(name) ?? '').split(/[\n,]/).map((part) => part.trim())
  const keys = parts.filter((part) => part !== '' && !part.startsWith('#'))
  if (!keys.every((key) => FORMS[name].test(key))) from.fault(KEY_FAULTS[name])
  return keys
}
