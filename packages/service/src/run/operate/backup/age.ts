import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'
import { KEY_FAULTS } from '../../config/backup-keys.ts'
import { codeOf, StartError } from '../start-error.ts'

// The format of age, version 1 (https://age-encryption.org/v1): the program `age` opens what is written here.
const VERSION = 'age-encryption.org/v1'

/** None of the keys opens the file. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey'
}
/** The file is cut off, or was changed. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
}

/** Encrypts to all of the recipients: the key of any of them opens it. Throws a sentence if one is no key. */
export function encryptTo(recipients: readonly string[]) {
  const encrypter = new Encrypter()
  const add = (recipient: string) => encrypter.addRecipient(recipient)
  addKeys(recipients, add, KEY_FAULTS.PURSER_BACKUP_RECIPIENT)
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* await encrypter.encrypt(ReadableStream.from(source))
  }
}

/** Opens it with one of the keys. Throws a sentence if one is none, `WrongKey`, or `Damaged` if a byte is not as it was written. */
export async function* decryptWith(
  keys: readonly string[],
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  const add = (key: string) => decrypter.addIdentity(key)
  addKeys(keys, add, KEY_FAULTS.PURSER_BACKUP_IDENTITY)
  try {
    yield* await decrypter.decrypt(ReadableStream.from(source))
  } catch (cause) {
    // An error of the file itself has a code.
    if (codeOf(cause) !== '') throw cause
    if (String(cause).includes('no identity matched')) throw new WrongKey(undefined, { cause })
    throw new Damaged(undefined, { cause })
  }
}

function addKeys(keys: readonly string[], add: (key: string) => void, sentence: string): void {
  try {
    keys.forEach(add)
  } catch {
    // The words of the library may hold the key.
    throw new StartError(sentence)
  }
}

/** Whether a file that begins so is one of age. */
export const isAge = (start: Buffer): boolean =>
  start.subarray(0, VERSION.length).toString('latin1') === VERSION
