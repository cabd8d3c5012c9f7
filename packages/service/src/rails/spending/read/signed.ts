import type { Uses } from '../../../api/http/services.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import {
  type JudgedSignature,
  judgeOffer,
  judgeReceipt,
  type PaidFacts,
} from '../../../base/protocols/x402/signed/judge.ts'
import { isObject, type JsonObject } from '../../../base/protocols/x402/wire.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import type { OutboundPayment } from '../store.ts'

/** A payment, with the transaction on chain that the evidence names. */
type Paid = { payment: OutboundPayment; txHash: string | null }

/** The seller's signed offer as it came, and what became of checking it against the payment; null if it signed none. */
export function shownSignedOffer(services: Uses<'chain'>, paid: Paid) {
  const { signedOffer: sent, sellerKeys } = paid.payment
  return sent && shownVerdict(sent, judgeOffer(sent, factsOf(services, paid), sellerKeys ?? {}))
}

/** As `shownSignedOffer`, for the signed receipt. */
export function shownSignedReceipt(services: Uses<'chain'>, paid: Paid) {
  const { receipt, sellerKeys } = paid.payment
  const sent = receipt?.signed ?? null
  return sent && shownVerdict(sent, judgeReceipt(sent, factsOf(services, paid), sellerKeys ?? {}))
}

const shownVerdict = (
  sent: JsonObject,
  { signature, signedBy, vouchedBy, key, faults }: JudgedSignature,
) => ({ sent, signature, signed_by: signedBy, vouched_by: vouchedBy, key, faults })

const factsOf = ({ chain }: Uses<'chain'>, { payment, txHash }: Paid): PaidFacts => ({
  url: payment.url,
  network: payment.network,
  scheme: isObject(payment.offer) ? String(payment.offer.scheme) : '',
  asset: assetOf(chain, payment).contract,
  payTo: payment.payTo,
  amount: String(payment.maxAmount),
  payer: payment.payer,
  txHash,
  at: unixSeconds(payment.createdAt),
})
