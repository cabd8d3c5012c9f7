import { BaseError, decodeFunctionData, encodeFunctionData, getAddress, hashTypedData } from 'viem'
import type { Address, Hex } from '../../../kernel/assets.ts'
import { PERMIT2, UPTO_PERMIT2_PROXY, uptoPermit2ProxyAbi } from './abi.ts'
import { fieldsOf, nonceHex, PERMIT_TYPES, type Permit } from './permit.ts'

/** A permit of which the facilitator may move a part. */
export type UptoPermit = { permit: Permit; facilitator: Address }

const TYPES = {
  ...PERMIT_TYPES,
  Witness: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

/**
 * The typed data by which a payer lets the facilitator move up to `permit.value` to one payee, once; its spender is x402's
 * proxy for that.
 */
export const uptoTypedData = (chainId: number, { permit, facilitator }: UptoPermit) =>
  ({
    domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
    types: TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      ...fieldsOf(permit),
      spender: UPTO_PERMIT2_PROXY,
      witness: { to: permit.to, facilitator, validAfter: permit.validAfter },
    },
  }) as const

/** The EIP-712 digest of `uptoTypedData`. */
export const uptoDigest = (chainId: number, upto: UptoPermit): Hex =>
  hashTypedData(uptoTypedData(chainId, upto))

/** The call of the proxy that moves `amount`, which the facilitator alone may make. */
export const settleUptoData = (
  { permit, facilitator }: UptoPermit,
  amount: bigint,
  signature: Hex,
): Hex =>
  encodeFunctionData({
    abi: uptoPermit2ProxyAbi,
    functionName: 'settle',
    args: [
      fieldsOf(permit),
      amount,
      permit.from,
      { to: permit.to, facilitator, validAfter: permit.validAfter },
      signature,
    ],
  })

/** The payment that a call of the proxy makes, with the amount that it moves; undefined for any other call. */
export function readSettledUpto(data: Hex): Permit | undefined {
  try {
    const { args } = decodeFunctionData({ abi: uptoPermit2ProxyAbi, data })
    const [permit, amount, owner, witness] = args
    return {
      token: getAddress(permit.permitted.token),
      from: getAddress(owner),
      to: getAddress(witness.to),
      value: amount,
      validAfter: witness.validAfter,
      validBefore: permit.deadline,
      nonce: nonceHex(permit.nonce),
    }
  } catch (error) {
    // Another call, or bytes that are no call.
    if (error instanceof BaseError) return undefined
    throw error
  }
}
