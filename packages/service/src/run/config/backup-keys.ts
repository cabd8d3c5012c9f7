import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Source } from './values.ts'

const SPKI = Buffer.from('302a300506032b656e032100', 'hex')
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** Keys of age: backups are encrypted for all of the recipients, and opened with one of the identities. */
export type BackupKeys = { recipients: readonly KeyObject[]; identities: readonly KeyObject[] }

export const readBackupKeys = (from: Source): BackupKeys => ({
  recipients: readKeys(from, 'PURSER_BACKUP_RECIPIENT', readRecipient),
  identities: readKeys(from, 'PURSER_BACKUP_IDENTITY', readIdentity),
})

/** Keys behind commas or line by line, as `age-keygen` writes them with comments. */
function readKeys(
  from: Source,
  name: 'PURSER_BACKUP_RECIPIENT' | 'PURSER_BACKUP_IDENTITY',
  read: (text: string) => KeyObject | undefined,
): KeyObject[] {
  const parts = (from.text(name) ?? '').split(/[\n,]/).map((part) => part.trim())
  const keys = parts.filter((part) => part !== '' && !part.startsWith('#')).map(read)
  const known = keys.filter((key) => key !== undefined)
  if (known.length < keys.length)
    from.fault(
      name === 'PURSER_BACKUP_RECIPIENT'
        ? 'PURSER_BACKUP_RECIPIENT must be public keys of age, comma-separated: write what "age-keygen -y <key file>" says, age1…; leave it out for backups in clear.'
        : 'PURSER_BACKUP_IDENTITY must be keys of age, AGE-SECRET-KEY-1…: name the file that age-keygen made in PURSER_BACKUP_IDENTITY_FILE.',
    )
  return known
}

/** The public key that a file is encrypted to: `age1…`. Undefined for another text. */
function readRecipient(text: string): KeyObject | undefined {
  const bytes = decodeBech32(text, 'age')
  return bytes && publicKey(bytes)
}

/** The key that opens files: `AGE-SECRET-KEY-1…`. Undefined for another text. */
function readIdentity(text: string): KeyObject | undefined {
  const bytes = decodeBech32(text.toLowerCase(), 'age-secret-key-')
  return (
    bytes && createPrivateKey({ key: Buffer.concat([PKCS8, bytes]), format: 'der', type: 'pkcs8' })
  )
}

/** A public key of X25519. */
export const publicKey = (bytes: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' })

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** The 32 bytes of a text of BIP 173 with this prefix. */
function decodeBech32(text: string, prefix: string): Buffer | undefined {
  if (!text.startsWith(`${prefix}1`)) return undefined
  const values = [...text.slice(prefix.length + 1)].map((letter) => LETTERS.indexOf(letter))
  if (values.includes(-1)) return undefined
  const codes = [...prefix].map((letter) => letter.charCodeAt(0))
  const spread = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
  if (checksum([...spread, ...values]) !== 1) return undefined
  const bits = values
    .slice(0, -6)
    .map((value) => value.toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.slice(0, bits.length - (bits.length % 8)).match(/.{8}/g) ?? []
  const found = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
  return found.length === 32 ? found : undefined
}

function checksum(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [i, part] of GENERATOR.entries()) if ((top >> i) & 1) sum ^= part
  }
  return sum
}
