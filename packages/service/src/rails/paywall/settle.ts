import type { Uses } from '../../api/http/services.ts'
import type { Lane } from '../../base/db/lanes/lane.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { addSeconds } from '../../base/kernel/clock.ts'
import { amount } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { MppRefusal } from '../../base/protocols/mpp/refusal.ts'
import { readUint } from '../../base/protocols/x402/wire.ts'
import { type RationRefusal, refusalOfRation } from '../../chain/relay/gas/relayer-gas.ts'
import { assetOfLink } from '../../links/link/link.ts'
import { findLink } from '../../links/link/store.ts'
import { redeemForLink } from '../../links/pay-links/methods/card/settle-token.ts'
import type { Outcome } from '../facilitator/settle/finish.ts'
import { settle as settleOnChain } from '../facilitator/settle/settle.ts'
import { nameOf } from './claim.ts'
import {
  type ByCard,
  type NotPresented,
  type OnChain,
  type PaymentIn,
  type Presented,
  readPresented,
} from './presented.ts'
import {
  deleteClaim,
  findPaymentById,
  lockPayment,
  type PaywallPayment,
  type Settled,
  saveDelivered,
  saveSettled,
  saveSettling,
} from './store.ts'

export type SettleAsk = {
  walletAddress: Address
  id: string
  attempt: string
  payment: PaymentIn
  /** The part of an upto payment that was used, in base units. */
  used?: string | undefined
  /** The answer to keep, sealed by the seller. */
  answer: Buffer | null
  /** False: the handler runs afterwards. */
  isDelivered: boolean
}

export type SettleOutcome =
  /**
   * `isFirst`: this attempt is to give the goods, however often it asks. Else they were given, and only `isPrivate` bytes may have
   * the answer again.
   */
  | { kind: 'settled'; payment: PaywallPayment; isFirst: boolean; isPrivate: boolean }
  | { kind: 'pending'; payment: PaywallPayment; txHash: string }
  | ({ kind: 'refused' } & NotPresented)
  | { kind: 'rationed'; refusal: RationRefusal }

type SettleUses = Uses<
  'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'mppKeys' | 'relay' | 'settings'
>

/**
 * Takes the money of a claimed payment. One caller of all is the first; a payment that is refused is free to be
 * presented again. Safe to repeat.
 */
export async function settlePayment(
  services: SettleUses,
  at: Date,
  ask: SettleAsk,
): Promise<SettleOutcome> {
  const payment = await findPaymentById(services.db.reader, ask.id)
  if (payment?.walletAddress !== ask.walletAddress) throw notFound('payment')
  const read = readPresented(services, { ...ask, resource: payment.resource }, ask.payment)
  if (!('key' in read)) return { kind: 'refused', ...read }
  if (read.key !== payment.paymentKey || !read.hash.equals(payment.paymentHash))
    throw new Problem('invalid_state', 'The payment is not the one that was claimed.')
  if (payment.state === 'settled') return again(services, ask, { payment, read })
  if (payment.state === 'claimed' && payment.attempt !== ask.attempt) throw takenOver()
  return read.method === 'agentcard'
    ? settleByCard(services, at, ask, read)
    : settleByChain(services, at, ask, { payment, read })
}

const takenOver = (): Problem =>
  new Problem(
    'invalid_state',
    'Another attempt has taken the payment over, since the lease of this one was over. Give nothing for it.',
  )

/** The goods of a payment that was taken before are reported as given, or the answer is given again. */
async function again(
  { db }: Uses<'db'>,
  ask: SettleAsk,
  { payment, read }: { payment: PaywallPayment; read: Presented },
): Promise<SettleOutcome> {
  const isFirst = ask.isDelivered
    ? await db.write((tx) => saveDelivered(tx, ask))
    : isOfAttempt(payment, ask)
  return { kind: 'settled', payment, isFirst, isPrivate: read.isPrivate }
}

/** Whether the payment stands as a call of this attempt left it: the answer of that call was lost. */
const isOfAttempt = (payment: PaywallPayment, ask: SettleAsk): boolean =>
  payment.attempt === ask.attempt && payment.isDelivered === ask.isDelivered

async function settleByChain(
  services: SettleUses,
  at: Date,
  ask: SettleAsk,
  { payment, read }: { payment: PaywallPayment; read: OnChain },
): Promise<SettleOutcome> {
  const { walletAddress } = ask
  const body = withUsed(read, ask.used)
  const outcome = await settleOnChain(services, at, {
    walletAddress,
    idempotencyKey: nameOf(read.key),
    body,
  })
  if (outcome.kind === 'settled' || outcome.kind === 'unused')
    return finish(services, at, ask, { payment, read, outcome })
  if (outcome.kind === 'pending') {
    await services.db.write((tx) => saveSettling(tx, ask))
    return { kind: 'pending', payment, txHash: outcome.hash }
  }
  // Nothing was sent: the attempt keeps its claim, so that its next call may succeed.
  if (outcome.kind === 'rationed')
    return { kind: 'rationed', refusal: refusalOfRation(outcome.rationed) }
  await services.db.write((tx) => deleteClaim(tx, ask))
  return { kind: 'refused', reason: outcome.reason, detail: outcome.detail }
}

