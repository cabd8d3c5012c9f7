import { all, json, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import { firstId } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import type { CardWithMoney, StoredDraft } from '../card.ts'
import { DECISION_COLUMNS, type DecisionRow } from '../decisions.ts'

/** Stores the draft of a locked card; null takes it away. */
export async function saveDraft(tx: Tx, cardId: string, draft: StoredDraft | null): Promise<void> {
  await sql`update cards set draft = ${draft && json(draft)}::jsonb where id = ${cardId}`.execute(
    tx,
  )
}

type Owned = Pick<CardWithMoney, 'id' | 'ownerNo' | 'walletAddress'>
/** The decisions with ids from `first` on and before `end`, the oldest so many. */
export type Span = { first: string; end: string; limit: number }

/** The ids of decisions that were made from one moment to another, both included. */
export const idsBetween = (from: Date, until: Date) => ({
  first: firstId('dec', from),
  end: firstId('dec', new Date(until.getTime() + 1)),
})

/** The first id after this one. */
export const afterId = (id: string): string => `${id}0`

/**
 * The decisions on a card while it was its present owner's, oldest first. As `listDecisions`, each kind is read along its index, and
 * the oldest of both are merged.
 */
const pastDecisions = (
  { id: cardId, ownerNo, walletAddress }: Owned,
  { first, end, limit }: Span,
): RawBuilder<unknown> => sql`
  (select * from (
    (select ${DECISION_COLUMNS} from card_decision_rows
      where card_id = ${cardId} and owner_no = ${ownerNo} and id >= ${first} and id < ${end}
      order by id limit ${limit})
    union all
    (select ${DECISION_COLUMNS} from card_settlement_decisions
      where (number_of(card_id), ref) >= (number_of(${cardId}), 'stl_' || substr(${first}, 5))
        and (number_of(card_id), ref) < (number_of(${cardId}), 'stl_' || substr(${end}, 5))
        and is_same(card_id, ${cardId}) and is_same(payer_wallet, ${walletAddress})
      order by number_of(card_id), ref limit ${limit})) d
    order by id limit ${limit})`

export const readPast = (on: Reader, card: Owned, span: Span): Promise<DecisionRow[]> =>
  all<DecisionRow>(on, sql<DecisionRow>`${pastDecisions(card, span)}`)

/** So many decisions with one outcome, of which the draft said one thing. */
export type VerdictCount = {
  allowed: boolean
  rule: string
  says: string
  payments: bigint
  amount: Amount
}

export const countVerdicts = (
  on: Reader,
  card: Owned,
  of: Span & { draftId: string },
): Promise<VerdictCount[]> =>
  all<VerdictCount>(
    on,
    sql`select allowed, rule, draft_says as says, count(*) as payments, sum(amount) as amount
      from ${pastDecisions(card, of)} p where draft_id = ${of.draftId} group by 1, 2, 3 order by 1, 2, 3`,
  )

/** The first decisions that the draft would have made otherwise. */
export const firstDiffering = (
  on: Reader,
  card: Owned,
  of: Span & { draftId: string; shown: number },
): Promise<DecisionRow[]> =>
  all<DecisionRow>(
    on,
    sql`select * from ${pastDecisions(card, of)} p
      where draft_id = ${of.draftId} and draft_says <> 'not_judged' and allowed <> (draft_says = 'allowed')
      order by id limit ${of.shown}`,
  )
