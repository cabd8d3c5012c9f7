import { zeroAddress } from 'viem'
import type { Address, Hex } from '../../kernel/assets.ts'
import { sha256 } from '../../kernel/secrets.ts'
import {
  AUTH_CAPTURE_ESCROW,
  boundSalt,
  EIP3009_COLLECTOR,
  type EscrowOrder,
  type Expected,
  type PaymentInfo,
  payerNonce,
  RECEIVER_REFUND_COLLECTOR,
} from './escrow-abi.ts'
import type { FacilitatorBody } from './facilitator.ts'
import { type Refused, refused } from './refusal.ts'
import { isObject, type JsonObject, readAddress, readHex, readUint, sameJson } from './wire.ts'

export const AUTH_CAPTURE = 'auth-capture'

/** A seller's order for a payment in escrow, well formed and consistent with its requirements. Signatures are not judged. */
export type EscrowRequest = {
  readonly info: PaymentInfo
  readonly order: EscrowOrder
  /** The signature of the receiver's authorizer, and the balances that it expects; undefined to authorize. */
  readonly consent: { readonly signature: Hex; readonly expected: Expected | undefined } | undefined
  readonly receiverAuthorizer: Address
  readonly network: string
  readonly resourceUrl: string | null
  /** A repeated request has the same hash. */
  readonly hash: Buffer
}
export type ReadEscrow = { readonly ok: true; readonly request: EscrowRequest } | Refused

export const isAuthCapture = ({ paymentRequirements }: FacilitatorBody): boolean =>
  paymentRequirements.scheme === AUTH_CAPTURE

const bad = (detail: string): Refused => refused('invalid_payload', detail)
const badExtra = (detail: string): Refused => refused('invalid_payment_requirements', detail)

/** The terms in `extra`. `operatorType` is `delegated`: a relayer of this service is the operator. */
type Terms = {
  operator: Address
  receiverAuthorizer: Address
  captureDeadline: number
  refundDeadline: number
  minFeeBps: number
  maxFeeBps: number
  feeRecipient: Address
}

/** Reads a request of the scheme `auth-capture` to `/verify` or `/settle`, for a chain of this id. */
export function readEscrow(body: FacilitatorBody, chainId: number): ReadEscrow {
  const { paymentPayload, paymentRequirements: required } = body
  if ((body.x402Version ?? paymentPayload.x402Version) !== 2)
    return refused('invalid_x402_version', 'auth-capture is of x402 version 2.')
  if (!sameJson(paymentPayload.accepted, required))
    return bad('accepted must equal the requirements, member for member.')
  if (required.network !== `eip155:${chainId}`)
    return refused('invalid_network', `Payments are settled on eip155:${chainId} alone.`)
  const terms = readTerms(required.extra)
  if ('ok' in terms) return terms
  const payload = isObject(paymentPayload.payload) ? paymentPayload.payload : {}
  const read =
    payload.type === undefined
      ? readCollect(payload, required, { terms, chainId })
      : readLifecycle(payload, required, terms)
  if ('ok' in read) return read
  const resource = isObject(paymentPayload.resource) ? paymentPayload.resource.url : undefined
  return {
    ok: true,
    request: {
      ...read,
      receiverAuthorizer: terms.receiverAuthorizer,
      network: String(required.network),
      resourceUrl: typeof resource === 'string' && resource.length <= 2_048 ? resource : null,
      hash: sha256(JSON.stringify([payload, required])),
    },
  }
}

