import { setTimeout as wait } from 'node:timers/promises'
import { findCard } from '../../cards/store.ts'
import { checkToken } from '../../cards/token.ts'
import { readTransaction } from '../../chain/reads.ts'
import { type Claim, claimOf, dropKey, takeKey } from '../../http/idempotency.ts'
import type { Services } from '../../http/services.ts'
import type { Address, Hex } from '../../kernel/assets.ts'
import { notFound, Problem } from '../../kernel/problem.ts'
import {
  findException,
  findExceptionsIn,
  type ShownException,
} from '../arrivals/store-exceptions.ts'
import { type CardPayment, cardPaymentLane } from '../methods/card/settle.ts'
import { settleOnChain } from '../methods/on-chain/settle.ts'
import { findLogUse, findSettlement, type PayLink, type Settlement } from '../store.ts'

/** How a payment of a link stands, as its payer is told. */
export type PaymentState =
  | { kind: 'pending'; txHash: Hex | null; isMined: boolean }
  /** `over` is what came beyond the amount of the link. */
  | { kind: 'settled'; settlement: Settlement; over?: ShownException }
  | { kind: 'exception'; exception: ShownException }
  | { kind: 'failed'; message: string }
  | { kind: 'unknown' }

const ASK_AGAIN_MS = 250
const ASK_TIMES = 40

/**
 * Pays a link by card from a form. `attempt` names the form that was shown: sent twice, by a double click or a
 * reload, it pays once and answers the same settlement. Throws the refusal.
 */
export async function payByForm(
  services: Services,
  at: Date,
  form: { attempt: string; payment: CardPayment },
): Promise<Settlement['id']> {
  const { db, lanes } = services
  const { payment } = form
  const card = await findCard(db.reader, payment.cardId)
  if (!card) throw notFound('card')
  // Only who has the card's token may take an attempt of the card, or learn that it was taken.
  checkToken(card, payment.token)
  const claim = claimOf(form.attempt, {
    walletAddress: payment.cardId,
    reader: payment.cardId,
    route: 'POST /pay/{code}/paid',
    url: payment.code,
    body: { token: payment.token, amount: payment.amount?.toString() ?? null },
  })
  const earlier = await takeAttempt(services, at, claim)
  if (earlier !== undefined) return earlier
  try {
    const outcome = await lanes.submit(cardPaymentLane, payment, (decided) =>
      decided.ok ? { claim, status: 200, body: decided.settled.settlement.id } : undefined,
    )
    if (!outcome.ok) throw outcome.problem
    return outcome.settled.settlement.id
  } catch (error) {
    await db.write((tx) => dropKey(tx, claim))
    throw error
  }
}

/** Takes the form for this sending, or answers what an earlier one settled; waits for one that is still running. */
async function takeAttempt(
  { db, answerKey }: Services,
  at: Date,
  claim: Claim,
): Promise<Settlement['id'] | undefined> {
  for (let times = 0; ; times++) {
    try {
      const stored = await db.write((tx) => takeKey(tx, at, claim, answerKey))
      return stored && (JSON.parse(stored.body) as Settlement['id'])
    } catch (error) {
      const isRunning = error instanceof Problem && error.code === 'idempotency_in_progress'
      if (!isRunning || times >= ASK_TIMES) throw error
      await wait(ASK_AGAIN_MS)
    }
  }
}

/**
 * Takes a payer's word that a transaction pays the link, and settles it if the chain shows it as final. No job is made
 * for a transaction that no block holds: the watcher finds it once one does, without a report. Throws where the
 * transaction pays something else.
 */
export async function reportTransaction(
  services: Services,
  at: Date,
  paid: { link: PayLink; txHash: Hex; from: Address | null },
): Promise<void> {
  try {
    await settleOnChain(services, at, paid)
  } catch (error) {
    // Reported twice: the page shows what became of it the first time.
    if (!(error instanceof Problem && error.code === 'already_settled')) throw error
  }
}

/** What became of a transaction that was reported for the link. Reads only. */
export async function findByTransaction(
  services: Services,
  { link, txHash }: { link: PayLink; txHash: Hex },
): Promise<PaymentState> {
  const mined = await readTransaction(services.chain, txHash)
  if (!mined) return { kind: 'pending', txHash, isMined: false }
  const arrived = mined.transfers.filter((log) => log.to === link.depositAddress && log.value > 0n)
  if (!mined.succeeded || arrived.length === 0)
    return {
      kind: 'failed',
      message: mined.succeeded
        ? `The transaction sends no ${link.asset} to this link's own address.`
        : 'The network has undone the transaction; nothing was paid.',
    }
  for (const { logIndex } of arrived) {
    const use = await findLogUse(services.db.reader, { network: link.network, txHash, logIndex })
    if (use?.settlementId) return findById(services, link, use.settlementId)
    const exception = use?.exceptionId && (await findException(services.db.reader, use.exceptionId))
    if (exception) return { kind: 'exception', exception }
  }
  return { kind: 'pending', txHash, isMined: true }
}

/** How a settlement of the link stands; `unknown` for an id that is not one of this link. */
export async function findById(
  services: Services,
  link: PayLink,
  id: string,
): Promise<PaymentState> {
  const settlement = await findSettlement(services.db.reader, id)
  if (settlement?.payLinkId !== link.id) return { kind: 'unknown' }
  if (settlement.state === 'settled') {
    const { txHash } = settlement
    const rest =
      txHash && (await findExceptionsIn(services.db.reader, { payLinkId: link.id, txHash }))
    const over = rest ? rest.find(({ reason }) => reason === 'over') : undefined
    return { kind: 'settled', settlement, ...(over && { over }) }
  }
  if (settlement.state === 'settling')
    return { kind: 'pending', txHash: settlement.txHash, isMined: false }
  return { kind: 'failed', message: settlement.reason ?? 'The network refused the transfer.' }
}
