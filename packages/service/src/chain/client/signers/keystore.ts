import { createCipheriv, createDecipheriv, pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { keccak256 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { equalBytes, randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { isPrivateKey } from './reference.ts'
import { SignerError } from './signer-error.ts'

type ScryptParams = { n: number; r: number; p: number; dklen: number; salt: string }
type Pbkdf2Params = { c: number; prf: 'hmac-sha256'; dklen: number; salt: string }
type Crypto = {
  cipher: 'aes-128-ctr'
  cipherparams: { iv: string }
  ciphertext: string
  mac: string
} & ({ kdf: 'scrypt'; kdfparams: ScryptParams } | { kdf: 'pbkdf2'; kdfparams: Pbkdf2Params })

/**
 * A private key encrypted under a passphrase: Web3 Secret Storage, version 3, as geth, MetaMask and Foundry write it.
 */
export type Keystore = { version: 3; id: string; address: string; crypto: Crypto }

/** Geth's own cost: about a second and 256 MiB for each guess at the passphrase. */
const STANDARD_COST = 2 ** 18
const MOST_MEMORY_BYTES = 2 ** 30
const MOST_ROUNDS = 10_000_000

/** Encrypts a private key (0x and 64 hex characters). `cost` is scrypt's N, a power of two. */
export async function createKeystore(
  key: Secret,
  passphrase: Secret,
  cost: number = STANDARD_COST,
): Promise<Keystore> {
  if (passphrase.reveal() === '') throw new SignerError('A keystore needs a passphrase.')
  const kdfparams = { n: cost, r: 8, p: 1, dklen: 32, salt: randomHex(32).slice(2) }
  const derived = await deriveKey({ kdf: 'scrypt', kdfparams }, passphrase)
  const iv = randomHex(16).slice(2)
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), bytes(iv))
  const ciphertext = Buffer.concat([cipher.update(bytes(key.reveal().slice(2))), cipher.final()])
  return {
    version: 3,
    id: newUuid(),
    address: privateKeyToAddress(key.reveal() as Hex)
      .slice(2)
      .toLowerCase(),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv },
      ciphertext: ciphertext.toString('hex'),
      kdf: 'scrypt',
      kdfparams,
      mac: macOf(derived, ciphertext).toString('hex'),
    },
  }
}

/** Decrypts the private key in a keystore file. Throws a `SignerError` if the file or the passphrase is wrong. */
export async function openKeystore(text: string, passphrase: Secret): Promise<Secret> {
  const { crypto, address } = readKeystore(text)
  const derived = await deriveKey(crypto, passphrase)
  const ciphertext = bytes(crypto.ciphertext)
  if (!equalBytes(macOf(derived, ciphertext), bytes(crypto.mac)))
    throw new SignerError('The passphrase does not open the keystore, or the file is damaged.')
  const iv = bytes(crypto.cipherparams.iv)
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const key = `0x${Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('hex')}`
  if (!isPrivateKey(key)) throw new SignerError('The keystore holds no private key of this curve.')
  if (address !== undefined && address !== privateKeyToAddress(key as Hex).toLowerCase())
    throw new SignerError('The keystore’s address is not that of the key in it.')
  return new Secret(key)
}

/** The MAC covers the ciphertext and the half of the derived key that does not encrypt. */
const macOf = (derived: Buffer, ciphertext: Buffer): Buffer =>
  bytes(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2))

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

async function deriveKey(
  { kdf, kdfparams }: Pick<Crypto, 'kdf' | 'kdfparams'>,
  passphrase: Secret,
): Promise<Buffer> {
  const [password, salt] = [Buffer.from(passphrase.reveal(), 'utf8'), bytes(kdfparams.salt)]
  if (kdf === 'pbkdf2') {
    const { c } = kdfparams as Pbkdf2Params
    return promisify(pbkdf2)(password, salt, c, 32, 'sha256')
  }
  const { n: N, r, p } = kdfparams as ScryptParams
  const maxmem = 2 * MOST_MEMORY_BYTES
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N, r, p, maxmem }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    )
  })
}

type Loose = { readonly [key: string]: unknown }
const object = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {}
const isHex = (value: unknown, length?: number): value is string =>
  typeof value === 'string' &&
  /^([0-9a-fA-F]{2})+$/.test(value) &&
  (length === undefined || value.length === 2 * length)
const isWithin = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most

/** `address` has 0x and lower case. Some wallets leave the address out for privacy. */
function readKeystore(text: string): { crypto: Crypto; address: string | undefined } {
  const file = object(parseJson(text))
  const crypto = object(file.crypto ?? file.Crypto)
  const params = object(crypto.kdfparams)
  if (file.version !== 3 || crypto.cipher !== 'aes-128-ctr')
    throw new SignerError(
      'The keystore is not of version 3 with aes-128-ctr, which is what geth writes.',
    )
  const isWhole =
    isHex(object(crypto.cipherparams).iv, 16) &&
    isHex(crypto.ciphertext, 32) &&
    isHex(crypto.mac, 32) &&
    isHex(params.salt) &&
    params.dklen === 32
  if (!isWhole || !isKnownKdf(crypto.kdf, params))
    throw new SignerError(
      'The keystore’s members are missing, malformed, or ask for more than 1 GiB of memory or ten million rounds.',
    )
  if (crypto.kdf === 'scrypt' && Math.log2(Number(params.n)) >= 16 * Number(params.r))
    throw new SignerError(
      'The keystore’s scrypt has an n too great for its r (RFC 7914 wants n below 2^(16 r)): write the key anew with geth or Foundry.',
    )
  const address = file.address
  return {
    crypto: crypto as Crypto,
    address: isHex(address, 20) ? `0x${address.toLowerCase()}` : undefined,
  }
}

function isKnownKdf(kdf: unknown, { n, r, p, c, prf }: Loose): boolean {
  if (kdf === 'pbkdf2') return prf === 'hmac-sha256' && isWithin(c, 1, MOST_ROUNDS)
  const isScrypt = isWithin(n, 2, 2 ** 24) && isWithin(r, 1, 64) && isWithin(p, 1, 64)
  return (
    kdf === 'scrypt' &&
    isScrypt &&
    Number.isInteger(Math.log2(n)) &&
    128 * n * r <= MOST_MEMORY_BYTES
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own error quotes the text, which may be a bare private key.
    throw new SignerError('The keystore is not JSON.')
  }
}

/** A random UUID (RFC 9562, version 4). */
function newUuid(): string {
  const [a, b, c, d, e] =
    /^0x(.{8})(.{4}).(.{3}).(.{3})(.{12})$/.exec(randomHex(16))?.slice(1) ?? []
  return [a, b, `4${c}`, `8${d}`, e].join('-')
}
