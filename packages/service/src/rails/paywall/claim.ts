import type { Uses } from '../../api/http/services.ts'
import type { Lane } from '../../base/db/lanes/lane.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { newId } from '../../base/kernel/ids.ts'
import { checkExpiry } from '../../base/protocols/mpp/binding.ts'
import { MppRefusal } from '../../base/protocols/mpp/refusal.ts'
import { readFacilitated } from '../../base/protocols/x402/facilitator.ts'
import { closedProblem } from '../../links/link/link.ts'
import { findLink } from '../../links/link/store.ts'
import { findToken } from '../../money/cards/tokens/store.ts'
import { findClaimed } from '../facilitator/store.ts'
import { verify } from '../facilitator/verify.ts'
import {
  type ByCard,
  type NotPresented,
  type PaymentIn,
  type Presented,
  readPresented,
} from './presented.ts'
import { findPayment, insertClaims, type PaywallPayment } from './store.ts'

export type ClaimAsk = {
  walletAddress: Address
  /** The one who asks: the same for repeated calls of one attempt to serve. */
  attempt: string
  resource: string
  /** The request that is paid for, as the seller's paywall names it. */
  requestHash: string
  leaseSeconds: number
  payment: PaymentIn
}

export type ClaimOutcome =
  /** Serve. `claimed`: then settle; `paid`: the money was taken before. */
  | { kind: 'claimed' | 'paid'; payment: PaywallPayment }
  /** The handler has run and the money is on its way: settle again for the answer. */
  | { kind: 'settling'; payment: PaywallPayment }
  /** Another attempt serves it. */
  | { kind: 'busy'; payment: PaywallPayment; retrySeconds: number }
  /** Its goods are given. `isSame`: this is the payer who gets the answer again. */
  | { kind: 'used'; payment: PaywallPayment; isSame: boolean }
  | ({ kind: 'refused' } & NotPresented)

/**
 * Claims a payment that would settle now for one attempt to serve one request. Of all that present it at once, on any
 * machine, one serves. Takes no money.
 */
export async function claimPayment(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'mppKeys' | 'settings'>,
  at: Date,
  ask: ClaimAsk,
): Promise<ClaimOutcome> {
  const read = readPresented(services, ask, ask.payment)
  if (!('key' in read)) return { kind: 'refused', ...read }
  const named = { walletAddress: ask.walletAddress, paymentKey: read.key }
  const find = () => findPayment(services.db.reader, named)
  // Nearly every payment is new, and would settle.
  const refusal = await refusalOf(services, at, { ask, read })
  if (refusal) {
    const known = await find()
    const standing = known && standingOf(at, { known, read, ask })
    if (standing) return standing
    const mayBe = known?.state === 'settled' || (known && (await isOnItsWay(services, ask, read)))
    if (!mayBe) return { kind: 'refused', ...refusal }
  }
  const claim = claimOf(at, ask, read)
  const claimed = await services.lanes.submit(paywallClaimLane, claim)
  if (!claimed) {
    const taken = await find()
    return (taken && standingOf(at, { known: taken, read, ask })) ?? BACK
  }
  return { kind: claimed.state === 'settled' ? 'paid' : 'claimed', payment: claimed }
}

const BACK = {
  kind: 'refused',
  reason: 'unexpected_verify_error',
  detail: 'The payment was given back a moment ago. Try again.',
} as const

export const paywallClaimLane: Lane<PaywallPayment, PaywallPayment | undefined> = {
  name: 'claim_paywall_payments',
  async run(tx, at, claims) {
    const got = await insertClaims(tx, at, claims)
    return claims.map(({ walletAddress, paymentKey, attempt }) =>
      got.find(
        (one) =>
          one.walletAddress === walletAddress &&
          one.paymentKey === paymentKey &&
          one.attempt === attempt,
      ),
    )
  },
}

