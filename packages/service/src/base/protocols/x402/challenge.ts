import type { Address, Network } from '../../kernel/assets.ts'
import {
  decodeHeader,
  faultOfHeader,
  faultOfJson,
  HEADER_MAX_CHARACTERS,
  hasExactNumbers,
  isObject,
  type JsonObject,
  networkOfV1Name,
  parseJsonObject,
  readAddress,
  readNetwork,
  readToken,
  readUint,
} from './wire.ts'

/** EIP-3009 or Permit2 for the exact amount, or Permit2 for as much of it as the seller uses (scheme upto). */
export type Mechanism = 'eip3009' | 'permit2' | 'upto'

/** A way to pay that we support. `raw` is the seller's own entry, which is echoed unchanged. */
export type Offer = {
  readonly scheme: 'exact' | 'upto'
  /** The way in which the money moves. */
  readonly mechanism: Mechanism
  /** The one who may settle an upto payment. */
  readonly facilitator?: Address
  readonly network: Network
  /** Base units of the asset, above zero. */
  readonly amount: bigint
  readonly asset: Address
  readonly payTo: Address
  readonly maxTimeoutSeconds: number
  readonly raw: JsonObject
}

export type SkipReason =
  | 'malformed'
  | 'inexact_number'
  | 'unsupported_scheme'
  | 'unsupported_network'
  | 'unsupported_transfer_method'
  | 'no_facilitator'
  | 'unsupported_payment_flow'
  | 'invalid_amount'
  | 'invalid_asset'
  | 'invalid_pay_to'
  | 'invalid_timeout'

/** An entry that cannot be paid, kept so that the caller can report why. */
export type SkippedOffer = { readonly reason: SkipReason; readonly raw: unknown }

export type Challenge = {
  readonly version: 1 | 2
  readonly offers: readonly Offer[]
  readonly skipped: readonly SkippedOffer[]
  /** The whole demand as the seller sent it. */
  readonly paymentRequired: JsonObject
}

const ENTRIES_MAX = 64
const V1_BODY_MAX_BYTES = 256 * 1024
/** The most bytes that a header could carry: a v2 client sends parts of the demand back in a header. */
const V2_BODY_MAX_BYTES = (HEADER_MAX_CHARACTERS / 4) * 3

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * Reads a 402 response: v2 from the header, otherwise v2 or v1 from the body. `undefined` if it is not an x402 demand.
 * Header names are in lower case.
 */
export function readChallenge(answer: Answer): Challenge | undefined {
  if (answer.status !== 402) return undefined
  const header = answer.headers['payment-required']
  const demand = header === undefined ? undefined : decodeHeader(header)
  if (demand?.x402Version === 2) return readDemand(demand)
  if (answer.body.length > V1_BODY_MAX_BYTES) return undefined
  const body = parseJsonObject(answer.body)
  if (body?.x402Version === 1) return readDemand(body)
  if (body?.x402Version === 2 && answer.body.length <= V2_BODY_MAX_BYTES) return readDemand(body)
  return undefined
}

/**
 * One sentence on a 402 response that means to be an x402 demand and that `readChallenge` does not read: what is wrong
 * with its header, or without one with its body. `undefined` if it means to be none.
 */
export function faultOfChallenge({ headers, body }: Answer): string | undefined {
  const header = headers['payment-required']
  if (header !== undefined) {
    const demand = decodeHeader(header)
    const fault = demand ? faultOfDemand(demand, [2]) : faultOfHeader(header)
    return `The header PAYMENT-REQUIRED ${fault}.`
  }
  if (body.length > V1_BODY_MAX_BYTES) return undefined
  const fault = faultOfJson(body)
  if (fault && /"x402Version"/.test(Buffer.from(body).toString('latin1')))
    return `The demand in the body ${fault}.`
  const demand = parseJsonObject(body)
  if (!demand || !Object.hasOwn(demand, 'x402Version')) return undefined
  return `The demand in the body ${faultOfDemand(demand, [1, 2])}.`
}

function faultOfDemand({ x402Version, accepts }: JsonObject, versions: readonly unknown[]): string {
  const named = typeof x402Version === 'number' ? `x402Version ${x402Version}` : 'no x402Version'
  if (!versions.includes(x402Version))
    return `names ${named}, and ${versions.join(' or ')} is read there`
  return Array.isArray(accepts) ? 'is longer than a header may be' : 'has no list accepts'
}

