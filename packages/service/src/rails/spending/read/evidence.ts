import { Type } from 'typebox'
import { isoOrNull } from '../../../api/http/fields.ts'
import { keyRoute } from '../../../api/http/route.ts'
import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { sha256 } from '../../../base/kernel/secrets.ts'
import { signJws } from '../../../base/protocols/ap2/jose/jws.ts'
import { publicJwks } from '../../../base/signing-keys/signing-keys.ts'
import type { ShownTransaction } from '../../../money/cards/transactions.ts'
import { assetOfTransaction } from '../../../money/cards/view.ts'
import { noPayment } from '../../../money/settlements/archived.ts'
import { findMandateOf } from '../../ap2/mandates/store.ts'
import { type CardPayment, findCardPayment, findPayment, type OutboundPayment } from '../store.ts'
import { listFacts, type PaymentFact } from './facts.ts'
import { findOwnTransaction, PaymentName } from './reference.ts'
import { shownSignedOffer, shownSignedReceipt } from './signed.ts'
import { shownReceipt } from './view.ts'

const EVIDENCE_FORMAT = 'purser-evidence/1'
const EVIDENCE_TYPE = 'purser-evidence+jwt'

const PartsBody = Type.Object(
  {
    payment: Type.String({ description: 'Who paid whom, how much, by which card' }),
    offer: Type.String({
      description:
        'The request, and the offer as the seller wrote it; `signed` is what the seller signed of it, checked. Or null',
    }),
    decisions: Type.String({ description: 'The decisions of the card, each with its rule' }),
    mandate: Type.String({
      description:
        'The AP2 mandate that backed it, by its hashes; null without one, and for whoever was paid',
    }),
    settlement: Type.String({ description: 'How the money moved, in the books and on the chain' }),
    served: Type.String({ description: 'Status, size and SHA-256 of what was served; or null' }),
    receipt: Type.String({
      description:
        'The receipt of the seller, which is a claim; `signed` is what the seller signed of it, checked. Or null',
    }),
  },
  { description: 'The parts, each as the JSON text whose digest is signed' },
)

/** Everything that is known of a payment, in one file that can be checked without this service. */
export const evidence = keyRoute({
  method: 'GET',
  path: '/api/payments/{id}/evidence',
  tag: 'Payments',
  summary: 'The evidence of a payment, signed, in one file',
  description:
    'Offer, decisions with their rules, mandate, settlement, digest of what was served, and receipt. `statement` is a JWS by the service’s signing key over the SHA-256 of each part. Save the answer as it is: `npx purser verify-evidence` and `verifyEvidence` of the SDK check it without a network. It has no secrets: no card token, no signed authorization, and not what was served.',
  scope: 'payments:read',
  params: Type.Object({ id: PaymentName }),
  response: Type.Object({
    format: Type.String({ description: 'purser-evidence/1' }),
    parts: PartsBody,
    statement: Type.String({ description: 'The signed digests of the parts, as a compact JWS' }),
    key: Type.Object(
      {
        kty: Type.String({ description: 'Type of the key: EC' }),
        crv: Type.String({ description: 'Curve of the key: P-256' }),
        x: Type.String({ description: 'First coordinate of the key, base64url' }),
        y: Type.String({ description: 'Second coordinate of the key, base64url' }),
      },
      { description: 'The key that signed. Compare it with those that you know the service by' },
    ),
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found', 'payment_archived'],
  handle: async ({ params, caller, at, services }) => {
    const transaction = await findOwnTransaction(services.db.reader, caller, params.id)
    if (!transaction) throw await noPayment(services.db.reader, params.id)
    const parts = textsOf(await readParts(services, transaction))
    return signEvidence(services, at, { sub: transaction.id, parts })
  },
})

type Parts = Record<keyof (typeof PartsBody)['properties'], unknown>
type Texts = Record<keyof Parts, string>

const textsOf = (parts: Parts): Texts =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, JSON.stringify(part)]),
  ) as Texts

