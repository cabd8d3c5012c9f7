import secp256k1 from 'secp256k1'
import { getAddress, hashMessage, hexToBytes, keccak256 } from 'viem'
import type { Address } from '../../kernel/assets.ts'
import { parseSignature } from '../eip3009/signature.ts'

/** The checksummed address whose key signed the text (EIP-191); `undefined` if the signature is of no key. */
export function recoverMessageSigner(text: string, signature: string): Address | undefined {
  const parsed = parseSignature(signature)
  if (!parsed) return undefined
  const compact = hexToBytes(`${parsed.r}${parsed.s.slice(2)}` as Address)
  const publicKey = recoverPublicKey(compact, parsed.v - 27, hashMessage(text, 'bytes'))
  return publicKey && getAddress(`0x${keccak256(publicKey.subarray(1)).slice(-40)}`)
}

function recoverPublicKey(
  compact: Uint8Array,
  recoveryId: number,
  digest: Uint8Array,
): Uint8Array | undefined {
  try {
    return secp256k1.ecdsaRecover(compact, recoveryId, digest, false)
  } catch (error) {
    // The one refusal left once the form is checked: r is not the x of any point on the curve.
    if (error instanceof Error && error.message === 'Public key could not be recover')
      return undefined
    throw error
  }
}
