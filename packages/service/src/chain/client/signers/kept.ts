import { createPublicKey, type KeyObject } from 'node:crypto'
import secp256k1 from 'secp256k1'
import {
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  serializeSignature,
  serializeTransaction,
  toHex,
} from 'viem'
import { publicKeyToAddress, toAccount } from 'viem/accounts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { within } from '../../../base/kernel/clock.ts'
import { KEEPERS, type KeptReference } from './reference.ts'
import type { Signer } from './signer.ts'
import { SignerError } from './signer-error.ts'

/** A key that somebody else's service keeps, as the package that asks that service opens it. */
export type KeptKey = {
  /** The operator's name for it, e.g. "the AWS KMS key alias/treasury". */
  name: string
  /** SPKI, as PEM or DER. */
  publicKey: string | Uint8Array
  /** The DER signature (RFC 3279) of a 32-byte digest, which is not hashed again. Asks again while its keeper is busy. */
  signDigest(digest: Uint8Array): Promise<Uint8Array>
}

/** Opens a key by the package for its keeper, which is loaded now: most services have no such key. */
export async function openKept(reference: KeptReference): Promise<Signer> {
  const keeper = await loadKeeper(KEEPERS[reference.scheme])
  return keptSigner(await said(keeper.openKey(reference)))
}

type Keeper = { openKey(reference: Omit<KeptReference, 'kind' | 'scheme'>): Promise<KeptKey> }

/** A package that is missing, or one that it needs, is the operator's to install. */
export async function loadKeeper(name: string): Promise<Keeper> {
  try {
    return await import(name)
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new SignerError(
      `The package ${name}, which signs with this key, is not installed: run npm install --workspace ${name} in the folder of the service.`,
      { cause },
    )
  }
}

/** Signs by a key that a keeper holds. Each signature is checked against the key's address before it is used. */
export function keptSigner(key: KeptKey): Signer {
  const address = addressOf(key)
  const sign = async (hash: Hex) => {
    const digest = hexToBytes(hash)
    return recoverable(key, readSignature(await said(key.signDigest(digest))), { digest, address })
  }
  return toAccount({
    address,
    signMessage: async ({ message }) => serializeSignature(await sign(hashMessage(message))),
    signTypedData: async (typedData) => serializeSignature(await sign(hashTypedData(typedData))),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const signature = await sign(keccak256(await serializer(transaction)))
      return serializer(transaction, signature)
    },
  })
}

/** More than the attempts of either package take. Their clients limit the wait for an answer to begin, not for its end. */
const ANSWER_SECONDS = 60

/** The packages say in words what the operator has to do. */
async function said<T>(asked: Promise<T>): Promise<T> {
  try {
    return await within(asked, ANSWER_SECONDS * 1000, () => {
      throw new Error(
        `The service that keeps the key did not answer within ${ANSWER_SECONDS} s: check it, and the way to it.`,
      )
    })
  } catch (cause) {
    throw new SignerError(cause instanceof Error ? cause.message : 'The key did not sign.', {
      cause,
    })
  }
}

/** r and s of a DER signature. Two values of s are valid; a token refuses the greater one (EIP-2). */
export function readSignature(der: Uint8Array): Uint8Array {
  try {
    return secp256k1.signatureNormalize(secp256k1.signatureImport(der))
  } catch (cause) {
    throw new SignerError('The signature is not valid DER: it was not used.', { cause })
  }
}

/** A keeper's signature does not say which of two possible keys made it. Picks the one whose address we know. */
function recoverable(
  { name }: KeptKey,
  signature: Uint8Array,
  { digest, address }: { digest: Uint8Array; address: Address },
) {
  for (const yParity of [0, 1])
    if (signerOf(digest, signature, yParity) === address) {
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map((part) => toHex(part))
      return { r: r as Hex, s: s as Hex, yParity }
    }
  throw new SignerError(
    `The signature by ${name} is not by the key of ${address}, which it had at the start. It was not used. Restart the service if the key was changed on purpose.`,
  )
}

function signerOf(digest: Uint8Array, signature: Uint8Array, yParity: number): Address | undefined {
  try {
    return publicKeyToAddress(toHex(secp256k1.ecdsaRecover(signature, yParity, digest, false)))
  } catch (error) {
    // No point on the curve has this x (r), so no key made the signature.
    if (error instanceof Error && error.message === 'Public key could not be recover')
      return undefined
    throw error
  }
}

function addressOf({ name, publicKey }: KeptKey): Address {
  const parsed = readPublicKey(name, publicKey)
  const { crv, x = '', y = '' } = parsed.export({ format: 'jwk' })
  if (crv !== 'secp256k1')
    throw new SignerError(
      `The key of ${name} is ${crv ?? parsed.asymmetricKeyType}, and an Ethereum key is on the curve secp256k1: make a key of that kind.`,
    )
  const coordinates = [x, y].map((part) =>
    Buffer.from(part, 'base64url').toString('hex').padStart(64, '0'),
  )
  return publicKeyToAddress(`0x04${coordinates.join('')}`)
}

function readPublicKey(name: string, key: string | Uint8Array): KeyObject {
  try {
    return createPublicKey(
      typeof key === 'string' ? key : { key: Buffer.from(key), format: 'der', type: 'spki' },
    )
  } catch (cause) {
    throw new SignerError(`The public key of ${name} cannot be read.`, { cause })
  }
}