function readTerms(extra: unknown): Terms | Refused {
  if (!isObject(extra)) return badExtra('extra is missing.')
  const [operator, authorizer, feeRecipient] = [
    readAddress(extra.captureAuthorizer),
    readAddress(extra.receiverAuthorizer),
    readAddress(extra.feeRecipient),
  ]
  const [captureDeadline, refundDeadline] = [
    readUint48(extra.captureDeadline),
    readUint48(extra.refundDeadline),
  ]
  const [minFeeBps, maxFeeBps] = [readBps(extra.minFeeBps), readBps(extra.maxFeeBps)]
  if (readAddress(extra.authCaptureEscrow) !== AUTH_CAPTURE_ESCROW)
    return badExtra(`extra.authCaptureEscrow must be ${AUTH_CAPTURE_ESCROW}, of v1.0.`)
  if ((extra.operatorType ?? 'delegated') !== 'delegated')
    return badExtra('extra.operatorType must be delegated.')
  if ((extra.paymentFlow ?? 'escrow') !== 'escrow')
    return badExtra('extra.paymentFlow must be escrow.')
  if ((extra.assetTransferMethod ?? 'eip3009') !== 'eip3009')
    return badExtra('extra.assetTransferMethod must be eip3009.')
  if (extra.policy !== undefined && readAddress(extra.policy) !== zeroAddress)
    return badExtra('extra.policy must be left out.')
  if (!operator || !feeRecipient || !authorizer || authorizer === zeroAddress)
    return badExtra(
      'extra must name captureAuthorizer, feeRecipient and receiverAuthorizer: without the last nobody could capture.',
    )
  if (captureDeadline === undefined || refundDeadline === undefined)
    return badExtra('extra.captureDeadline and extra.refundDeadline must be Unix seconds.')
  if (minFeeBps === undefined || maxFeeBps === undefined || minFeeBps > maxFeeBps)
    return badExtra('extra.minFeeBps and extra.maxFeeBps must be 0 to 10000, in this order.')
  if (refundDeadline < captureDeadline)
    return badExtra('extra.refundDeadline must not be before extra.captureDeadline.')
  return {
    operator,
    receiverAuthorizer: authorizer,
    captureDeadline,
    refundDeadline,
    minFeeBps,
    maxFeeBps,
    feeRecipient,
  }
}

const MAX_UINT48 = 2 ** 48 - 1
const MAX_UINT120 = 2n ** 120n - 1n
const readUint48 = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_UINT48
    ? value
    : undefined
const readBps = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000
    ? value
    : undefined
const readValue = (value: unknown): bigint | undefined => {
  const read = readUint(value)
  return read !== undefined && read <= MAX_UINT120 ? read : undefined
}

type Read = Pick<EscrowRequest, 'info' | 'order' | 'consent'>

/** The client's own payload: it authorizes the whole amount. */
function readCollect(
  payload: JsonObject,
  required: JsonObject,
  { terms, chainId }: { terms: Terms; chainId: number },
): Read | Refused {
  const { authorization } = payload
  const [token, receiver] = [readAddress(required.asset), readAddress(required.payTo)]
  const amount = readValue(required.amount)
  const [salt, saltNonce] = [readHex(payload.salt, 32), readHex(payload.saltNonce, 32)]
  const signature = readSignature(payload.signature)
  if (!token || !receiver || !amount)
    return badExtra('asset, payTo and amount must be addresses and base units above zero.')
  if (!isObject(authorization) || !salt || !saltNonce || !signature)
    return bad('The payload must have authorization, signature, salt and saltNonce.')
  const payer = readAddress(authorization.from)
  const validBefore = readUint(authorization.validBefore)
  if (!payer || validBefore === undefined || validBefore > BigInt(MAX_UINT48))
    return bad('authorization.from and authorization.validBefore cannot be read.')
  const info: PaymentInfo = {
    operator: terms.operator,
    payer,
    receiver,
    token,
    maxAmount: amount,
    preApprovalExpiry: Number(validBefore),
    authorizationExpiry: terms.captureDeadline,
    refundExpiry: terms.refundDeadline,
    minFeeBps: terms.minFeeBps,
    maxFeeBps: terms.maxFeeBps,
    feeReceiver: terms.feeRecipient,
    salt: BigInt(salt),
  }
  if (info.salt !== boundSalt(terms.receiverAuthorizer, BigInt(saltNonce)))
    return bad('salt does not bind extra.receiverAuthorizer.')
  const isForThis =
    readAddress(authorization.to) === EIP3009_COLLECTOR &&
    readUint(authorization.value) === amount &&
    readUint(authorization.validAfter) === 0n &&
    readHex(authorization.nonce, 32) === payerNonce(chainId, info)
  if (!isForThis)
    return bad(
      `authorization must pay exactly this to ${EIP3009_COLLECTOR}, with the payment's own nonce.`,
    )
  if (info.preApprovalExpiry > info.authorizationExpiry)
    return bad('authorization.validBefore must not be after extra.captureDeadline.')
  return { info, order: { type: 'authorize', amount, signature }, consent: undefined }
}

