import { all, count, one, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { firstId, type Id, newId } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Rail } from '../../base/protocols/rails.ts'
import type { CardWithMoney } from './card.ts'
import { type Made, payeeName } from './consent.ts'
import { type Around, type Decision, inputsOf, type Spend } from './policy.ts'
import { type Verdict, verdictOn } from './rules/draft.ts'
import { LIKE_MAX } from './rules/pace.ts'

export type DecisionRecord = {
  id: Id<'dec'>
  card: CardWithMoney
  spend: Spend
  decision: Decision
  ref: string
  inputs: unknown
  verdict: Verdict | undefined
}
export type DecisionRow = {
  id: string
  allowed: boolean
  rule: string
  amount: Amount
  merchant: string
  mcc: string | null
  rail: Rail
  inputs: Record<string, unknown>
  ref: string
  createdAt: Date
  merchants: string[]
  /** The verdict of the card's draft; null if it had none. */
  draftId: string | null
  draftSays: string | null
}

/**
 * The record of a decision, with the card's inputs and the verdict of its draft. Call it before the card's counters change.
 */
export const decisionRecord = (
  at: Date,
  made: Around & { card: CardWithMoney; spend: Spend; decision: Decision; ref: string },
): DecisionRecord => ({
  ...made,
  id: newId('dec', at),
  inputs: {
    ...inputsOf(made.card, at),
    ...askInputsOf(made.card),
    ...familyInputsOf(made.card, made.decision),
    ...(made.spend.isAgreed && { agreed: true }),
  },
  verdict: verdictOn(made.card, made.spend, { ...made, at }),
})

/** The controls that ask the owner, if the card has one: a settlement keeps the same inputs of every other card. */
const askInputsOf = ({ approvalAbove, approvalFirstMerchant }: CardWithMoney) =>
  approvalAbove === null && !approvalFirstMerchant
    ? {}
    : {
        approval_above: approvalAbove === null ? null : String(approvalAbove),
        approval_first_merchant: approvalFirstMerchant,
      }

/** The inputs that only a card with others above or below it has: what those below took, and the one above that refused. */
const familyInputsOf = ({ delegated }: CardWithMoney, decision: Decision) => ({
  ...(delegated > 0n && { delegated: String(delegated) }),
  ...(!decision.allowed && decision.parentId && { refused_by: decision.parentId }),
})

/** Stores allowed and denied decisions in the transaction that acts on them. */
export async function insertDecisions(tx: Tx, at: Date, made: DecisionRecord[]): Promise<void> {
  countDeclines(tx, made)
  await insertDecisionsStatement(at, made)?.execute(tx)
}

/** Counts what the cards' policies refused for the metrics of this process, if the transaction commits. */
export function countDeclines(tx: Tx, made: readonly DecisionRecord[]): void {
  for (const { decision, spend } of made) if (!decision.allowed) count(tx, `${spend.rail} declined`)
}

/** The statement of `insertDecisions`. Undefined when there are no rows. */
export function insertDecisionsStatement(
  at: Date,
  made: DecisionRecord[],
): RawBuilder<unknown> | undefined {
  if (made.length === 0) return undefined
  const column = (pick: (row: DecisionRecord) => unknown) => made.map(pick)
  return sql`insert into card_decision_rows (id, card_id, allowed, rule, amount, merchant, merchants, request,
      mcc, rail, inputs, ref, owner_no, draft_id, draft_says, created_at)
    select id, card_id, allowed, rule, amount, coalesce(merchants ->> 0, ''), array(select jsonb_array_elements_text(merchants)), request,
      mcc, rail, inputs, ref, owner_no, draft_id, draft_says, ${at}::timestamptz from unnest(${column((m) => m.id)}::text[],
      ${column((m) => m.card.id)}::text[], ${column((m) => m.decision.allowed)}::boolean[],
      ${column((m) => m.decision.rule)}::text[], ${column((m) => m.spend.amount)}::numeric[],
      ${column((m) => JSON.stringify(m.spend.merchants))}::jsonb[], ${column((m) => m.spend.request ?? '')}::text[],
      ${column((m) => m.spend.mcc)}::text[],
      ${column((m) => m.spend.rail)}::text[], ${column((m) => JSON.stringify(m.inputs))}::jsonb[],
      ${column((m) => m.ref)}::text[], ${column((m) => m.card.ownerNo)}::integer[],
      ${column((m) => m.verdict?.draftId)}::text[], ${column((m) => m.verdict?.says)}::text[])
      as m (id, card_id, allowed, rule, amount, merchants, request, mcc, rail, inputs, ref, owner_no, draft_id, draft_says)`
}

