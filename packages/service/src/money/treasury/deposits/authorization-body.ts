import { type Static, Type } from 'typebox'
import { AddressField, BytesField, HashField } from '../../../api/http/fields.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import type { TransferAuthorization } from '../../../base/protocols/evm/eip3009/authorization.ts'
import { personAddress } from '../../../chain/client/reads.ts'

const Uint = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  description: 'A whole number; in a string where it is large',
})

function parseUint(value: string | number, param: string): bigint {
  if (!/^(0|[1-9]\d{0,77})$/.test(String(value)))
    throw new Problem(
      'invalid_field',
      `${param} must be a whole number, as in the signed message.`,
      { param },
    )
  return BigInt(value)
}

/** A signed EIP-3009 authorization in a body. */
export const AuthorizationFields = {
  from: AddressField,
  to: AddressField,
  value: Uint,
  valid_after: Uint,
  valid_before: Uint,
  nonce: HashField,
  signature: BytesField({
    min: 65,
    max: 4096,
    description: 'The signature of the authorization (EIP-712), by `from`',
  }),
}
const Body = Type.Object(AuthorizationFields)

/** The authorization of a body, and its signature. Throws for what no person could sign. */
export const readAuthorization = (
  body: Static<typeof Body>,
): { authorization: TransferAuthorization; signature: Hex } => ({
  authorization: {
    from: personAddress(body.from, 'from'),
    to: personAddress(body.to, 'to'),
    value: parseUint(body.value, 'value'),
    validAfter: parseUint(body.valid_after, 'valid_after'),
    validBefore: parseUint(body.valid_before, 'valid_before'),
    nonce: body.nonce.toLowerCase() as Hex,
  },
  signature: body.signature as Hex,
})
