import type { TransferAuthorization } from '../../src/base/protocols/evm/eip3009/authorization.ts'

/** A payer's authorization with its signature, written as callers write it, not by the code that reads it. */
export type SignedTransfer = { authorization: TransferAuthorization; signature: `0x${string}` }

/** An authorization in x402's wire form, with numbers in decimal. */
export const written = (authorization: TransferAuthorization) => ({
  ...authorization,
  value: String(authorization.value),
  validAfter: String(authorization.validAfter),
  validBefore: String(authorization.validBefore),
})

/** A payment as a client of x402 v1 makes it. */
export const paymentV1 = ({ authorization, signature }: SignedTransfer) => ({
  x402Version: 1,
  scheme: 'exact',
  network: 'base-sepolia',
  payload: { signature, authorization: written(authorization) },
})

/** The request headers that carry the payment. */
export const xPayment = (signed: SignedTransfer) => ({
  'x-payment': Buffer.from(JSON.stringify(paymentV1(signed))).toString('base64'),
})

/** The body of `POST /api/fund/authorization`. */
export const depositBody = ({ authorization, signature }: SignedTransfer) => ({
  from: authorization.from,
  to: authorization.to,
  value: String(authorization.value),
  valid_after: String(authorization.validAfter),
  valid_before: String(authorization.validBefore),
  nonce: authorization.nonce,
  signature,
})
