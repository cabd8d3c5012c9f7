import type { Address, Hex, Network } from '../../../kernel/assets.ts'
import type { TransferAuthorization } from '../../evm/eip3009/authorization.ts'
import { parseSignature } from '../../evm/eip3009/signature.ts'
import { type Refused, refused } from '../refusal.ts'
import {
  decodeHeader,
  faultOfHeader,
  isObject,
  type JsonObject,
  networkOfV1Name,
  readAddress,
  readHex,
  readNetwork,
  readUint,
} from '../wire.ts'
import { readPaymentIdentifier } from './identifier.ts'
import type { TokenPermit } from './sponsored.ts'

/** A payment as a client presents it: well formed, but not verified. */
export type PaymentPayload = {
  readonly x402Version: 1 | 2
  readonly scheme: 'exact' | 'upto'
  readonly network: Network
  /** The offer that a v2 client says it accepts, as sent. */
  readonly accepted: JsonObject | undefined
  /** The resource that a v2 client says it pays for. The signature does not cover it. */
  readonly resourceUrl: string | undefined
  /** The client's idempotency key, if it sent one. */
  readonly paymentIdentifier: string | undefined
  readonly authorization: TransferAuthorization
  /** The one who may settle an upto payment, as the payer signed it. */
  readonly facilitator?: Address
  readonly signature: Hex
  /** The payer's allowance for Permit2, to be carried with a payment of scheme exact. */
  readonly tokenPermit?: TokenPermit
}

export type ParsedPayment = { readonly ok: true; readonly payload: PaymentPayload } | Refused

export const PAYMENT_SIGNATURE_HEADER = 'PAYMENT-SIGNATURE'
export const X_PAYMENT_HEADER = 'X-PAYMENT'

/** Reads the value of `PAYMENT-SIGNATURE` (x402 v2) from a payer with its own key. */
export const parsePaymentSignature = (headerValue: string): ParsedPayment =>
  parseHeader(headerValue, parsePaymentPayload)

/** Reads the value of `X-PAYMENT` (x402 v1) from a payer with its own key. */
export const parseXPayment = (headerValue: string): ParsedPayment =>
  parseHeader(headerValue, parsePaymentPayloadV1)

/** As `parsePaymentSignature`, from any payer. */
export const parseAnyPaymentSignature = (headerValue: string): ParsedPayment =>
  parseHeader(headerValue, parseFacilitatedPayload)

/** As `parseXPayment`, from any payer. */
export const parseAnyXPayment = (headerValue: string): ParsedPayment =>
  parseHeader(headerValue, parseFacilitatedPayloadV1)

export function parseHeader(
  value: string,
  parse: (json: JsonObject) => ParsedPayment,
): ParsedPayment {
  const json = decodeHeader(value)
  return json
    ? parse(json)
    : refused('invalid_payload', `The payment header ${faultOfHeader(value)}.`)
}

/** Reads a parsed v2 payment payload from a payer with its own key. */
export const parsePaymentPayload = (json: unknown): ParsedPayment =>
  parsePayloadV2(json, (payload, envelope) => parseExact(payload, envelope, readKeySignature))

/** Reads a parsed v1 payment payload from a payer with its own key. */
export const parsePaymentPayloadV1 = (json: unknown): ParsedPayment =>
  parseV1(json, readKeySignature)

/** As `parsePaymentPayload`, from any payer: also accepts the signature of a contract. */
export const parseFacilitatedPayload = (json: unknown): ParsedPayment =>
  parsePayloadV2(json, (payload, envelope) => parseExact(payload, envelope, readAnySignature))

/** As `parsePaymentPayloadV1`, from any payer. */
export const parseFacilitatedPayloadV1 = (json: unknown): ParsedPayment =>
  parseV1(json, readAnySignature)

type ReadSignature = (value: unknown) => Hex | undefined

/** 65 bytes r, low s and v. */
const readKeySignature: ReadSignature = (value) => {
  const signature = readHex(value, 65)
  return signature && parseSignature(signature) ? signature : undefined
}

/** Far more than any wallet's contract needs; the batch contract takes no more. */
const SIGNATURE_MAX_BYTES = 2_048

