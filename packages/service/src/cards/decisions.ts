import { all, type RawBuilder, type Reader, sql, type Tx } from '../db/sql.ts'
import { newId } from '../kernel/ids.ts'
import type { Amount } from '../kernel/money.ts'
import { type Decision, inputsOf, type Spend } from './policy.ts'
import type { CardWithMoney } from './store.ts'

export type DecisionRecord = {
  card: CardWithMoney
  spend: Spend
  decision: Decision
  ref: string
  inputs: unknown
}
export type DecisionRow = {
  id: string
  allowed: boolean
  rule: string
  amount: Amount
  merchant: string
  mcc: string | null
  rail: string
  inputs: Record<string, unknown>
  ref: string
  createdAt: Date
}

/** What was decided, with the card as it stood then: call it before the counters move. */
export const decisionRecord = (
  at: Date,
  made: { card: CardWithMoney; spend: Spend; decision: Decision; ref: string },
): DecisionRecord => ({ ...made, inputs: inputsOf(made.card, at) })

/** Writes decisions, allow and deny alike, in the transaction that acts on them. */
export async function recordDecisions(tx: Tx, at: Date, made: DecisionRecord[]): Promise<void> {
  await insertDecisions(at, made)?.execute(tx)
}

export function insertDecisions(at: Date, made: DecisionRecord[]): RawBuilder<unknown> | undefined {
  if (made.length === 0) return undefined
  const column = (pick: (row: DecisionRecord) => unknown) => made.map(pick)
  return sql`insert into card_decisions (id, card_id, allowed, rule, amount, merchant, mcc, rail, inputs, ref, created_at)
    select *, ${at}::timestamptz from unnest(${column(() => newId('dec', at))}::text[],
      ${column((m) => m.card.id)}::text[], ${column((m) => m.decision.allowed)}::boolean[],
      ${column((m) => m.decision.rule)}::text[], ${column((m) => m.spend.amount)}::numeric[],
      ${column((m) => m.spend.merchants[0] ?? '')}::text[], ${column((m) => m.spend.mcc)}::text[],
      ${column((m) => m.spend.rail)}::text[], ${column((m) => JSON.stringify(m.inputs))}::jsonb[],
      ${column((m) => m.ref)}::text[])`
}

/** A card's decisions, newest first; one more than `limit`. */
export const listDecisions = (
  on: Reader,
  cardId: string,
  page: { after?: string | undefined; limit: number },
): Promise<DecisionRow[]> =>
  all<DecisionRow>(
    on,
    sql`select id, allowed, rule, amount, merchant, mcc, rail, inputs, ref, created_at from card_decisions
      where card_id = ${cardId} and (${page.after ?? null}::text is null or id < ${page.after ?? null})
      order by id desc limit ${page.limit + 1}`,
  )

/** What was decided on a card for these payments, oldest first. */
export const decisionsOn = (on: Reader, cardId: string, refs: string[]): Promise<DecisionRow[]> =>
  all<DecisionRow>(
    on,
    sql`select id, allowed, rule, amount, merchant, mcc, rail, inputs, ref, created_at from card_decisions
      where card_id = ${cardId} and ref = any(${refs}::text[]) order by id`,
  )
