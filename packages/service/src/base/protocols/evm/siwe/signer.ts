import { hashMessage } from 'viem'
import type { Address, Hex } from '../../../kernel/assets.ts'
import { recoverSigner } from '../eip3009/signature.ts'

/** The checksummed address whose key signed the text (EIP-191); `undefined` if no key made the signature. */
export const recoverMessageSigner = (text: string, signature: string): Address | undefined =>
  recoverSigner(hashMessage(text), signature)

/** The digest of the text that a wallet signs (EIP-191). */
export const messageDigest = (text: string): Hex => hashMessage(text)
