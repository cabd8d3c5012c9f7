import { record } from '../../../api/events/record.ts'
import { approvalDenied } from '../../../api/events/types/approvals.ts'
import { type Caller, checkKeyAmount, mayUseCard } from '../../../api/http/caller.ts'
import { lockOwned } from '../../../base/db/owned.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { type Assets, assetOf } from '../../../chain/client/rails.ts'
import type { CardWithMoney } from '../card.ts'
import { type Approval, askReason } from '../consent.ts'
import { lockOwnCard } from '../controls/own-card.ts'
import { parentsOf } from '../family.ts'
import { readFamilies, saveGrantsUntil } from '../store.ts'
import { approvedEvent, endedEvent } from './ask.ts'
import { findApproval, lockApproval, readConsent, saveAnswer } from './store.ts'

/** How long a grant lasts, from the approval on. */
const GRANT_SECONDS = 600

export type Answering = { caller: Caller; id: string; chain: Assets }

/** The approval as it stands: one whose time is up has EXPIRED, before the job has marked it. */
export const standingAt = (approval: Approval, at: Date): Approval =>
  (approval.status === 'PENDING' || approval.status === 'APPROVED') && approval.expiresAt <= at
    ? { ...approval, status: 'EXPIRED' }
    : approval

/**
 * Lets exactly this payment pass once, within ten minutes. Approving twice changes nothing. Throws `invalid_state` if the
 * request has ended, and `forbidden_scope` if the key may not move that much.
 */
export async function approve(tx: Tx, at: Date, asked: Answering): Promise<Approval> {
  const approval = await lockOwnApproval(tx, at, asked)
  if (approval.status === 'APPROVED') return approval
  if (approval.status !== 'PENDING') throw ended(approval, 'approved')
  const asset = assetOf(asked.chain, approval.card)
  checkKeyAmount(asked.caller, approval.amount, asset)
  const { card, ...row } = approval
  const waives = waivedBy(asked.caller, card)
  await checkAsksNoneAbove(tx, approval, waives)
  const expiresAt = addSeconds(at, GRANT_SECONDS)
  const granted: Approval = { ...row, status: 'APPROVED', expiresAt, decidedAt: at, waives }
  await saveAnswer(tx, granted)
  await saveGrantsUntil(tx, approval.cardId, expiresAt)
  await record(tx, at, [approvedEvent(granted, asset)])
  return granted
}

/** The cards above this one on which a word of the caller counts: those that it may use. Null: all. */
export const waivedBy = (caller: Caller, { ancestors }: CardWithMoney): string[] | null =>
  ancestors.every((id) => mayUseCard(caller, id))
    ? null
    : ancestors.filter((id) => mayUseCard(caller, id))

export const notAbove = (): Problem =>
  new Problem(
    'forbidden_scope',
    'A card above this one asks about the payment or refuses it. Use a key that may use that card.',
  )

/** Refuses an answer to a question of a card above that the caller may not use. The payment would only ask again. */
async function checkAsksNoneAbove(
  tx: Tx,
  approval: Approval & { card: CardWithMoney },
  waives: readonly string[] | null,
): Promise<void> {
  if (waives === null) return
  const { card } = approval
  const parents = parentsOf(card, await readFamilies(tx, [card.id]))
  const others = parents.filter(({ id }) => !waives.includes(id))
  const consent = await readConsent(tx, approval.createdAt, [card, ...parents])
  if (others.some((parent) => askReason(parent, approval, consent))) throw notAbove()
}

/** Refuses the payment, or takes an unused grant back. The same payment is refused until the request would have ended. */
export async function deny(tx: Tx, at: Date, asked: Answering): Promise<Approval> {
  const approval = await lockOwnApproval(tx, at, asked)
  if (approval.status === 'DENIED') return approval
  if (approval.status !== 'PENDING' && approval.status !== 'APPROVED')
    throw ended(approval, 'denied')
  const { card, ...row } = approval
  const denied: Approval = { ...row, status: 'DENIED', decidedAt: at }
  await saveAnswer(tx, denied)
  await record(tx, at, [endedEvent(approvalDenied, denied, assetOf(asked.chain, card))])
  return denied
}

/** The approval with its card, both locked: the card first. One of another wallet's card does not exist. */
async function lockOwnApproval(tx: Tx, at: Date, { caller, id }: Answering) {
  const { cardId } = await ownApproval(tx, caller, id)
  const { walletAddress } = caller
  const card = await lockOwnCard(tx, at, { walletAddress, cardId, noun: 'approval' })
  // The wallet may have sold the card, and have it again.
  const isMine = (row: Approval) =>
    row.walletAddress === walletAddress && row.ownerNo === card.ownerNo
  const approval = await lockOwned(lockApproval(tx, id), isMine, 'approval')
  return { ...standingAt(approval, at), card }
}

/** The caller's approval. One of another wallet, or of a card outside the key's scope, does not exist. */
export async function ownApproval(on: Reader, caller: Caller, id: string): Promise<Approval> {
  const approval = await findApproval(on, id)
  if (approval?.walletAddress !== caller.walletAddress || !mayUseCard(caller, approval.cardId))
    throw notFound('approval')
  return approval
}

const ended = ({ status }: Approval, verb: string): Problem =>
  new Problem(
    'invalid_state',
    `The approval is ${status}; only one that is PENDING can be ${verb}. Repeat the payment to ask again.`,
  )
