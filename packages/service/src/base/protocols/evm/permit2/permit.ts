import {
  BaseError,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  hashTypedData,
  numberToHex,
} from 'viem'
import type { Address, Hex } from '../../../kernel/assets.ts'
import type { TransferAuthorization } from '../eip3009/authorization.ts'
import type { EcdsaSignature } from '../eip3009/signature.ts'
import { EXACT_PERMIT2_PROXY, exactPermit2ProxyAbi, PERMIT2 } from './abi.ts'

/**
 * The message that a payer signs so that x402's proxy moves an amount of a token to one payee, once. It has the fields
 * of an EIP-3009 authorization, and the token. `validAfter` is the first valid second; `validBefore` is the last, which
 * Permit2 calls the deadline. The nonce is Permit2's number as 32 bytes.
 */
export type Permit = TransferAuthorization & { readonly token: Address }

/** The types of Permit2 that every permit for a proxy of x402 signs; each proxy adds its `Witness`. */
export const PERMIT_TYPES = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const
const TYPES = {
  ...PERMIT_TYPES,
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

/** The typed data that an account signs; its spender is the proxy. */
export const permitTypedData = (chainId: number, permit: Permit) =>
  ({
    domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
    types: TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: { ...fieldsOf(permit), spender: EXACT_PERMIT2_PROXY, witness: witnessOf(permit) },
  }) as const

/** The EIP-712 digest of `permitTypedData`. */
export const permitDigest = (chainId: number, permit: Permit): Hex =>
  hashTypedData(permitTypedData(chainId, permit))

/** The call of the proxy that makes the payment. */
export const settlePermitData = (permit: Permit, signature: Hex): Hex =>
  encodeFunctionData({
    abi: exactPermit2ProxyAbi,
    functionName: 'settle',
    args: [fieldsOf(permit), permit.from, witnessOf(permit), signature],
  })

/** A payer's EIP-2612 permit of the token, for Permit2. */
type TokenPermit = { value: bigint; deadline: bigint; signature: EcdsaSignature }

/** As `settlePermitData`, with the allowance for Permit2 in the same call. */
export const settleWithPermitData = (
  permit: Permit,
  signature: Hex,
  { value, deadline, signature: allowed }: TokenPermit,
): Hex =>
  encodeFunctionData({
    abi: exactPermit2ProxyAbi,
    functionName: 'settleWithPermit',
    args: [
      { value, deadline, r: allowed.r, s: allowed.s, v: allowed.v },
      fieldsOf(permit),
      permit.from,
      witnessOf(permit),
      signature,
    ],
  })

/** The payment that a call of the proxy makes; undefined for any other call. */
export function readSettledPermit(data: Hex): Permit | undefined {
  const [permit, owner, witness] = settleArgs(data) ?? []
  if (!permit || !owner || !witness) return undefined
  return {
    token: getAddress(permit.permitted.token),
    from: getAddress(owner),
    to: getAddress(witness.to),
    value: permit.permitted.amount,
    validAfter: witness.validAfter,
    validBefore: permit.deadline,
    nonce: nonceHex(permit.nonce),
  }
}

/** Permit2's nonce as 32 bytes, the form in which payments are stored and compared. */
export const nonceHex = (nonce: bigint): Hex => numberToHex(nonce, { size: 32 })

function settleArgs(data: Hex) {
  try {
    const call = decodeFunctionData({ abi: exactPermit2ProxyAbi, data })
    if (call.functionName === 'settle') return call.args
    if (call.functionName !== 'settleWithPermit') return undefined
    const [, ...rest] = call.args
    return rest
  } catch (error) {
    // Another call, or bytes that are no call.
    if (error instanceof BaseError) return undefined
    throw error
  }
}

export const fieldsOf = ({ token, value, nonce, validBefore }: Permit) => ({
  permitted: { token, amount: value },
  nonce: BigInt(nonce),
  deadline: validBefore,
})

const witnessOf = ({ to, validAfter }: Permit) => ({ to, validAfter })