export const DECISION_COLUMNS = sql.raw(
  `id, allowed, rule, amount, merchant, merchants, mcc, rail, inputs, ref, created_at, draft_id, draft_says`,
)

/**
 * The decisions on a card for its owner, newest first; one more than `limit` if there are more. Decisions that allowed a
 * settlement are read from the settlement. Each kind is read along its index, and the newest of both are merged.
 */
export function listDecisions(
  on: Reader,
  { id: cardId, ownerNo, walletAddress }: Pick<CardWithMoney, 'id' | 'ownerNo' | 'walletAddress'>,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<DecisionRow[]> {
  const before = after ?? null
  // Ranges have the index read in order: from an equality the planner expects few rows, and sorts them all.
  const earlier =
    after === undefined
      ? sql`number_of(card_id) <= number_of(${cardId})`
      : sql`(number_of(card_id), ref) < (number_of(${cardId}), 'stl_' || substr(${after}, 5))`
  return all<DecisionRow>(
    on,
    sql`select * from (
      (select ${DECISION_COLUMNS} from card_decision_rows
        where card_id = ${cardId} and owner_no = ${ownerNo} and (${before}::text is null or id < ${before})
        order by id desc limit ${limit + 1})
      union all
      (select ${DECISION_COLUMNS} from card_settlement_decisions
        where (number_of(card_id), ref) >= (number_of(${cardId}), '') and ${earlier}
          and is_same(card_id, ${cardId}) and is_same(payer_wallet, ${walletAddress})
        order by number_of(card_id) desc, ref desc limit ${limit + 1})) d
      order by id desc limit ${limit + 1}`,
  )
}

/** The payments of each of these cards and of those below it since a time that their policy allowed, newest first. */
export async function readMade(
  on: Reader,
  since: Date,
  cardIds: readonly string[],
): Promise<Map<string, Made[]>> {
  const found = await Promise.all(
    cardIds.map(async (id): Promise<[string, Made[]]> => {
      const rows = await all<Pick<DecisionRow, 'amount' | 'merchants' | 'createdAt'>>(
        on,
        sql`select made.* from (
            select ${id} as id union all select id from cards where ancestors <> '{}' and ancestors @> array[${id}]::text[]
          ) c cross join lateral (
            select amount, merchants, created_at from card_decision_rows
              where card_id = c.id and id >= ${firstId('dec', since)} and allowed
            union all
            select amount, merchants, created_at from card_settlement_decisions
              where (number_of(card_id), ref) >= (number_of(c.id), ${firstId('stl', since)})
                and number_of(card_id) <= number_of(c.id) and is_same(card_id, c.id)
            order by created_at desc limit ${MADE_MAX}
          ) made order by created_at desc limit ${MADE_MAX}`,
      )
      return [
        id,
        rows.map((row) => ({ amount: row.amount, payee: payeeName(row), at: row.createdAt })),
      ]
    }),
  )
  return new Map(found)
}

/** Enough to find the like ones among other payments. */
const MADE_MAX = 20 * LIKE_MAX

/** A decline, as it can be allowed afterwards. */
export type DeclineRow = DecisionRow & {
  cardId: string
  ownerNo: number
  request: string
}

/** The decline of this id. */
export const findDecline = (on: Reader, id: string): Promise<DeclineRow | undefined> =>
  one<DeclineRow>(
    on,
    sql`select ${DECISION_COLUMNS}, card_id, owner_no, request from card_decision_rows
      where id = ${id} and not allowed`,
  )

/** Whether the card has a decision of this id. */
export async function hasDecision(on: Reader, cardId: string, id: string): Promise<boolean> {
  const row = await one<{ found: boolean }>(
    on,
    sql`select exists (select from card_decision_rows where card_id = ${cardId} and id = ${id})
      or exists (select from card_settlement_decisions where card_id = ${cardId} and id = ${id}
        and ref = 'stl_' || substr(${id}, 5)) as found`,
  )
  return row?.found === true
}

/** The decisions on a card for these payments, oldest first. */
export const decisionsOn = (on: Reader, cardId: string, refs: string[]): Promise<DecisionRow[]> =>
  all<DecisionRow>(
    on,
    sql`select ${DECISION_COLUMNS} from card_decisions
      where card_id = ${cardId} and ref = any(${refs}::text[]) order by id`,
  )