function readDemand(paymentRequired: JsonObject): Challenge | undefined {
  const { accepts } = paymentRequired
  if (!Array.isArray(accepts)) return undefined
  const version = paymentRequired.x402Version === 1 ? 1 : 2
  const offers: Offer[] = []
  const skipped: SkippedOffer[] = []
  for (const raw of accepts.slice(0, ENTRIES_MAX)) {
    const offer = readPayable(raw, version)
    if (typeof offer === 'string') skipped.push({ reason: offer, raw })
    else offers.push(offer)
  }
  return { version, offers, skipped, paymentRequired }
}

/** The mechanism that moves an offer's money: `extra.assetTransferMethod`, which defaults to eip3009. */
export type TransferMethod = 'eip3009' | 'permit2'

/** Reads one entry of `accepts` that is paid by EIP-3009, or answers why it cannot be paid. */
export const readOffer = (raw: unknown, version: 1 | 2): Offer | SkipReason =>
  readOfferBy('eip3009', raw, version)

/** As `readOffer`, for an offer paid by Permit2, which only v2 has. */
export const readPermit2Offer = (raw: unknown): Offer | SkipReason => readOfferBy('permit2', raw, 2)

/** USDC has six decimals; other tokens may have more. */
const AMOUNT: Record<Mechanism, RegExp> = {
  eip3009: /^[1-9]\d{0,20}$/,
  permit2: /^[1-9]\d{0,77}$/,
  upto: /^[1-9]\d{0,77}$/,
}

/** Reads an entry of `accepts` that a card can pay, by whichever mechanism it names. */
function readPayable(raw: unknown, version: 1 | 2): Offer | SkipReason {
  if (version === 1 || !isObject(raw)) return readOffer(raw, version)
  const offer = readOffer(raw, version)
  const isUpto = raw.scheme === 'upto'
  if (!isUpto && offer !== 'unsupported_transfer_method') return offer
  const permit = isUpto ? readUptoOffer(raw) : readPermit2Offer(raw)
  // Cards hold USDC, so the bound of EIP-3009 is enough.
  return typeof permit !== 'string' && !AMOUNT.eip3009.test(String(permit.amount))
    ? 'invalid_amount'
    : permit
}

/** As `readPermit2Offer`, for an offer by scheme upto. Its amount is the most. */
export function readUptoOffer(raw: JsonObject): Offer | SkipReason {
  const offer = readOfferBy('upto', raw, 2)
  if (typeof offer === 'string') return offer
  const facilitator = readAddress(isObject(raw.extra) ? raw.extra.facilitatorAddress : undefined)
  return facilitator ? { ...offer, facilitator } : 'no_facilitator'
}

const SCHEMES: Record<Mechanism, Offer['scheme']> = {
  eip3009: 'exact',
  permit2: 'exact',
  upto: 'upto',
}

function readOfferBy(mechanism: Mechanism, raw: unknown, version: 1 | 2): Offer | SkipReason {
  if (!isObject(raw)) return 'malformed'
  if (!hasExactNumbers(raw)) return 'inexact_number'
  const scheme = SCHEMES[mechanism]
  if (raw.scheme !== scheme) return 'unsupported_scheme'
  const network = version === 1 ? networkOfV1Name(raw.network) : readNetwork(raw.network)
  if (!network) return 'unsupported_network'
  const extra = raw.extra ?? {}
  if (!isObject(extra)) return 'malformed'
  const method: TransferMethod = mechanism === 'eip3009' ? 'eip3009' : 'permit2'
  const named = extra.assetTransferMethod ?? (scheme === 'upto' ? 'permit2' : 'eip3009')
  if (named !== method) return 'unsupported_transfer_method'
  const flow = extra.paymentFlow ?? 'authorization'
  if (flow !== 'authorization' && flow !== 'upfront') return 'unsupported_payment_flow'
  const written = version === 1 ? raw.maxAmountRequired : raw.amount
  const amount = AMOUNT[mechanism].test(String(written)) ? readUint(written) : undefined
  if (amount === undefined) return 'invalid_amount'
  const asset = readToken(raw.asset)
  if (!asset) return 'invalid_asset'
  const payTo = readAddress(raw.payTo)
  if (!payTo) return 'invalid_pay_to'
  const maxTimeoutSeconds = raw.maxTimeoutSeconds
  if (!Number.isSafeInteger(maxTimeoutSeconds) || Number(maxTimeoutSeconds) <= 0)
    return 'invalid_timeout'
  return {
    scheme,
    mechanism,
    network,
    amount,
    asset,
    payTo,
    maxTimeoutSeconds: Number(maxTimeoutSeconds),
    raw,
  }
}
