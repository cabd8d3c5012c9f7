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
import { EXACT_PERMIT2_PROXY, exactPermit2ProxyAbi, PERMIT2 } from './abi.ts'

/**
 * What a payer signs so that x402's proxy moves so much of a token to one payee, once: the same facts as an EIP-3009
 * authorization, and the token. `validAfter` is the first second in which it is good and `validBefore` the last, which
 * Permit2 calls its deadline. The nonce is Permit2's number as 32 bytes.
 */
export type Permit = TransferAuthorization & { readonly token: Address }

const TYPES = {
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

/** The call of the proxy that carries the payment. */
export const settlePermitData = (permit: Permit, signature: Hex): Hex =>
  encodeFunctionData({
    abi: exactPermit2ProxyAbi,
    functionName: 'settle',
    args: [fieldsOf(permit), permit.from, witnessOf(permit), signature],
  })

/** The payment that a call of the proxy carries; undefined for any other call. */
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

/** A nonce of Permit2 as the 32 bytes that payments are known by. */
export const nonceHex = (nonce: bigint): Hex => numberToHex(nonce, { size: 32 })

function settleArgs(data: Hex) {
  try {
    const call = decodeFunctionData({ abi: exactPermit2ProxyAbi, data })
    if (call.functionName === 'settle') return call.args
    if (call.functionName !== 'settleWithPermit') return undefined
    const [, ...rest] = call.args
    return rest
  } catch (error) {
    // Some other call, or bytes that are none.
    if (error instanceof BaseError) return undefined
    throw error
  }
}

const fieldsOf = ({ token, value, nonce, validBefore }: Permit) => ({
  permitted: { token, amount: value },
  nonce: BigInt(nonce),
  deadline: validBefore,
})

const witnessOf = ({ to, validAfter }: Permit) => ({ to, validAfter })
