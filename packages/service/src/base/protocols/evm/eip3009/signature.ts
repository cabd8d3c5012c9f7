import secp256k1 from 'secp256k1'
import { getAddress, parseErc6492Signature } from 'viem'
import type { Address, Asset, Hex } from '../../../kernel/assets.ts'
import { checksumAddress } from '../checksum.ts'
import { keccak } from '../keccak.ts'
import { authorizationDigest, type TransferAuthorization } from './authorization.ts'

export type EcdsaSignature = {
  readonly r: Hex
  readonly s: Hex
  /** 27 or 28, as the token contract requires. */
  readonly v: 27 | 28
}

/** Half the order of secp256k1: the token contract refuses an `s` above it (EIP-2). */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * Reads 65 bytes r, s, v with v of 0, 1, 27 or 28. `undefined` for any other length, a high s, or r or s out of range.
 */
export function parseSignature(signature: string): EcdsaSignature | undefined {
  const match = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(00|01|1[bB]|1[cC])$/.exec(signature)
  if (!match) return undefined
  const [, r = '', s = '', v = ''] = match
  const [rNumber, sNumber] = [BigInt(`0x${r}`), BigInt(`0x${s}`)]
  if (rNumber === 0n || rNumber >= ORDER || sNumber === 0n || sNumber > S_MAX) return undefined
  return { r: `0x${r}`, s: `0x${s}`, v: Number.parseInt(v, 16) % 27 === 0 ? 27 : 28 }
}

/** The last 32 bytes of a signature that is wrapped for an account not deployed yet (ERC-6492). */
const WRAPPED = /(?:6492){16}$/

/**
 * A signature for the payer's contract. If it was wrapped, `deployment` is the factory call that deploys the contract.
 */
export type ContractSignature = {
  readonly signature: Hex
  readonly deployment?: { readonly target: Address; readonly callData: Hex }
}

/** Removes an ERC-6492 wrapping, if there is one. `undefined` if the wrapping cannot be read. */
export function unwrapSignature(wrapped: Hex): ContractSignature | undefined {
  if (!WRAPPED.test(wrapped)) return { signature: wrapped }
  try {
    const { signature, address, data } = parseErc6492Signature(wrapped)
    if (!address || !data) return { signature }
    return { signature, deployment: { target: getAddress(address), callData: data } }
  } catch {
    // viem's errors for bytes that cannot be decoded have no common class.
    return undefined
  }
}

/** The checksummed address whose key made the signature; `undefined` if the signature is malformed or no key's. */
export const recoverAuthorizationSigner = (
  asset: Asset,
  authorization: TransferAuthorization,
  signature: Hex,
): Address | undefined => recoverSigner(authorizationDigest(asset, authorization), signature)

/** As `recoverAuthorizationSigner`, for any 32-byte digest. */
export function recoverSigner(digest: Hex, signature: string): Address | undefined {
  const signer = recoverLowerCase(digest, signature)
  return signer === undefined ? undefined : checksumAddress(signer)
}

/** Whether the key of this address made the signature. */
export const isSignedBy = (signer: Address, digest: Hex, signature: string): boolean =>
  recoverLowerCase(digest, signature) === signer.toLowerCase()

function recoverLowerCase(digest: Hex, signature: string): string | undefined {
  const parsed = parseSignature(signature)
  if (!parsed) return undefined
  const compact = Buffer.from(parsed.r.slice(2) + parsed.s.slice(2), 'hex')
  const publicKey = recoverPublicKey(compact, parsed.v - 27, Buffer.from(digest.slice(2), 'hex'))
  return publicKey && `0x${keccak(publicKey.subarray(1)).toString('hex', 12)}`
}

function recoverPublicKey(
  compact: Uint8Array,
  recoveryId: number,
  digest: Uint8Array,
): Uint8Array | undefined {
  try {
    return secp256k1.ecdsaRecover(compact, recoveryId, digest, false)
  } catch (error) {
    // The form is checked, so one refusal is left: no point on the curve has this x (r).
    if (error instanceof Error && error.message === 'Public key could not be recover')
      return undefined
    throw error
  }
}