/** 65 bytes r, low s and v; or a contract's own form of signature. */
export const readAnySignature: ReadSignature = (value) =>
  readKeySignature(value) ??
  (typeof value === 'string' &&
  value.length <= 2 + 2 * SIGNATURE_MAX_BYTES &&
  /^0x(?:[0-9a-fA-F]{2})+$/.test(value)
    ? (value as Hex)
    : undefined)

/** The unsigned part of a payload. */
export type Envelope = Omit<PaymentPayload, 'authorization' | 'signature'>

/** Reads the envelope of a v2 payment payload. `read` reads the signed part. */
export function parsePayloadV2(
  json: unknown,
  read: (payload: unknown, envelope: Envelope) => ParsedPayment,
  scheme: PaymentPayload['scheme'] = 'exact',
): ParsedPayment {
  if (!isObject(json)) return refused('invalid_payload', 'The payment payload is not an object.')
  if (json.x402Version !== 2)
    return refused('invalid_x402_version', 'The payment payload is not of x402 version 2.')
  const { accepted } = json
  if (!isObject(accepted))
    return refused('invalid_payload', 'The payment payload has no accepted offer.')
  if (accepted.scheme !== scheme)
    return refused('unsupported_scheme', `Only the scheme ${scheme} is accepted.`)
  const network = readNetwork(accepted.network)
  if (!network) return refused('invalid_network', 'The accepted network is not an eip155 chain.')
  const resourceUrl = isObject(json.resource) ? json.resource.url : undefined
  if (json.resource != null && typeof resourceUrl !== 'string')
    return refused('invalid_payload', 'The resource of the payment payload has no url.')
  const identifier = readPaymentIdentifier(json.extensions)
  if (!identifier.ok) return identifier
  const envelope = {
    x402Version: 2,
    scheme,
    network,
    accepted,
    resourceUrl: typeof resourceUrl === 'string' ? resourceUrl : undefined,
    paymentIdentifier: identifier.id,
  } as const
  return read(json.payload, envelope)
}

function parseV1(json: unknown, readSignature: ReadSignature): ParsedPayment {
  if (!isObject(json)) return refused('invalid_payload', 'The payment payload is not an object.')
  if (json.x402Version !== 1)
    return refused('invalid_x402_version', 'The payment payload is not of x402 version 1.')
  if (json.scheme !== 'exact')
    return refused('unsupported_scheme', 'Only the scheme exact is accepted.')
  const network = networkOfV1Name(json.network)
  if (!network) return refused('invalid_network', 'The network is neither base nor base-sepolia.')
  const envelope = {
    x402Version: 1,
    scheme: 'exact',
    network,
    accepted: undefined,
    resourceUrl: undefined,
    paymentIdentifier: undefined,
  } as const
  return parseExact(json.payload, envelope, readSignature)
}

function parseExact(
  payload: unknown,
  envelope: Envelope,
  readSignature: ReadSignature,
): ParsedPayment {
  if (!isObject(payload) || !isObject(payload.authorization))
    return refused('invalid_payload', 'The payment payload holds no EIP-3009 authorization.')
  const authorization = readAuthorization(payload.authorization)
  if (!authorization)
    return refused('invalid_payload', 'A field of the EIP-3009 authorization is malformed.')
  const signature = readSignature(payload.signature)
  if (!signature)
    return refused(
      'invalid_exact_evm_signature',
      'The signature is not 65 bytes of r, low s and v in hexadecimal.',
    )
  return { ok: true, payload: { ...envelope, authorization, signature } }
}

function readAuthorization(json: JsonObject): TransferAuthorization | undefined {
  const from = readAddress(json.from)
  const to = readAddress(json.to)
  const value = readUint(json.value)
  const validAfter = readUint(json.validAfter)
  const validBefore = readUint(json.validBefore)
  const nonce = readHex(json.nonce, 32)
  if (!from || !to || !nonce) return undefined
  if (value === undefined || validAfter === undefined || validBefore === undefined) return undefined
  // One spelling: the nonce identifies the authorization.
  return { from, to, value, validAfter, validBefore, nonce: nonce.toLowerCase() as Hex }
}