/** A seller's own payload: capture, void or refund. */
function readLifecycle(payload: JsonObject, required: JsonObject, terms: Terms): Read | Refused {
  const info = readInfo(payload.paymentInfo)
  const saltNonce = readHex(payload.saltNonce, 32)
  const signature = readSignature(payload.authorizerSignature)
  if (!['capture', 'void', 'refund'].includes(String(payload.type)))
    return bad('payload.type must be capture, void or refund.')
  if (!info || !saltNonce || !signature)
    return bad('The payload must have paymentInfo, saltNonce and authorizerSignature.')
  const isOfTerms =
    info.operator === terms.operator &&
    info.receiver === readAddress(required.payTo) &&
    info.token === readAddress(required.asset) &&
    info.maxAmount === readUint(required.amount) &&
    info.authorizationExpiry === terms.captureDeadline &&
    info.refundExpiry === terms.refundDeadline &&
    info.minFeeBps === terms.minFeeBps &&
    info.maxFeeBps === terms.maxFeeBps &&
    info.feeReceiver === terms.feeRecipient &&
    info.salt === boundSalt(terms.receiverAuthorizer, BigInt(saltNonce))
  if (!isOfTerms)
    return bad('paymentInfo differs from the requirements, or its salt from the authorizer.')
  if (payload.type === 'void')
    return { info, order: { type: 'void' }, consent: { signature, expected: undefined } }
  const amount = readValue(payload.amount)
  const [capturable, refundable] = [
    readValue(payload.expectedCapturableAmount),
    readValue(payload.expectedRefundableAmount),
  ]
  if (!amount || capturable === undefined || refundable === undefined)
    return bad(
      `A ${payload.type} needs amount, expectedCapturableAmount and expectedRefundableAmount.`,
    )
  const consent = { signature, expected: { capturable, refundable } }
  const order =
    payload.type === 'refund' ? readRefund(payload, amount) : readCapture(payload, amount)
  return 'ok' in order ? order : { info, order, consent }
}

function readRefund(payload: JsonObject, amount: bigint): EscrowOrder | Refused {
  if (readAddress(payload.tokenCollector) !== RECEIVER_REFUND_COLLECTOR)
    return refused(
      'unsupported_scheme',
      `A refund is taken from the receiver, never from the operator, a relayer of this service: name tokenCollector ${RECEIVER_REFUND_COLLECTOR} and add receiverSignature.`,
    )
  const signature = readSignature(payload.receiverSignature)
  return signature
    ? { type: 'refund', amount, signature }
    : bad('A refund needs receiverSignature, the EIP-3009 authorization of the receiver.')
}

function readCapture(payload: JsonObject, amount: bigint): EscrowOrder | Refused {
  const [feeBps, feeReceiver] = [readBps(payload.feeBps), readAddress(payload.feeReceiver)]
  if (payload.voidAuthorizerSignature !== undefined)
    return bad('Send the void as a request of its own, after the capture.')
  return feeBps === undefined || !feeReceiver
    ? bad('A capture needs feeBps and feeReceiver.')
    : { type: 'capture', amount, feeBps, feeReceiver }
}

function readInfo(value: unknown): PaymentInfo | undefined {
  if (!isObject(value)) return undefined
  const [operator, payer, receiver] = [value.operator, value.payer, value.receiver].map(readAddress)
  const [token, feeReceiver] = [readAddress(value.token), readAddress(value.feeReceiver)]
  const times = [value.preApprovalExpiry, value.authorizationExpiry, value.refundExpiry]
  const [preApprovalExpiry, authorizationExpiry, refundExpiry] = times.map(readUint48)
  const [minFeeBps, maxFeeBps] = [readBps(value.minFeeBps), readBps(value.maxFeeBps)]
  const [maxAmount, salt] = [readValue(value.maxAmount), readHex(value.salt, 32)]
  if (!operator || !payer || !receiver || !token || !feeReceiver || !maxAmount || !salt)
    return undefined
  if (preApprovalExpiry === undefined || authorizationExpiry === undefined) return undefined
  if (refundExpiry === undefined || minFeeBps === undefined || maxFeeBps === undefined)
    return undefined
  return {
    operator,
    payer,
    receiver,
    token,
    maxAmount,
    preApprovalExpiry,
    authorizationExpiry,
    refundExpiry,
    minFeeBps,
    maxFeeBps,
    feeReceiver,
    salt: BigInt(salt),
  }
}

const readSignature = (value: unknown): Hex | undefined =>
  typeof value === 'string' && /^0x([0-9a-fA-F]{2}){65,4096}$/.test(value)
    ? (value as Hex)
    : undefined