async function signEvidence(
  { db, settings, signing }: Uses<'db' | 'settings' | 'signing'>,
  at: Date,
  { sub, parts }: { sub: string; parts: Texts },
) {
  const { kid, sign } = await signing.current(at)
  const { keys } = await publicJwks(db.reader)
  const key = keys.find((one) => one.kid === kid)
  assert(key, 'the key that signs is published')
  const digests = Object.fromEntries(
    Object.entries(parts).map(([name, text]) => [name, sha256(text).toString('base64url')]),
  )
  const content = { iss: settings.publicUrl, sub, iat: unixSeconds(at), parts: digests }
  const statement = await signJws({ typ: EVIDENCE_TYPE, kid }, content, sign)
  const { kty, crv, x, y } = key
  return { format: EVIDENCE_FORMAT, parts, statement, key: { kty, crv, x, y } }
}

async function readParts(
  { db, chain }: Uses<'chain' | 'db'>,
  transaction: ShownTransaction,
): Promise<Parts> {
  const { id, ref } = transaction
  const asset = assetOfTransaction(chain, transaction)
  const [facts, outbound, byCard, mandate] = await Promise.all([
    listFacts(db.reader, { transaction, asset }),
    findPayment(db.reader, id),
    findCardPayment(db.reader, id),
    // The mandate is between the payer and the service. Whoever is paid has its receipt.
    transaction.direction === 'sent' && transaction.refundOf === null
      ? findMandateOf(db.reader, ref)
      : undefined,
  ])
  const request = outbound ?? byCard
  const paid = outbound && { payment: outbound, txHash: transaction.txHash }
  return {
    payment: {
      id,
      settlement_id: ref,
      direction: transaction.direction,
      wallet: transaction.walletAddress,
      card_id: transaction.cardId,
      merchant: transaction.merchant,
      protocol: transaction.protocol,
      amount_atomic: String(transaction.amount),
      fee_atomic: String(transaction.fee),
      refunded_atomic: String(transaction.refunded),
      ...shownRefund(transaction),
      asset: asset.symbol,
      decimals: asset.decimals,
      network: transaction.network,
      memo: transaction.memo,
      created_at: transaction.createdAt.toISOString(),
    },
    offer: request
      ? {
          ...{ method: request.method, url: request.url, offer: request.offer },
          signed: paid ? shownSignedOffer({ chain }, paid) : null,
        }
      : null,
    decisions: facts.filter(({ type }) => type.startsWith('decision.')).map(shownFact),
    mandate: mandate
      ? {
          mandate_id: mandate.mandateId,
          open_mandate_id: mandate.openId,
          payee_id: mandate.payeeId,
          currency: mandate.currency,
          amount_minor: String(mandate.amount),
          transaction_id: mandate.transactionId,
          reference: mandate.reference,
          mandate_sd_hash: mandate.mandateSdHash,
        }
      : null,
    settlement: {
      status: transaction.status,
      settled_at: isoOrNull(transaction.settledAt),
      tx_hash: transaction.txHash,
      authorization: outbound ? authorizationOf(outbound) : null,
      events: facts.filter(({ type }) => !type.startsWith('decision.')).map(shownFact),
    },
    served: request ? servedOf(request) : null,
    receipt: request?.receipt
      ? {
          ...shownReceipt(request.receipt),
          signed: paid ? shownSignedReceipt({ chain }, paid) : null,
        }
      : null,
  }
}

const shownRefund = ({ refundOf, feeKept }: ShownTransaction) =>
  refundOf === null ? {} : { refund_of: refundOf, fee_kept_atomic: String(feeKept) }

const shownFact = ({ at, type, data }: PaymentFact) => ({ at: at.toISOString(), type, ...data })

/** The authorization without its signature, which could be presented. */
const authorizationOf = (payment: OutboundPayment) => ({
  state: payment.state,
  mechanism: payment.mechanism,
  payer: payment.payer,
  pay_to: payment.payTo,
  max_amount_atomic: String(payment.maxAmount),
  nonce: payment.nonce,
  valid_before: String(payment.validBefore),
  presentations: payment.presentations,
  block_number: payment.blockNumber === null ? null : String(payment.blockNumber),
})

const servedOf = ({ responseStatus, served }: OutboundPayment | CardPayment) =>
  responseStatus === null ? null : { status: responseStatus, ...(served ?? { sha256: null }) }
