import { checkKeyAmount } from '../../../api/http/caller.ts'
import type { Claim } from '../../../api/http/idempotency.ts'
import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { equalBytes, sha256 } from '../../../base/kernel/secrets.ts'
import { railOf } from '../../../chain/client/rails.ts'
import { readBlock } from '../../../chain/client/reads.ts'
import { allowPermit2 } from '../../../chain/relay/pull/permit2.ts'
import { checkPayouts } from '../../../links/reconcile/payouts.ts'
import { declined } from '../../../money/cards/debit.ts'
import { findCategory } from '../../../money/cards/merchants/store.ts'
import {
  findPayment,
  findPaymentByKey,
  HANDED_OUT,
  type OutboundPayment,
  savePresented,
} from '../store.ts'
import { authorizePayment, type CardAccess, findPayingCard, lookLater } from './authorize.ts'
import { readTerms, readX402Demand } from './demand.ts'
import { type ChainOffer, chooseOffer } from './offer.ts'
import { readIntent, sign } from './sign.ts'

export type AuthorizeAsk = CardAccess & {
  at: Date
  claim: Claim | undefined
  /** The agent's own description of the purchase. It is displayed and decides nothing. */
  resource: string
  /** The seller's demand: an x402 `PaymentRequired` from any transport. */
  challenge: object
  maxAmount: Amount | undefined
  /** The grant of the card's owner that the caller means. */
  approvalId: string | undefined
}

/**
 * Signs one payment for a demand that reached the agent over another transport than HTTP, and hands it out. The hold
 * comes first, then the signature, which is stored before anybody has it. The chain decides how the payment ends. A
 * merchant list of the card is checked against the address alone, because only the address is signed. Throws the
 * refusals of `POST /api/pay/authorize`.
 */
export async function authorizeOffer(
  services: Uses<'chain' | 'clock' | 'comparison' | 'db' | 'log' | 'relay' | 'settings'>,
  ask: AuthorizeAsk,
): Promise<OutboundPayment> {
  const { db, chain } = services
  const { at, claim } = ask
  await findPayingCard(db.reader, ask)
  const priced = await readX402(services, ask)
  checkKeyAmount(ask.caller, priced.debit)
  const earlier = claim && (await findPaymentByKey(db.reader, claim.walletAddress, claim.key))
  if (earlier) return handOut(services, ask, { payment: earlier, priced })
  const { payTo } = priced.offer
  const [block, intent] = await Promise.all([
    readBlock(chain, 'latest'),
    readIntent(chain, claim, priced),
  ])
  const mcc = await findCategory(db.reader, payTo)
  if (!intent?.made) await checkPayouts(services)
  const authorized = await db.write((tx) =>
    authorizePayment(tx, at, {
      ...ask,
      chain,
      priced,
      block,
      intent,
      method: HANDED_OUT,
      url: ask.resource,
      merchant: payTo,
      spend: { amount: priced.debit, merchants: [payTo], mcc, rail: 'x402', ...boughtBy(ask) },
      requestDigest: digestOf(ask),
    }),
  )
  if (authorized.kind === 'declined') throw declined(authorized.denied)
  reach('payments.after_hold')
  return handOut(services, ask, { payment: authorized.payment, priced })
}

/** The cheapest x402 offer of the demand. Throws `no_payable_option`. */
async function readX402(
  services: Uses<'chain' | 'db' | 'settings'>,
  ask: AuthorizeAsk,
): Promise<Extract<ChainOffer, { method: 'x402' }>> {
  const body = Buffer.from(JSON.stringify(ask.challenge))
  const demand = readX402Demand({ status: 402, headers: {}, body })
  const { maxAmount, caller } = ask
  const { walletAddress } = caller
  const order = { walletAddress, maxAmount, protocol: 'x402' as const }
  const priced = chooseOffer(demand, await readTerms(services, ask.at, order))
  assert(priced.method === 'x402', 'no other offer was there')
  return priced
}

/**
 * The payment with its one signature. A retry gets the same signature, even if the first request died before signing:
 * nonce and times are in the payment's row, so the retry signs the same bytes.
 */
async function handOut(
  services: Uses<'chain' | 'db' | 'relay'>,
  ask: AuthorizeAsk,
  { payment, priced }: { payment: OutboundPayment; priced: ChainOffer },
): Promise<OutboundPayment> {
  if (!equalBytes(payment.requestDigest, digestOf(ask)))
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used for another payment. Use a new key for a new one.',
    )
  const { id } = payment
  if (payment.state === 'authorized' && payment.validBefore > unixSeconds(ask.at)) {
    if (payment.mechanism !== 'eip3009')
      await allowPermit2({ ...services, rail: railOf(services.chain, payment.asset) }, ask.at, {
        needed: payment.maxAmount,
      })
    const header = await sign(services.chain, payment, priced)
    reach('payments.after_sign')
    await services.db.write(async (tx) => {
      if (await savePresented(tx, id, header)) await lookLater(tx, { id, looks: 0 })
    })
    reach('payments.after_store')
  }
  const now = await findPayment(services.db.reader, id)
  assert(now, `payment ${id} exists`)
  return now
}

const digestOf = (ask: AuthorizeAsk): Buffer =>
  ask.claim?.requestHash ?? sha256(JSON.stringify([HANDED_OUT, ask.resource, ask.challenge]))

/** The purchase, as the owner of the card is asked about it. A seller may hand out another demand for it. */
const boughtBy = ({ resource, approvalId }: AuthorizeAsk) => ({
  request: sha256(JSON.stringify([HANDED_OUT, resource])).toString('hex'),
  approvalId,
})
