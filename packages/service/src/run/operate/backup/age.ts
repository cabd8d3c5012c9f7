import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { equalBytes } from '../../../base/kernel/secrets.ts'
import { publicKey } from '../../config/backup-keys.ts'

// The format of age, version 1, with keys of X25519: https://age-encryption.org/v1. The program `age` opens what is written here.
const VERSION = 'age-encryption.org/v1'
const CIPHER = 'chacha20-poly1305'
const CHUNK = 65_536
const TAG = 16
const HEADER_MAX = 65_536

/** None of the keys opens the file. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey'
}
/** The file is cut off, or was changed. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
}

/** Encrypts to all of the recipients: the key of any of them opens it. */
export function encryptTo(recipients: readonly KeyObject[]) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const fileKey = randomBytes(16)
    const stanzas = recipients.map((recipient) => wrap(fileKey, recipient)).join('')
    const head = `${VERSION}\n${stanzas}---`
    yield Buffer.from(`${head} ${base64(macOf(fileKey, head))}\n`)
    const nonce = randomBytes(16)
    yield nonce
    const key = derive(fileKey, nonce, 'payload')
    let n = 0
    let rest: Buffer = Buffer.alloc(0)
    for await (const part of source) {
      rest = Buffer.concat([rest, part])
      // The last chunk is marked, and may not be empty.
      for (; rest.length > CHUNK; rest = rest.subarray(CHUNK))
        yield sealed(key, nonceOf(n++, false), rest.subarray(0, CHUNK))
    }
    yield sealed(key, nonceOf(n, true), rest)
  }
}

/** Opens it with one of the keys. Throws `WrongKey`, or `Damaged` if a byte is not as it was written. */
export async function* decryptWith(
  keys: readonly KeyObject[],
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let payload: { key: Buffer; n: number } | undefined
  for await (const part of source) {
    rest = Buffer.concat([rest, part])
    if (!payload) {
      const end = endOfHeader(rest)
      if (end === undefined || rest.length < end + 16) continue
      const fileKey = readHeader(rest.subarray(0, end).toString('latin1'), keys)
      payload = { key: derive(fileKey, rest.subarray(end, end + 16), 'payload'), n: 0 }
      rest = rest.subarray(end + 16)
    }
    for (; rest.length > CHUNK + TAG; rest = rest.subarray(CHUNK + TAG))
      yield opened(payload.key, nonceOf(payload.n++, false), rest.subarray(0, CHUNK + TAG))
  }
  if (!payload) throw new Damaged()
  yield opened(payload.key, nonceOf(payload.n, true), rest)
}

/** Whether a file that begins so is one of age. */
export const isAge = (start: Buffer): boolean =>
  start.subarray(0, VERSION.length).toString('latin1') === VERSION

const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-32)

function wrap(fileKey: Buffer, recipient: KeyObject): string {
  const { privateKey, publicKey: share } = generateKeyPairSync('x25519')
  const shared = diffieHellman({ privateKey, publicKey: recipient })
  const key = wrapKey(shared, rawOf(share), rawOf(recipient))
  return `-> X25519 ${base64(rawOf(share))}\n${base64(sealed(key, Buffer.alloc(12), fileKey))}\n`
}

const wrapKey = (shared: Buffer, share: Buffer, recipient: Buffer): Buffer =>
  derive(shared, Buffer.concat([share, recipient]), `${VERSION}/X25519`)

/** The end of the header, behind its last line. Undefined while it is not all there. */
function endOfHeader(bytes: Buffer): number | undefined {
  const mark = bytes.indexOf('\n--- ')
  const end = mark < 0 ? -1 : bytes.indexOf('\n', mark + 1)
  if (end >= 0) return end + 1
  if (bytes.length > HEADER_MAX) throw new Damaged()
  return undefined
}

/** Finds the key of the file. Stanzas of other kinds are for others. */
function readHeader(header: string, keys: readonly KeyObject[]): Buffer {
  const last = header.lastIndexOf('\n--- ')
  const mac = Buffer.from(header.slice(last + 5).trim(), 'base64')
  for (const [, share = '', body = ''] of header.matchAll(/^-> X25519 (\S+)\n(\S+)$/gm))
    for (const key of keys) {
      const fileKey = unwrap(key, Buffer.from(share, 'base64'), Buffer.from(body, 'base64'))
      if (!fileKey) continue
      if (!equalBytes(macOf(fileKey, header.slice(0, last + 4)), mac)) throw new Damaged()
      return fileKey
    }
  throw new WrongKey()
}

function unwrap(privateKey: KeyObject, share: Buffer, body: Buffer): Buffer | undefined {
  if (share.length !== 32 || body.length !== 16 + TAG) return undefined
  const shared = diffieHellman({ privateKey, publicKey: publicKey(share) })
  const key = wrapKey(shared, share, rawOf(createPublicKey(privateKey)))
  try {
    return opened(key, Buffer.alloc(12), body)
  } catch (error) {
    if (error instanceof Damaged) return undefined
    throw error
  }
}

function sealed(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG })
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

function opened(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  if (bytes.length < TAG) throw new Damaged()
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG)), decipher.final()])
  } catch (cause) {
    throw new Damaged('a chunk does not fit its tag', { cause })
  }
}

/** The number of the chunk, and whether it is the last: so none is moved, left out or cut off. */
function nonceOf(n: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(n, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const macOf = (fileKey: Buffer, head: string): Buffer =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(head)
    .digest()

const derive = (from: Buffer, salt: Buffer, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', from, salt, info, 32))

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
