import secp256k1 from 'secp256k1'
import { hexToBytes, serializeTransaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../kernel/assets.ts'
import type { Secret } from '../../kernel/secrets.ts'
import { keccak } from '../../protocols/evm/keccak.ts'
import type { Signer } from './signer.ts'

/** Signs with a private key that this process holds: 0x and 64 hex characters. */
export const localSigner = (key: Secret): Signer => {
  const bytes = hexToBytes(key.reveal() as Hex)
  return {
    ...privateKeyToAccount(key.reveal() as Hex),
    isInProcess: true,
    // The native library saves 0.4 ms while a relayer is locked.
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const hash = keccak(hexToBytes(await serializer(transaction)))
      const { signature, recid } = secp256k1.ecdsaSign(hash, bytes)
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map((part) => toHex(part))
      return serializer(transaction, { r: r as Hex, s: s as Hex, yParity: recid })
    },
  }
}
