import { createHmac } from 'node:crypto'
import type { CountedPayment } from '../../stats/store-payments.ts'

/** Names a payer of one card. The same payer of another card has another tag, so nobody can follow it. */
export type TagOf = (payer: string) => string

export const tagsOf =
  (key: Buffer, cardId: string): TagOf =>
  (payer) =>
    createHmac('sha256', key)
      .update(`payer of ${cardId} ${payer}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url')

/** The leaf of a payment, as canonical JSON (RFC 8785): members in order, all of them ASCII text. */
export const leafOf = (payment: CountedPayment, tagOf: TagOf): string =>
  JSON.stringify({
    amount: String(payment.amount),
    id: payment.ref,
    payer: tagOf(payment.payer),
    protocol: payment.protocol,
    refunded: String(payment.refunded),
    time: payment.settledAt.toISOString(),
  })
