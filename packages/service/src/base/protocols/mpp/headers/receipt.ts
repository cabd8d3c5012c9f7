import { member } from '../../json.ts'
import { decodeJson, encodeJson, readInstant, readText } from './wire.ts'

export const RECEIPT_HEADER = 'Payment-Receipt'

/** Proof of a settled payment, for 2xx responses only (draft-httpauth-payment "Payment-Receipt Header"). */
export type Receipt = {
  readonly method: string
  /** The transaction hash for `evm`, our own id of the payment for `agentcard`. */
  readonly reference: string
  readonly settledAt: Date
  readonly challengeId: string
  readonly chainId?: number
  /** The `externalId` of the terms. */
  readonly externalId?: string
}

/** The value of `Payment-Receipt`. The response must have `Cache-Control: private`. */
export function writeReceipt(receipt: Receipt): string {
  const { method, reference, settledAt, challengeId, chainId, externalId } = receipt
  return encodeJson({
    status: 'success',
    method,
    reference,
    timestamp: settledAt.toISOString(),
    challengeId,
    ...(chainId !== undefined && { chainId }),
    ...(externalId !== undefined && { externalId }),
  })
}

/** A seller's report of the settlement. It is only a claim: the chain alone proves that money moved. */
export type ReceiptClaim = {
  readonly method: string
  readonly reference: string
  readonly settledAt: Date
  readonly challengeId: string | undefined
  readonly chainId: number | undefined
  readonly externalId: string | undefined
}

/** Reads the value of `Payment-Receipt`; `undefined` if it is malformed. mppx sends only the first three members. */
export function readReceipt(value: string | undefined): ReceiptClaim | undefined {
  const json = value === undefined ? undefined : decodeJson(value)
  if (!json || member(json, 'status') !== 'success') return undefined
  const method = readText(member(json, 'method'))
  const reference = readText(member(json, 'reference'))
  const settledAt = readInstant(member(json, 'timestamp'))
  if (method === undefined || reference === undefined || !settledAt) return undefined
  const chainId = member(json, 'chainId')
  return {
    method,
    reference,
    settledAt,
    challengeId: readText(member(json, 'challengeId')),
    chainId: typeof chainId === 'number' && chainId > 0 ? chainId : undefined,
    externalId: readText(member(json, 'externalId')),
  }
}
