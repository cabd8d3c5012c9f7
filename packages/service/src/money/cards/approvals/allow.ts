import { record } from '../../../api/events/record.ts'
import { type Caller, checkKeyAmount, mayUseCard } from '../../../api/http/caller.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import { addHours } from '../../../base/kernel/clock.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, most, plus } from '../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { type Assets, assetOf } from '../../../chain/client/rails.ts'
import { countLocked } from '../caps/store-counters.ts'
import type { CardWithMoney } from '../card.ts'
import type { Approval } from '../consent.ts'
import { changeControls } from '../controls/change.ts'
import { lockOwnCard } from '../controls/own-card.ts'
import { type DeclineRow, findDecline } from '../decisions.ts'
import type { RuleChange } from '../rules/rules.ts'
import { saveGrantsUntil } from '../store.ts'
import { countedAt } from '../windows.ts'
import { notAbove, waivedBy } from './answer.ts'
import { approvedEvent } from './ask.ts'
import { type RaisedLimit, type Remedy, remediesOf } from './remedies.ts'
import { findAllowedOnce, insertApprovals, insertPayeesStatement } from './store.ts'

/** An agent may try again long after its owner has seen the decline. */
const ALLOWED_ONCE_HOURS = 24

export type Allowing = { caller: Caller; decisionId: string; chain: Assets }
export type Allowed = { card: CardWithMoney; approval?: Approval; raised?: Raised }
type Raised = { limit: RaisedLimit; to: Amount }

/**
 * Lets exactly the declined payment pass once: whatever controls of the card refuse it, and of the cards above that the caller may use. No grant moves money that is not
 * on the card, nor that of a card that may not spend. Allowing a decline again gives the same grant, also once it is used.
 */
export async function allowOnce(tx: Tx, at: Date, asked: Allowing): Promise<Allowed> {
  const { row, card, asset } = await lockDecline(tx, at, asked)
  remedyOf(row, 'allow_once')
  const { refused_by: above } = row.inputs
  if (typeof above === 'string' && !mayUseCard(asked.caller, above)) throw notAbove()
  checkKeyAmount(asked.caller, row.amount, asset)
  const earlier = await findAllowedOnce(tx, row.id)
  if (earlier) return { card, approval: earlier }
  const approval: Approval = {
    id: newId('apr', at),
    cardId: card.id,
    walletAddress: card.walletAddress,
    ownerNo: card.ownerNo,
    kind: 'allowed_once',
    reason: row.rule,
    rail: row.rail,
    amount: row.amount,
    merchants: row.merchants,
    mcc: row.mcc,
    request: row.request,
    waives: waivedBy(asked.caller, card),
    decisionId: row.id,
    status: 'APPROVED',
    createdAt: at,
    expiresAt: addHours(at, ALLOWED_ONCE_HOURS),
    decidedAt: at,
    usedAt: null,
    usedBy: null,
  }
  await insertApprovals(tx, [approval])
  await saveGrantsUntil(tx, card.id, approval.expiresAt)
  await record(tx, at, [approvedEvent(approval, asset)])
  return { card, approval }
}

/** Lets the card pay this payee from now on, as far as its other controls allow. */
export async function allowPayee(tx: Tx, at: Date, asked: Allowing): Promise<Allowed> {
  const { row, card } = await lockDecline(tx, at, asked)
  const { payee } = remedyOf(row, 'allow_payee')
  await insertPayeesStatement(at, [{ cardId: card.id, ownerNo: card.ownerNo, payee }])?.execute(tx)
  const { allowedMerchants } = card
  if (allowedMerchants.length === 0 || allowedMerchants.includes(payee)) return { card }
  const changed = await changeControls(tx, at, {
    ...mineOf(asked, card),
    changeOf: (now) => ({ allowedMerchants: withPayee(now.allowedMerchants, payee) }),
  })
  return { card: changed }
}

/** Raises the limit that refused the payment, so far that it would pass now. A limit that is higher by now stays. */
export async function raiseLimit(tx: Tx, at: Date, asked: Allowing): Promise<Allowed> {
  const { row, card, asset } = await lockDecline(tx, at, asked)
  const { limit } = remedyOf(row, 'raise_limit')
  checkKeyAmount(asked.caller, row.amount, asset)
  const raised = raisedOn(countedAt(card, at), { limit, amount: row.amount })
  if (!raised) return { card }
  const changed = await changeControls(tx, at, {
    ...mineOf(asked, card),
    changeOf: () => raised.change,
  })
  return { card: changed, raised: { limit, to: raised.to } }
}

/** The change that lets the amount pass; undefined for a limit that was taken away meanwhile. */
function raisedOn(
  card: CardWithMoney,
  { limit, amount }: { limit: RaisedLimit; amount: Amount },
): { change: RuleChange; to: Amount } | undefined {
  if (limit === 'max_transaction' || limit === 'approval_above') {
    const field = limit === 'max_transaction' ? 'maxTransaction' : 'approvalAbove'
    const now = card[field]
    if (now === null) return undefined
    const to = most(now, amount)
    return { change: { [field]: to }, to }
  }
  const window = CARD_LIMITS.find(({ name }) => name === limit)
  const now = window && card[window.field]
  if (!window || now === null || now === undefined) return undefined
  const to = most(now, plus(card[window.used], amount))
  return { change: { [window.field]: to }, to }
}

/** The list of allowed merchants holds a hundred names. */
const MERCHANTS_MAX = 100

function withPayee(allowed: string[], payee: string): string[] {
  if (allowed.length < MERCHANTS_MAX) return [...allowed, payee]
  throw new Problem(
    'limit_reached',
    `The card allows ${MERCHANTS_MAX} merchants already. Take one off its list first.`,
  )
}

const mineOf = ({ caller }: Allowing, card: CardWithMoney) => ({
  walletAddress: caller.walletAddress,
  cardId: card.id,
})

function remedyOf<A extends Remedy['action']>(
  row: DeclineRow,
  action: A,
): Extract<Remedy, { action: A }> {
  const remedies = remediesOf(row)
  const found = remedies.find((one) => one.action === action)
  if (found) return found as Extract<Remedy, { action: A }>
  const others = remedies.map((one) => one.action).join(', ') || 'none'
  throw new Problem(
    'invalid_state',
    `A decline by ${row.rule} cannot be mended so. What would help: ${others}.`,
  )
}

/** The decline and its card, locked. One of another wallet's card does not exist. */
export async function lockDecline(
  tx: Tx,
  at: Date,
  { caller, decisionId, chain }: Allowing,
): Promise<{ row: DeclineRow; card: CardWithMoney; asset: Asset }> {
  const row = await findOwnDecline(tx, caller, decisionId)
  const { walletAddress } = caller
  const own = await lockOwnCard(tx, at, { walletAddress, cardId: row.cardId, noun: 'decision' })
  const [card = own] = await countLocked(tx, at, [own])
  if (row.ownerNo !== card.ownerNo) throw notFound('decision')
  return { row, card, asset: assetOf(chain, card) }
}

async function findOwnDecline(on: Reader, caller: Caller, id: string): Promise<DeclineRow> {
  const row = await findDecline(on, id)
  if (!row || !mayUseCard(caller, row.cardId)) throw notFound('decision')
  return row
}