/** The body with what was used of the most, for upto alone. */
function withUsed({ body, amount: most }: OnChain, used: string | undefined): OnChain['body'] {
  const { paymentRequirements } = body
  if (paymentRequirements.scheme !== 'upto') return body
  const value = used === undefined ? undefined : readUint(used)
  if (value === undefined || value > most)
    throw new Problem('invalid_amount', 'used must be base units, at most what was signed.', {
      param: 'used',
    })
  return { ...body, paymentRequirements: { ...paymentRequirements, amount: String(value) } }
}

/** How long an attempt may take to serve after the money. */
const SERVE_SECONDS = 120

const goodsOf = (at: Date, { isDelivered, attempt, answer }: SettleAsk) => ({
  ...{ isDelivered, attempt, answer },
  leaseUntil: addSeconds(at, SERVE_SECONDS),
})

async function finish(
  services: Uses<'db' | 'lanes'>,
  at: Date,
  ask: SettleAsk,
  of: {
    payment: PaywallPayment
    read: OnChain
    outcome: Extract<Outcome, { kind: 'settled' | 'unused' }>
  },
): Promise<SettleOutcome> {
  const { payment, read, outcome } = of
  const settled = outcome.kind === 'settled' ? outcome.settlement : undefined
  const first = await services.lanes.submit(paywallSettledLane, {
    id: payment.id,
    charged: settled?.amount ?? amount(0n),
    txHash: settled?.txHash ?? null,
    settlementId: settled?.id ?? null,
    ...goodsOf(at, ask),
  })
  const standing = first ?? (await findPaymentById(services.db.reader, payment.id))
  if (!standing) throw notFound('payment')
  const isFirst = isOfAttempt(standing, ask)
  return { kind: 'settled', payment: standing, isFirst, isPrivate: read.isPrivate }
}

export const paywallSettledLane: Lane<Settled, PaywallPayment | undefined> = {
  name: 'settle_paywall_payments',
  async run(tx, at, settled) {
    const saved = await saveSettled(tx, at, settled)
    return settled.map(({ id }, i) =>
      settled.findIndex((other) => other.id === id) === i
        ? saved.find((one) => one.id === id)
        : undefined,
    )
  },
}

/** The hold of the card becomes the seller's, and the goods are reported, in one commit. */
async function settleByCard(
  services: SettleUses,
  at: Date,
  ask: SettleAsk,
  read: ByCard,
): Promise<SettleOutcome> {
  const { db, chain } = services
  const link = await findLink(db.reader, read.recipient)
  if (link?.walletAddress !== ask.walletAddress) throw notFound('pay link')
  const { card, hold } = read.token
  try {
    return await db.write(async (tx): Promise<SettleOutcome> => {
      const payment = await lockPayment(tx, ask.id)
      if (!payment) throw takenOver()
      if (payment.state === 'claimed' && payment.attempt !== ask.attempt) throw takenOver()
      const redeemed = await redeemForLink(tx, at, {
        code: link.code,
        challengeId: read.challenge.id,
        ...{ card, hold, asset: assetOfLink(chain, link) },
      })
      if (redeemed.kind === 'closed') {
        await deleteClaim(tx, ask)
        return { kind: 'refused', reason: redeemed.problem.code, detail: redeemed.problem.message }
      }
      const { id: settlementId } = redeemed.settlement
      const end = { charged: payment.amount, txHash: null, settlementId }
      const [first] = await saveSettled(tx, at, [{ id: payment.id, ...end, ...goodsOf(at, ask) }])
      const standing = first ?? payment
      const isFirst = isOfAttempt(standing, ask)
      return { kind: 'settled', payment: standing, isFirst, isPrivate: true }
    })
  } catch (error) {
    const refusal = refusalIn(error)
    if (!refusal) throw error
    await db.write((tx) => deleteClaim(tx, ask))
    return { kind: 'refused', ...refusal }
  }
}

function refusalIn(error: unknown): NotPresented | undefined {
  if (error instanceof MppRefusal) return { reason: error.code, detail: error.detail }
  const isStopped =
    error instanceof Problem && (error.code === 'card_frozen' || error.code === 'card_closed')
  return isStopped ? { reason: error.code, detail: error.message } : undefined
}