function claimOf(at: Date, ask: ClaimAsk, read: Presented): PaywallPayment {
  const { walletAddress, attempt, resource, requestHash, leaseSeconds } = ask
  const { key: paymentKey, method, payer, amount, hash: paymentHash } = read
  return {
    ...{ walletAddress, attempt, resource, requestHash },
    ...{ paymentKey, method, payer, amount, paymentHash },
    id: newId('pwp', at),
    state: 'claimed',
    leaseUntil: addSeconds(at, leaseSeconds),
    isDelivered: false,
    ...{ answer: null, charged: null, txHash: null, settlementId: null, settledAt: null },
    createdAt: at,
  }
}

/** The answer for a payment that is known; undefined if this attempt may take it. */
function standingOf(
  at: Date,
  of: { known: PaywallPayment; read: Presented; ask: ClaimAsk },
): ClaimOutcome | undefined {
  const { known, read, ask } = of
  const isSame = known.paymentHash.equals(read.hash) && known.requestHash === ask.requestHash
  if (!isSame) return { kind: 'used', payment: known, isSame }
  if (known.isDelivered) return { kind: 'used', payment: known, isSame: read.isPrivate }
  if (known.state === 'settling') return { kind: 'settling', payment: known }
  const isLeft = known.leaseUntil !== null && known.leaseUntil > at
  if (!isLeft || known.attempt === ask.attempt) return undefined
  const leftMs = Number(known.leaseUntil) - at.getTime()
  return { kind: 'busy', payment: known, retrySeconds: Math.min(5, Math.ceil(leftMs / 1000)) }
}

/** Why the payment would not settle now. */
async function refusalOf(
  services: Uses<'chain' | 'clock' | 'db' | 'log' | 'settings'>,
  at: Date,
  { ask, read }: { ask: ClaimAsk; read: Presented },
): Promise<NotPresented | undefined> {
  if (read.method === 'agentcard') return refusalOfCard(services, at, ask, read)
  const verified = await verify(services, at, read.body)
  if (verified.isValid) return undefined
  return { reason: verified.invalidReason, detail: verified.invalidMessage }
}

/** The name under which the facilitator settles a payment, for whichever attempt asks. */
export const nameOf = (paymentKey: string): string => `paywall:${paymentKey}`

/** Whether an attempt before this one died after it had sent the payment: whoever presents it again gets what it paid for. */
async function isOnItsWay(
  { db }: Uses<'db'>,
  { walletAddress }: ClaimAsk,
  read: Presented,
): Promise<boolean> {
  const parsed = read.method === 'agentcard' ? undefined : readFacilitated(read.body)
  if (!parsed?.ok) return false
  const { requirements, authorization, hash } = parsed.payment
  const settled = await findClaimed(db.reader, {
    network: requirements.network,
    token: requirements.asset,
    payer: authorization.from,
    nonce: authorization.nonce,
    walletAddress,
    paymentIdentifier: null,
  })
  return (
    settled?.walletAddress === walletAddress &&
    settled.payloadHash.equals(hash) &&
    settled.idempotencyKey === nameOf(read.key) &&
    settled.state !== 'failed'
  )
}

async function refusalOfCard(
  { db }: Uses<'db'>,
  at: Date,
  { walletAddress }: ClaimAsk,
  { challenge, token: sealed, recipient }: ByCard,
): Promise<NotPresented | undefined> {
  const token = await findToken(db.reader, challenge.id)
  if (token?.holdId !== sealed.hold || token.cardId !== sealed.card)
    return { reason: 'card_token_invalid', detail: 'The card token was not issued here.' }
  if (token.state === 'redeemed')
    return { reason: 'payment_used', detail: 'The card token was redeemed before.' }
  try {
    checkExpiry(challenge, at)
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
    return { reason: error.code, detail: error.detail }
  }
  if (token.state === 'released')
    return { reason: 'challenge_expired', detail: 'The money is back on the card.' }
  const link = await findLink(db.reader, recipient)
  if (link?.walletAddress !== walletAddress)
    return { reason: 'challenge_scope_mismatch', detail: 'The challenge pays somebody else.' }
  const closed = closedProblem(link, at)
  return closed ? { reason: closed.code, detail: closed.message } : undefined
}
