import { record } from '../../api/events/record.ts'
import type { Caller } from '../../api/http/caller.ts'
import type { Uses } from '../../api/http/services.ts'
import { send, type Tx } from '../../base/db/sql.ts'
import { enqueue } from '../../base/jobs/queue.ts'
import { assert } from '../../base/kernel/assert.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { newId } from '../../base/kernel/ids.ts'
import { ZERO } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { Ap2Refusal } from '../../base/protocols/ap2/refusal.ts'
import { openPrivateKey } from '../../base/signing-keys/key-pair.ts'
import { assetOf, defaultAsset } from '../../chain/client/rails.ts'
import { type Agreement, newCharge } from '../../members/agreements/agreement.ts'
import { createdEvents } from '../../members/agreements/agreement-events.ts'
import { scheduled } from '../../members/agreements/schedule.ts'
import { sealMandate } from '../../members/agreements/sealed.ts'
import {
  hasAgreementOf,
  insertAgreement,
  insertCharge,
  lockThresholdAgreement,
} from '../../members/agreements/store.ts'
import { checkThresholdTask } from '../../members/meter/tasks.ts'
import { ownCard } from '../../money/cards/controls/own-card.ts'
import { checkToken } from '../../money/cards/token.ts'
import { openMandateOf } from '../ap2/mandates/open/open-mandate.ts'
import {
  deleteTokenStatement,
  findOpenMandates,
  insertOpenMandate,
} from '../ap2/mandates/open/store.ts'
import { rejection } from '../ap2/settle/rejection.ts'
import { openRefusal, writeBooks } from '../ap2/settle/settle.ts'
import { decideCharges, judgeDue, type Opened } from './charge/charge.ts'
import { readFunding } from './charge/funding.ts'
import { afterAttempt } from './charge/outcome.ts'
import { readChargeRows } from './charge/rows.ts'
import { deletePreparedKey, lockPreparedKey, type PreparedKey } from './store.ts'
import type { Terms } from './terms.ts'

/** An agreement as its payer asks for it. */
export type Order = {
  caller: Caller
  cardId: string
  cardToken: string
  openMandate: string
  terms: Terms
  planRef: string | null
  description: string | null
}
type Making = { services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>; order: Order }

/**
 * Makes an agreement. The open mandate is verified as any other, and must name a key that was prepared for this card. An
 * interval is charged for its first period in the same transaction: if that is refused nothing exists, and the refusal is
 * answered; a decline by the card is recorded.
 */
export async function createAgreement(
  tx: Tx,
  at: Date,
  making: Making,
): Promise<Agreement | Problem> {
  const { services, order } = making
  const card = await ownCard(tx, order.caller, order.cardId)
  checkToken(card, order.cardToken)
  const open = readOpen(at, order)
  const key = await takeKey(tx, at, { order, open })
  const draft = draftOf(at, { making, key, openId: open.openId, token: open.token })
  const privateKey = openPrivateKey(key, services.sealKey)
  const due: Opened = {
    agreement: draft,
    charge: newCharge(at, { agreement: draft, periodNo: 1 }),
    isRetry: false,
    funding: readFunding(open.token, privateKey),
  }
  const made =
    draft.triggerType === 'threshold'
      ? await makeThreshold(tx, at, { making, due })
      : await makeInterval(tx, at, { making, due })
  if (made instanceof Problem) return made
  send(tx, deleteTokenStatement(open.openId))
  await deletePreparedKey(tx, key.kid)
  reach('agreements.before_create')
  return made
}

function readOpen(at: Date, { openMandate: token, cardId }: Order) {
  try {
    return openMandateOf(at, { cardId, token, issuedHere: false })
  } catch (error) {
    throw error instanceof Ap2Refusal ? rejection(error) : error
  }
}

/** The prepared key that the open mandate names. It moves to the agreement, so no other can be made with this mandate. */
async function takeKey(
  tx: Tx,
  at: Date,
  { order, open }: { order: Order; open: { openId: string; agentKid: string } },
): Promise<PreparedKey> {
  const { openId, agentKid: kid } = open
  const { cardId } = order
  const key = await lockPreparedKey(tx, at, {
    payerWallet: order.caller.walletAddress,
    cardId,
    kid,
  })
  if (key) return key
  const isUsed = await hasAgreementOf(tx, { openId, kid })
  throw rejection(
    isUsed
      ? new Ap2Refusal('mandate_already_used', 'The open mandate funds another agreement')
      : new Ap2Refusal(
          'mandate_key_untrusted',
          'The cnf of the open mandate is no key that was prepared for this card within the last 24 hours',
        ),
  )
}

