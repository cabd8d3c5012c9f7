import type { KeyObject } from 'node:crypto'
import { type JsonObject, member } from '../../json.ts'
import { readJws, signJws } from '../jose/jws.ts'
import { checkSignature, type Signer } from '../jose/keys.ts'
import { isText, readSeconds } from '../read/fields.ts'
import { Ap2Refusal, refusedAs } from '../refusal.ts'
import { secondsOf } from './terms.ts'

type ReceiptBase = {
  readonly issuer: string
  readonly issuedAt: Date
  readonly paymentId: string
  /** The hash of the closed JWT. Peers that use the reference SDK look a receipt up by it. */
  readonly reference: string
  /** The same reference in the specification's form: the hash of the SD-JWT with its disclosures. */
  readonly mandateSdHash?: string
}

/** A payment receipt (payment_receipt.json), made when a mandate is settled or refused. */
export type Receipt =
  | (ReceiptBase & {
      readonly status: 'Success'
      readonly pspConfirmationId: string
      readonly networkConfirmationId: string
    })
  | (ReceiptBase & {
      readonly status: 'Error'
      readonly error: string
      readonly errorDescription: string
    })

const TYP = 'JWT'

/** Signs a receipt. A receipt of success is made only after the commit that settled the payment. */
export const makeReceipt = (
  receipt: Receipt,
  by: { readonly kid: string; readonly sign: Signer },
): Promise<string> => signJws({ typ: TYP, kid: by.kid }, wireOf(receipt), by.sign)

const wireOf = (receipt: Receipt): JsonObject => ({
  status: receipt.status,
  iss: receipt.issuer,
  iat: secondsOf(receipt.issuedAt),
  reference: receipt.reference,
  ...(receipt.mandateSdHash !== undefined && { mandate_sd_hash: receipt.mandateSdHash }),
  payment_id: receipt.paymentId,
  ...(receipt.status === 'Success'
    ? {
        psp_confirmation_id: receipt.pspConfirmationId,
        network_confirmation_id: receipt.networkConfirmationId,
      }
    : { error: receipt.error, error_description: receipt.errorDescription }),
})

/** Reads a receipt and checks its issuer's signature. Throws `receipt_invalid`. */
export const verifyReceipt = (jwt: string, key: KeyObject): Receipt =>
  refusedAs('receipt_invalid', () => readReceipt(jwt, key))

function readReceipt(jwt: string, key: KeyObject): Receipt {
  const { header, payload, signingInput, signature } = readJws(jwt)
  if (header.typ !== undefined && header.typ !== TYP) throw invalid('Its typ is not that of a JWT')
  if (!checkSignature({ signingInput, signature, key: 'root' }, key))
    throw invalid('Its signature is not of this key')
  const seconds = readSeconds(payload, 'iat')
  if (seconds === undefined) throw invalid('It has no iat')
  const mandateSdHash = member(payload, 'mandate_sd_hash')
  if (mandateSdHash !== undefined && !isText(mandateSdHash))
    throw invalid('Its mandate_sd_hash is no text')
  const base: ReceiptBase = {
    issuer: textOf(payload, 'iss'),
    issuedAt: new Date(seconds * 1000),
    paymentId: textOf(payload, 'payment_id'),
    reference: textOf(payload, 'reference'),
    ...(mandateSdHash !== undefined && { mandateSdHash }),
  }
  return withStatus(base, payload)
}

function withStatus(base: ReceiptBase, payload: JsonObject): Receipt {
  switch (member(payload, 'status')) {
    case 'Success':
      return {
        ...base,
        status: 'Success',
        pspConfirmationId: textOf(payload, 'psp_confirmation_id'),
        networkConfirmationId: textOf(payload, 'network_confirmation_id'),
      }
    case 'Error':
      return {
        ...base,
        status: 'Error',
        error: textOf(payload, 'error'),
        errorDescription: textOf(payload, 'error_description'),
      }
    default:
      throw invalid('Its status is neither Success nor Error')
  }
}

function textOf(payload: JsonObject, name: string): string {
  const value = member(payload, name)
  if (typeof value !== 'string' || value.length > 2048) throw invalid(`It has no ${name}`)
  return value
}

const invalid = (why: string): Ap2Refusal =>
  new Ap2Refusal('receipt_invalid', `The receipt cannot be used. ${why}`)
