import { type EcdsaSignature, parseSignature } from '../../evm/eip3009/signature.ts'
import { PERMIT2 } from '../../evm/permit2/abi.ts'
import type { Permit } from '../../evm/permit2/permit.ts'
import { type Refused, refused } from '../refusal.ts'
import { isObject, readAddress, readToken, readUint } from '../wire.ts'

/** The extension by which a payer that has allowed Permit2 nothing lets the facilitator pay for the allowance. */
export const GAS_SPONSORING = 'eip2612GasSponsoring'

/** A payer's EIP-2612 permit of the token, which allows Permit2 exactly what the payment moves. */
export type TokenPermit = {
  readonly value: bigint
  /** Unix seconds; the last at which the token takes it. */
  readonly deadline: bigint
  readonly signature: EcdsaSignature
}

const MEMBERS = ['from', 'asset', 'spender', 'amount', 'nonce', 'deadline', 'signature', 'version']

/**
 * Reads the permit of the token beside a payment by Permit2; undefined if there is none. A client that signs none sends the
 * seller's own words back, as the official one does. Does not check its signature: the chain is asked about the whole call.
 */
export function readTokenPermit(
  extensions: unknown,
  permit: Pick<Permit, 'from' | 'token' | 'value'>,
): { ok: true; tokenPermit: TokenPermit | undefined } | Refused {
  const extension =
    isObject(extensions) && Object.hasOwn(extensions, GAS_SPONSORING)
      ? extensions[GAS_SPONSORING]
      : undefined
  const info = isObject(extension) && isObject(extension.info) ? extension.info : {}
  if (MEMBERS.some((member) => !info[member])) return { ok: true, tokenPermit: undefined }
  const [value, deadline] = [readUint(info.amount), readUint(info.deadline)]
  const signature = typeof info.signature === 'string' ? parseSignature(info.signature) : undefined
  if (value === undefined || deadline === undefined || !signature)
    return refused(
      'invalid_eip2612_extension_format',
      'A field of the EIP-2612 permit is malformed.',
    )
  if (readAddress(info.from) !== permit.from)
    return refused('eip2612_from_mismatch', 'The EIP-2612 permit is of another payer.')
  if (readToken(info.asset) !== permit.token)
    return refused('eip2612_asset_mismatch', 'The EIP-2612 permit is for another token.')
  if (readAddress(info.spender) !== PERMIT2)
    return refused('eip2612_spender_not_permit2', `The EIP-2612 permit must allow ${PERMIT2}.`)
  if (value !== permit.value)
    return refused(
      'permit2_2612_amount_mismatch',
      'The EIP-2612 permit must allow exactly the amount of the payment.',
    )
  return { ok: true, tokenPermit: { value, deadline, signature } }
}