async function makeInterval(
  tx: Tx,
  at: Date,
  { making, due }: { making: Making; due: Opened },
): Promise<Agreement | Problem> {
  const { services, order } = making
  const { rows, decided } = await decideCharges(tx, at, { services, dues: [due] })
  const [first] = decided
  checkStillToken(rows.books.batch.cards.get(order.cardId), order)
  assert(first, 'the charge was decided')
  const asset = assetOf(services.chain, due.agreement)
  const { attempt, problem } = first
  if (attempt.kind !== 'paid') {
    writeBooks(tx, rows.books)
    return problem instanceof Ap2Refusal ? rejection(problem) : (problem ?? unpaid())
  }
  const { agreement, charge, events } = afterAttempt(at, { ...due, asset }, attempt)
  assert(charge, 'a charge that was paid is kept')
  await insertAgreement(tx, agreement)
  await insertCharge(tx, charge)
  await record(tx, at, createdEvents({ agreement, asset }))
  rows.books.batch.events.push(...events)
  writeBooks(tx, rows.books)
  return agreement
}

const unpaid = (): Problem => new Problem('payment_rejected', 'The first charge was refused.')

/** A threshold is charged by its job, once the balance is below the floor. Its mandate is judged now all the same. */
async function makeThreshold(
  tx: Tx,
  at: Date,
  { making, due }: { making: Making; due: Opened },
): Promise<Agreement> {
  const { services, order } = making
  const { agreement, funding } = due
  const { payerWallet, payerCardId, openId } = agreement
  if (await lockThresholdAgreement(tx, payerWallet)) throw hasThreshold()
  const rootKids = funding instanceof Problem ? [] : [funding.rootKid ?? '']
  const rows = await readChargeRows(tx, at, { services, agreements: [agreement], rootKids })
  const payer = rows.books.batch.cards.get(payerCardId ?? '')
  checkStillToken(payer, order)
  if (payer?.status === 'CLOSED')
    throw new Problem('card_closed', 'The card is CLOSED. Name another one.')
  const judged = await judgeDue(tx, at, { services, rows, due })
  if (!('presentation' in judged)) throw judgedProblem(judged.problem)
  const [known] = await findOpenMandates(tx, [openId ?? ''])
  const open = known ?? { ...readOpen(at, order), token: null }
  const refusal = judged.refusal ?? openRefusal(open, at, judged)
  if (refusal) throw rejection(refusal)
  if (!known) await insertOpenMandate(tx, open)
  await insertAgreement(tx, agreement)
  await record(tx, at, createdEvents({ agreement, asset: assetOf(services.chain, agreement) }))
  await enqueue(tx, checkThresholdTask, { walletAddress: payerWallet })
  return agreement
}

const judgedProblem = (problem: Problem | Ap2Refusal | undefined): Problem =>
  problem instanceof Ap2Refusal ? rejection(problem) : (problem ?? unpaid())

export const hasThreshold = (): Problem =>
  new Problem(
    'invalid_state',
    'The wallet has a threshold agreement for its fee meter. Cancel that one first.',
  )

/** The card was read without a lock, and the rows that decide were read later. */
function checkStillToken(payer: Parameters<typeof checkToken>[0] | undefined, order: Order): void {
  if (payer) checkToken(payer, order.cardToken)
}

/** The agreement before its first charge. */
function draftOf(
  at: Date,
  of: { making: Making; key: PreparedKey; openId: string; token: string },
): Agreement {
  const { making, key, openId, token } = of
  const { services, order } = making
  const { merchant: _, ...terms } = order.terms
  const { treasury } = services.chain
  const asset = defaultAsset(services.chain)
  const isThreshold = terms.triggerType === 'threshold'
  return scheduled(
    {
      id: newId('agr', at),
      purpose: 'billing',
      payerWallet: order.caller.walletAddress,
      payerCardId: order.cardId,
      ...terms,
      merchantWallet: isThreshold ? treasury.address : terms.merchantWallet,
      planRef: order.planRef,
      description: order.description,
      network: asset.network,
      asset: asset.symbol,
      isArmed: isThreshold,
      fundingSource: 'CARD',
      fundingSpender: null,
      status: 'ACTIVE',
      statusReason: null,
      pausedBy: null,
      cancelAtPeriodEnd: false,
      cancelledBy: null,
      endsAt: null,
      anchor: at,
      firstMonth: null,
      nextChargeAt: null,
      nextAttemptAt: null,
      firstFailedAt: null,
      lastChargeAt: null,
      chargesMade: 0,
      totalCharged: ZERO,
      failureCount: 0,
      openId,
      sealedMandate: sealMandate(services.sealKey, { openId, token }),
      kid: key.kid,
      sealedKey: key.sealed,
      createdAt: at,
      updatedAt: at,
    },
    at,
  )
}
