import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { SigningWallet } from '@purser/sdk'
import { addr, eip191Signer, signTyped } from 'micro-eth-signer'
import { Fault } from './fault.ts'

const KEY = /^(0x)?[0-9a-fA-F]{64}$/
const MOST_MEMORY_BYTES = 2 ** 30
const MOST_ROUNDS = 10_000_000

type Loose = { readonly [key: string]: unknown }

/** Typed data (EIP-712) as the service sends it: its whole numbers are strings. */
export type TypedData = {
  domain: Loose
  types: Loose
  primaryType: string
  message: Loose
}

/** A wallet of this machine. */
export type CliWallet = SigningWallet & { signTypedData(data: TypedData): string }

/** A wallet that signs with this private key: 64 hex characters, with or without 0x. */
export function walletOf(key: string): CliWallet {
  if (!KEY.test(key))
    throw new Fault('The file does not hold a private key: it must be 0x and 64 hex characters.')
  const hex = key.startsWith('0x') ? key : `0x${key}`
  return {
    address: addr.fromPrivateKey(hex),
    signMessage: async ({ message }) => eip191Signer.sign(message, hex),
    signTypedData: (data) => signTyped(withNumbers(data) as never, hex),
  }
}

/** The message with its whole numbers as numbers, as the signer wants them. */
function withNumbers(data: TypedData) {
  const fields = data.types[data.primaryType] as { name: string; type: string }[]
  const values = fields.map(({ name, type }) => {
    const value = data.message[name]
    return [name, /^u?int/.test(type) ? BigInt(String(value)) : value]
  })
  return { ...data, message: Object.fromEntries(values) }
}

/** The wallet in a keystore of version 3, as geth, Foundry and MetaMask write it. Throws if the passphrase is wrong. */
export function openKeystore(text: string, passphrase: string): CliWallet {
  const crypto = object(readJson(text).crypto)
  const ciphertext = bytesOf(crypto.ciphertext)
  const iv = bytesOf(object(crypto.cipherparams).iv)
  if (crypto.cipher !== 'aes-128-ctr' || ciphertext.length !== 32 || iv.length !== 16)
    throw unreadable()
  const derived = derive(crypto, passphrase)
  const mac = keccak_256(Buffer.concat([derived.subarray(16, 32), ciphertext]))
  const stored = bytesOf(crypto.mac)
  if (stored.length !== mac.length || !timingSafeEqual(mac, stored))
    throw new Fault('The passphrase does not open the keystore.')
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  return walletOf(Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('hex'))
}

function derive({ kdf, kdfparams }: Loose, passphrase: string): Buffer {
  const { n, r, p, c, prf, salt, dklen } = object(kdfparams)
  if (dklen !== 32) throw unreadable()
  if (kdf === 'pbkdf2' && prf === 'hmac-sha256' && isWithin(c, MOST_ROUNDS))
    return pbkdf2Sync(passphrase, bytesOf(salt), c, 32, 'sha256')
  const isScrypt = kdf === 'scrypt' && isWithin(n, 2 ** 24) && isWithin(r, 64) && isWithin(p, 64)
  if (!isScrypt || 128 * n * r > MOST_MEMORY_BYTES) throw unreadable()
  return scryptSync(passphrase, bytesOf(salt), 32, { N: n, r, p, maxmem: 2 * MOST_MEMORY_BYTES })
}

const isWithin = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most

const object = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {}

const bytesOf = (hex: unknown): Buffer =>
  Buffer.from(typeof hex === 'string' && /^([0-9a-fA-F]{2})*$/.test(hex) ? hex : '', 'hex')

function readJson(text: string): Loose {
  try {
    return object(JSON.parse(text))
  } catch {
    // The parser's own error quotes the text, which may be a bare private key.
    throw unreadable()
  }
}

const unreadable = (): Fault =>
  new Fault(
    'The file is not a version 3 keystore with aes-128-ctr and scrypt or pbkdf2, as geth, Foundry and MetaMask write it.',
  )
