import { encodeFunctionData } from 'viem'
import { assert } from '../../../kernel/assert.ts'
import type { Hex } from '../../../kernel/assets.ts'
import { transferWithBytesAbi } from './abi.ts'
import type { TransferAuthorization } from './authorization.ts'
import { type EcdsaSignature, parseSignature } from './signature.ts'

/** Calldata for the `bytes signature` overload. The signature must have passed `parseSignature`. */
export function transferWithAuthorizationData(
  authorization: TransferAuthorization,
  signature: Hex,
): Hex {
  const { r, s, v } = parsed(signature)
  return encodeFunctionData({
    abi: transferWithBytesAbi,
    args: [...fields(authorization), `${r}${s.slice(2)}${v.toString(16)}`],
  })
}

/**
 * As `transferWithAuthorizationData`, for a payer that is a contract, with a signature in that contract's own form
 * (ERC-1271).
 */
export const transferBySignerContractData = (
  authorization: TransferAuthorization,
  signature: Hex,
): Hex =>
  encodeFunctionData({
    abi: transferWithBytesAbi,
    args: [...fields(authorization), signature],
  })

const fields = (a: TransferAuthorization) =>
  [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce] as const

function parsed(signature: Hex): EcdsaSignature {
  const result = parseSignature(signature)
  assert(result, 'calldata needs a signature that was checked')
  return result
}
