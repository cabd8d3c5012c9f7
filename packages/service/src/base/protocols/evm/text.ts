import { hashMessage, keccak256, toHex } from 'viem'
import type { Hex } from '../../kernel/assets.ts'

/** The digest that a wallet signs for a text (EIP-191 `personal_sign`). */
export const textDigest = (text: string): Hex => hashMessage(text)

/** keccak-256 of a text. */
export const textHash = (text: string): Hex => keccak256(toHex(text))
