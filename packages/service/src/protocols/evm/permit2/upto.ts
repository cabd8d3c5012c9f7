import type { Address } from '../../../kernel/assets.ts'
import { PERMIT2, UPTO_PERMIT2_PROXY } from './abi.ts'
import type { Permit } from './permit.ts'

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
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
} as const

/**
 * The typed data by which a payer lets the facilitator move up to `permit.value` to one payee, once; its spender is x402's
 * proxy for that.
 */
export const uptoTypedData = (
  chainId: number,
  { permit, facilitator }: { permit: Permit; facilitator: Address },
) =>
  ({
    domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
    types: TYPES,
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: permit.token, amount: permit.value },
      spender: UPTO_PERMIT2_PROXY,
      nonce: BigInt(permit.nonce),
      deadline: permit.validBefore,
      witness: { to: permit.to, facilitator, validAfter: permit.validAfter },
    },
  }) as const
