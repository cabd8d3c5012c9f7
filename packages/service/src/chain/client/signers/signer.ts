import { createPublicKey, type KeyObject } from 'node:crypto'
import secp256k1 from 'secp256k1'
import {
  type ByteArray,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  serializeSignature,
  serializeTransaction,
  toHex,
} from 'viem'
import { type LocalAccount, publicKeyToAddress, toAccount } from 'viem/accounts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { ORDER, readDerSignature } from './der.ts'
import { SignerError } from './signer-error.ts'

/** A key that signs, wherever it is kept. */
export type Signer = Pick<LocalAccount, 'address' | 'signTypedData' | 'signTransaction'> & {
  /** Whether this process holds the key, so that signing takes no time and needs no other service. */
  readonly isInProcess?: boolean
}

/** A key that a keeper holds. `name` is how the operator knows it, e.g. "the AWS KMS key alias/treasury". */
export type RemoteKey = {
  name: string
  address: Address
  /** The DER signature (RFC 3279) of a 32-byte digest, which is not hashed again. */
  signDigest(digest: ByteArray): Promise<Uint8Array>
}

/** Signs by a key that a keeper holds. Each signature is checked against the key's address before it is used. */
export function remoteSigner(key: RemoteKey): Signer {
  const sign = async (hash: Hex) => {
    const { r, s } = readDerSignature(await key.signDigest(hexToBytes(hash)))
    // Two values of s are valid; a token refuses the greater one (EIP-2).
    return recoverable(key, hash, { r, s: s > ORDER / 2n ? ORDER - s : s })
  }
  return toAccount({
    address: key.address,
    signMessage: async ({ message }) => serializeSignature(await sign(hashMessage(message))),
    signTypedData: async (typedData) => serializeSignature(await sign(hashTypedData(typedData))),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const signature = await sign(keccak256(await serializer(transaction)))
      return serializer(transaction, signature)
    },
  })
}

/** A keeper's signature does not say which of two possible keys made it. Picks the one whose address we know. */
function recoverable(key: RemoteKey, hash: Hex, { r, s }: { r: bigint; s: bigint }) {
  for (const yParity of [0, 1]) {
    const signature = { r: toHex(r, { size: 32 }), s: toHex(s, { size: 32 }), yParity }
    if (signerOf(hash, signature) === key.address) return signature
  }
  throw new SignerError(
    `The signature by ${key.name} is not by the key of ${key.address}, which it had at the start. It was not used. Restart the service if the key was changed on purpose.`,
  )
}

function signerOf(
  hash: Hex,
  { r, s, yParity }: { r: Hex; s: Hex; yParity: number },
): Address | undefined {
  const compact = hexToBytes(`${r}${s.slice(2)}`)
  try {
    return publicKeyToAddress(
      toHex(secp256k1.ecdsaRecover(compact, yParity, hexToBytes(hash), false)),
    )
  } catch (error) {
    // No point on the curve has this x (r), so no key made the signature.
    if (error instanceof Error && error.message === 'Public key could not be recover')
      return undefined
    throw error
  }
}

/** The address of a public key in a KMS's form: SPKI, as PEM or DER. */
export function addressOfPublicKey(name: string, key: string | Uint8Array): Address {
  const parsed = readPublicKey(name, key)
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
