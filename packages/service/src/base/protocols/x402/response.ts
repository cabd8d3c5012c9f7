import type { Address, Hex, Network } from '../../kernel/assets.ts'
import { findSignedReceipt } from './signed/read.ts'
import { decodeHeader, encodeHeader, type JsonObject, v1NameOf } from './wire.ts'

/** The end of a settlement as the seller reports it to the payer. */
export type SettleResponse =
  | {
      readonly success: true
      readonly transaction: Hex
      readonly network: Network
      readonly payer: Address
      readonly extensions?: JsonObject
    }
  | {
      readonly success: false
      readonly errorReason: string
      /** The transaction hash if one was broadcast, otherwise empty. */
      readonly transaction: Hex | ''
      readonly network: Network
      readonly payer?: Address
      readonly errorMessage?: string
    }

export const PAYMENT_RESPONSE_HEADER = 'PAYMENT-RESPONSE'
export const X_PAYMENT_RESPONSE_HEADER = 'X-PAYMENT-RESPONSE'

export const encodePaymentResponse = (response: SettleResponse): string => encodeHeader(response)

/** For a client of v1, which knows networks by name. */
export const encodeXPaymentResponse = (response: SettleResponse): string =>
  encodeHeader({ ...response, network: v1NameOf(response.network) ?? response.network })

/** A seller's report of the settlement. It is only a claim: the chain alone proves that money moved. */
export type SettlementClaim = {
  readonly success: boolean
  readonly transaction: string | undefined
  readonly network: string | undefined
  readonly payer: string | undefined
  readonly errorReason: string | undefined
  /** The receipt that the seller signed, as it came. */
  readonly signed?: JsonObject
}

/** Reads `PAYMENT-RESPONSE` or its v1 form; `undefined` if neither is well formed. Header names are in lower case. */
export function readPaymentResponse(
  headers: Readonly<Record<string, string>>,
): SettlementClaim | undefined {
  const value = headers['payment-response'] ?? headers['x-payment-response']
  const json = value === undefined ? undefined : decodeHeader(value)
  if (typeof json?.success !== 'boolean') return undefined
  const signed = findSignedReceipt(json)
  return {
    success: json.success,
    transaction: claimedText(json.transaction),
    network: claimedText(json.network),
    payer: claimedText(json.payer),
    errorReason: claimedText(json.errorReason),
    ...(signed && { signed }),
  }
}

const claimedText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 256 ? value : undefined
