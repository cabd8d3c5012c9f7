import { assert } from '../../../kernel/assert.ts'
import type { Hex } from '../../../kernel/assets.ts'
import { bytesWords, sizeWord } from '../words.ts'
import { authorizationWords, type TransferAuthorization } from './authorization.ts'
import { parseSignature } from './signature.ts'

/** The selector of the overload `transferWithAuthorization(..., bytes)`, which FiatToken v2.2 added. */
export const TRANSFER_SELECTOR = '0xcf092995'
/** The signature starts after the six words of the authorization and this one. */
const SIGNATURE_START = sizeWord(7 * 32)

/** Calldata for the `bytes signature` overload. The signature must have passed `parseSignature`. */
export const transferWithAuthorizationData = (
  authorization: TransferAuthorization,
  signature: Hex,
): Hex => transferBySignerContractData(authorization, normalSignature(signature))

/**
 * As `transferWithAuthorizationData`, for a payer that is a contract, with a signature in that contract's own form
 * (ERC-1271).
 */
export const transferBySignerContractData = (
  authorization: TransferAuthorization,
  signature: Hex,
): Hex =>
  `${TRANSFER_SELECTOR}${authorizationWords(authorization)}${SIGNATURE_START}${bytesWords(signature)}`

/** The token wants v as 27 or 28; wallets also write 0 or 1. */
function normalSignature(signature: Hex): Hex {
  const parsed = parseSignature(signature)
  assert(parsed, 'calldata needs a signature that was checked')
  return `${parsed.r}${parsed.s.slice(2)}${parsed.v.toString(16)}` as Hex
}
