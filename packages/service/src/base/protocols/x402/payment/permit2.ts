import { VALIDITY_MARGIN_SECONDS } from '../../evm/eip3009/authorization.ts'
import { EXACT_PERMIT2_PROXY, UPTO_PERMIT2_PROXY } from '../../evm/permit2/abi.ts'
import { nonceHex, type Permit } from '../../evm/permit2/permit.ts'
import type { Mechanism, Offer } from '../challenge.ts'
import { type Refused, refused } from '../refusal.ts'
import { isObject, type JsonObject, readAddress, readToken, readUint } from '../wire.ts'
import {
  type Envelope,
  type ParsedPayment,
  parseHeader,
  parsePayloadV2,
  readAnySignature,
} from './payload.ts'
import { readTokenPermit } from './sponsored.ts'

/**
 * Reads a v2 payment payload paid by Permit2, and checks that the signed data pays exactly the requirements: token,
 * amount and payee, through x402's proxy. Does not check time or signature.
 */
export const parsePermit2Payload = (json: unknown, requirements: Terms): ParsedPayment =>
  parsePayloadV2(json, (payload, envelope) => readPermitPayload(payload, envelope, requirements))

/** As `parsePermit2Payload`, with the EIP-2612 permit of the token that the payer may have sent beside it. */
export function parseSponsoredPayload(json: unknown, requirements: Terms): ParsedPayment {
  const parsed = parsePermit2Payload(json, requirements)
  if (!parsed.ok || !isObject(json)) return parsed
  const { asset: token } = requirements
  const read = readTokenPermit(json.extensions, { ...parsed.payload.authorization, token })
  if (!read.ok) return read
  const { tokenPermit } = read
  return tokenPermit ? { ok: true, payload: { ...parsed.payload, tokenPermit } } : parsed
}

/** As `parsePermit2Payload`, for scheme upto: the signed data allows exactly the most, and names a facilitator. */
export const parseUptoPayload = (json: unknown, requirements: Terms): ParsedPayment =>
  parsePayloadV2(
    json,
    (payload, envelope) => readPermitPayload(payload, envelope, requirements),
    'upto',
  )

/** Reads the value of `PAYMENT-SIGNATURE` that is paid by Permit2, as `parsePermit2Payload` does. */
export const parsePermit2Signature = (headerValue: string, requirements: Terms): ParsedPayment =>
  parseHeader(headerValue, (json) => parsePermit2Payload(json, requirements))

function readPermitPayload(
  payload: unknown,
  envelope: Envelope,
  requirements: Terms,
): ParsedPayment {
  if (!isObject(payload) || !isObject(payload.permit2Authorization))
    return refused('invalid_payload', 'The payment payload holds no Permit2 authorization.')
  const signed = payload.permit2Authorization
  const permit = readPermit(signed)
  const isUpto = requirements.mechanism === 'upto'
  const witness = isObject(signed.witness) ? signed.witness : {}
  const facilitator = isUpto ? readAddress(witness.facilitator) : undefined
  if (!permit || (isUpto && !facilitator))
    return refused('invalid_payload', 'A field of the Permit2 authorization is malformed.')
  const mismatch = permitMismatch(permit, signed, requirements)
  if (mismatch) return mismatch
  const signature = readAnySignature(payload.signature)
  if (!signature)
    return refused('invalid_permit2_signature', 'The signature is not bytes in hexadecimal.')
  const { token: _, ...authorization } = permit
  const named = facilitator ? { facilitator } : {}
  return { ok: true, payload: { ...envelope, authorization, ...named, signature } }
}

/** The members of an offer that a permit must pay. */
type Terms = Pick<Offer, 'asset' | 'payTo'> & {
  mechanism?: Mechanism
  /** Without it, any amount passes here. */
  amount?: bigint
}

function readPermit(json: JsonObject): Permit | undefined {
  const permitted = isObject(json.permitted) ? json.permitted : {}
  const witness = isObject(json.witness) ? json.witness : {}
  const [from, to, token] = [
    readAddress(json.from),
    readAddress(witness.to),
    readToken(permitted.token),
  ]
  const value = readUint(permitted.amount)
  const validAfter = readUint(witness.validAfter)
  const validBefore = readUint(json.deadline)
  const nonce = readUint(json.nonce)
  if (!from || !to || !token || nonce === undefined) return undefined
  if (value === undefined || validAfter === undefined || validBefore === undefined) return undefined
  return { token, from, to, value, validAfter, validBefore, nonce: nonceHex(nonce) }
}

function permitMismatch(
  { token, to, value }: Permit,
  { spender }: JsonObject,
  { asset, payTo, amount, mechanism }: Terms,
): Refused | undefined {
  const proxy = mechanism === 'upto' ? UPTO_PERMIT2_PROXY : EXACT_PERMIT2_PROXY
  if (readAddress(spender) !== proxy)
    return refused('invalid_permit2_spender', "The permit's spender is not x402's proxy.")
  if (to !== payTo)
    return refused('invalid_permit2_recipient_mismatch', 'The permit pays someone else.')
  if (amount !== undefined && value !== amount)
    return refused(
      'permit2_amount_mismatch',
      'The permit is not for the exact amount of the offer.',
    )
  if (token !== asset) return refused('permit2_token_mismatch', 'The permit is for another token.')
  return undefined
}

/** The reason why a permit cannot be submitted at this time, in Unix seconds. */
export function permitTimeRefusal(
  { validAfter, validBefore }: Pick<Permit, 'validAfter' | 'validBefore'>,
  nowSeconds: bigint,
): Refused | undefined {
  if (validBefore < nowSeconds + VALIDITY_MARGIN_SECONDS)
    return refused('permit2_deadline_expired', 'The permit has expired or is about to.')
  if (validAfter > nowSeconds)
    return refused('permit2_not_yet_valid', 'The permit is not valid yet.')
  return undefined
}
