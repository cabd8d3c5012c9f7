import { countPayment, insertEventsStatement } from '../../api/events/record.ts'
import { type RawBuilder, send, type Tx } from '../../base/db/sql.ts'
import {
  insertApprovalsStatement,
  insertPayeesStatement,
  useGrantsStatement,
} from '../cards/approvals/store.ts'
import { countPaymentsStatement, lockCapsStatement } from '../cards/caps/store.ts'
import { countDeclines, insertDecisionsStatement } from '../cards/decisions.ts'
import {
  countDelegatedStatement,
  countMoneyStatement,
  lockUnchangedCardsStatement,
  saveCardsStatement,
} from '../cards/store.ts'
import type { SettleBatch } from './batch.ts'
import { insertCardSettlementsStatement } from './store.ts'

type Statements = readonly (RawBuilder<unknown> | undefined)[]

/**
 * Sends what the batch decided, one statement a table, and waits for no answer. Rows that other batches want too are
 * locked as late as can be, in one order: those of `payees`, the cards, those of `afterCards`, and the ledger's, which the
 * settlements themselves move. Settlements and events take their numbers after the locks of their subjects, so that `seq`
 * follows the order of the facts.
 */
export function writeBatch(
  tx: Tx,
  batch: SettleBatch,
  { payees = [], afterCards = [] }: { payees?: Statements; afterCards?: Statements } = {},
): void {
  const { at, settled } = batch
  for (const { settlement } of settled)
    countPayment(tx, { rail: settlement.protocol, outcome: 'settled' })
  countDeclines(tx, batch.decisions)
  const sendAll = (...statements: Statements) => {
    for (const statement of statements) send(tx, statement)
  }
  sendAll(insertDecisionsStatement(at, batch.decisions))
  if (settled.length > 0) sendAll(...payees)
  sendAll(
    lockCardsStatement(batch),
    saveCardsStatement(pick(batch.cards, batch.exact)),
    lockCapsStatement([...batch.payments.keys()]),
    countMoneyStatement(countedMoney(batch)),
    countDelegatedStatement(countedDelegated(batch)),
    countPaymentsStatement(at, batch.payments),
    insertApprovalsStatement(batch.asked),
    useGrantsStatement(at, batch.used),
    insertPayeesStatement(at, batch.payees),
  )
  if (settled.length > 0) sendAll(...afterCards)
  sendAll(
    insertCardSettlementsStatement(settled.map(({ settlement }) => settlement)),
    insertEventsStatement(at, batch.events),
  )
}

type Money = Parameters<typeof countMoneyStatement>[0][number]

/**
 * The amounts that the batch adds to the counters of cards not saved whole, and the terms on which each payer spent.
 */
function countedMoney({ settled, exact, payers, rows }: SettleBatch): Money[] {
  const counted = new Map<string, Money>()
  const add = (id: string, spent: bigint, received: bigint): void => {
    if (exact.has(id)) return
    const before = counted.get(id)
    const card = payers.has(id) ? rows.seen?.get(id) : undefined
    counted.set(id, {
      id,
      terms: card?.terms,
      ...(rows.isRemembered && { seen: card }),
      spent: (before?.spent ?? 0n) + spent,
      received: (before?.received ?? 0n) + received,
    })
  }
  for (const { payer, settlement } of settled) {
    add(payer.id, settlement.amount, 0n)
    if (settlement.receiverCardId !== null)
      add(settlement.receiverCardId, 0n, settlement.amount - settlement.fee)
  }
  return [...counted.values()]
}

/**
 * If a card must be as it was read, or if it declined, all cards of the batch are locked here, so that they are locked in
 * one order. A decline is an event of its card, so its reason must hold when the card is locked.
 */
function lockCardsStatement(batch: SettleBatch): RawBuilder<unknown> | undefined {
  const { seen } = batch.rows
  const { exact, declined, delegated, payments } = batch
  if (!seen || exact.size + declined.size + delegated.size + payments.size === 0) return undefined
  const decided = new Set([...declined, ...delegated.keys(), ...aboveOf(pick(seen, declined))])
  return lockUnchangedCardsStatement({
    same: pick(seen, exact),
    sameTerms: pick(seen, decided),
    others: countedMoney(batch).map(({ id }) => id),
  })
}

const aboveOf = (cards: readonly { ancestors: string[] }[]): string[] =>
  cards.flatMap(({ ancestors }) => ancestors)

/** The amounts to add to the cards above those that paid, but those that are saved whole. */
const countedDelegated = ({ delegated, exact }: SettleBatch) =>
  [...delegated].filter(([id]) => !exact.has(id)).map(([id, amount]) => ({ id, amount }))

/** The rows under these keys, as far as there are any. */
export const pick = <V>(from: ReadonlyMap<string, V>, keys: ReadonlySet<string>): V[] =>
  [...keys].map((key) => from.get(key)).filter((value) => value !== undefined)
