import { createHash, createHmac, type Hash, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { deriveKey, type Secret } from '../../../base/kernel/secrets.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import { codeOf, fileFaultOf, StartError } from '../start-error.ts'
import { Damaged, decryptWith, isAge, WrongKey } from './age.ts'

/**
 * A backup is lines of JSON, compressed: the head, for each table its columns and then a text a row, the sequences, and the
 * end with a digest of all lines before it. The digest is signed with a key of `PURSER_SECRET`. All of it may be encrypted.
 */
export type Head = {
  purser_backup: 1
  /** The version that wrote it; absent from files of before versions were noted. */
  version?: string
  /** The moment that the database is shown at. Payouts and sales after it are unknown to it. */
  made_at: string
  /** A word for the secret: whether the one that is set is that one. */
  secret_mark: string
  migrations: { name: string; sha256: string }[]
  /** The state of the embedded chain; null for a chain elsewhere. */
  chain: string | null
}
export type Table = { table: string; columns: string[] }
export type Sequences = { sequences: Record<string, string> }
type End = { end: { rows: number; digest: string; mac: string } }
/** A row is a text: PostgreSQL's own of the whole row. */
export type Line = string | Table | Sequences

/** A backup, and the keys that open it if it is encrypted. */
export type BackupFile = { path: string; keys: readonly string[] }

const PURPOSE = 'backup'

export const markOf = (secret: Secret): string =>
  createHmac('sha256', deriveKey(secret, PURPOSE)).update('mark').digest('hex')

/** Counts rows, and makes the end of a backup from its lines. */
export class Seal {
  readonly #hash: Hash = createHash('sha256')
  readonly #secret: Secret
  rows = 0

  constructor(secret: Secret) {
    this.#secret = secret
  }

  /** The line as it is written. */
  add(value: Head | Line): string {
    const line = `${JSON.stringify(value)}\n`
    if (typeof value === 'string') this.rows++
    this.#hash.update(line)
    return line
  }

  end(): End {
    const digest = this.#hash.copy().digest('hex')
    const text = `${this.rows} ${digest}`
    const mac = createHmac('sha256', deriveKey(this.#secret, PURPOSE)).update(text).digest('hex')
    return { end: { rows: this.rows, digest, mac } }
  }
}

/** The head of a backup, and the one of our secrets that signed it. Throws a sentence if the file is none, or is of another secret. */
export async function readHead(
  file: BackupFile,
  secrets: Keyring,
): Promise<{ head: Head; secret: Secret }> {
  const { path } = file
  for await (const value of linesOf(file)) {
    const head = value as Partial<Head>
    if (head?.purser_backup !== 1) break
    const secret = secrets.all.find((one) => head.secret_mark === markOf(one))
    if (!secret)
      throw new StartError(
        `${path} is a backup of a service with another secret: set PURSER_SECRET as it was, or put its keys.json into the data folder. If the secret was replaced since, set PURSER_SECRET=<new>,<old>.`,
      )
    return { head: head as Head, secret }
  }
  throw new StartError(`${path} is no backup of Purser.`)
}

/** Reads a backup to its end, and returns its digest and how many rows it has. Throws a sentence if a byte of it is not as it was written. */
export async function checkWhole(
  file: BackupFile,
  secret: Secret,
): Promise<{ digest: string; rows: number }> {
  const seal = new Seal(secret)
  for await (const value of linesOf(file)) {
    const found = value as Partial<End> & Line
    if (typeof found === 'string' || !found.end) {
      seal.add(found)
      continue
    }
    const end = seal.end()
    const wanted = Buffer.from(JSON.stringify(end))
    const given = Buffer.from(JSON.stringify(found))
    if (wanted.length === given.length && timingSafeEqual(wanted, given)) return end.end
    break
  }
  throw damaged(file.path)
}

/** The lines of a backup after its head and before its end. */
export async function* bodyOf(file: BackupFile): AsyncGenerator<Line, void, undefined> {
  let isHead = true
  for await (const value of linesOf(file)) {
    const found = value as Line & Partial<End>
    if (typeof found !== 'string' && found.end) return
    if (!isHead) yield found
    isHead = false
  }
}

async function* linesOf({ path, keys }: BackupFile): AsyncGenerator<unknown, void, undefined> {
  let file: Readable | undefined
  try {
    const bytes = createReadStream(path)
    file = (await isEncrypted(path)) ? Readable.from(decryptWith(keys, bytes)) : bytes
    const text = file.pipe(createGunzip()).setEncoding('utf8')
    file.on('error', (error) => text.destroy(error))
    let rest = ''
    for await (const chunk of text) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line)
    }
    if (rest !== '') throw damaged(path)
  } catch (cause) {
    const code = codeOf(cause)
    const reason = fileFaultOf(cause)
    if (reason) throw new StartError(`${path} cannot be read: ${reason}.`, { cause })
    if (cause instanceof WrongKey)
      throw new StartError(
        keys.length === 0
          ? `${path} is encrypted: set PURSER_BACKUP_IDENTITY to the key that opens it (AGE-SECRET-KEY-1…).`
          : `${path} is encrypted for another key than PURSER_BACKUP_IDENTITY: set the one that belongs to the PURSER_BACKUP_RECIPIENT of then.`,
        { cause },
      )
    if (cause instanceof SyntaxError || cause instanceof Damaged || code.startsWith('Z_'))
      throw damaged(path, cause)
    throw cause
  } finally {
    file?.destroy()
  }
}

/** Whether the file is encrypted, by its first bytes. */
export async function isEncrypted(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return isAge(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

const damaged = (path: string, cause?: unknown): StartError =>
  new StartError(`${path} is damaged or was changed.`, { cause })
