import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { Card } from '../card.ts'
import {
  type Approval,
  asksPerson,
  type Consent,
  likeSince,
  NO_CONSENT,
  payeeKey,
} from '../consent.ts'
import { readMade } from '../decisions.ts'

const COLUMNS = sql.raw(
  `id, card_id, wallet_address, owner_no, kind, reason, rail, amount, merchants, mcc, request, decision_id, status, created_at,
   expires_at, decided_at, used_at, used_by, waives`,
)

/** The payees that a card keeps. Later ones are asked about each time. */
const PAYEES_MAX = 500

/**
 * The word of the owners of those cards whose payments depend on it, by card. The cards above a child are among `cards`. Read it after the cards: a word that is
 * given later changes the card.
 */
export async function readConsents(
  on: Reader,
  at: Date,
  cards: Iterable<Card>,
): Promise<Map<string, Consent>> {
  const rows = [...cards]
  const asking = new Set<string>(rows.filter((card) => asksPerson(card, at)).map(({ id }) => id))
  const needing = rows.filter(
    ({ id, ancestors }) => asking.has(id) || ancestors.some((above) => asking.has(above)),
  )
  if (needing.length === 0) return new Map()
  const ids = [...new Set(needing.flatMap(({ id, ancestors }) => [id, ...ancestors]))]
  const counting = rows.flatMap((card) => (card.maxLikePayments === null ? [] : card.id))
  const [approvals, payees, made] = await Promise.all([
    all<Approval>(
      on,
      sql`select ${COLUMNS} from card_approvals where card_id = any(${ids}::text[]) and expires_at > ${at}
        and status in ('PENDING', 'APPROVED', 'DENIED') order by created_at, id`,
    ),
    all<{ cardId: string; payee: string }>(
      on,
      sql`select p.card_id, p.payee from card_payees p join cards c on c.id = p.card_id and c.owner_no = p.owner_no
        where p.card_id = any(${ids}::text[])`,
    ),
    readMade(on, likeSince(at), counting),
  ])
  return new Map(
    needing.map(({ id, ancestors }) => [
      id,
      {
        approvals: approvals.filter(({ cardId }) => cardId === id),
        payees: new Set(
          payees
            .filter(({ cardId }) => cardId === id || ancestors.includes(cardId))
            .map(({ cardId, payee }) => payeeKey(cardId, payee)),
        ),
        made: new Map(
          [id, ...ancestors].flatMap((one) => {
            const found = made.get(one)
            return found ? [[one, found] as const] : []
          }),
        ),
      },
    ]),
  )
}

/** As `readConsents`, of one card with those above it. */
export const readConsent = async (
  on: Reader,
  at: Date,
  [card, ...parents]: readonly [Card, ...Card[]],
): Promise<Consent> => (await readConsents(on, at, [card, ...parents])).get(card.id) ?? NO_CONSENT

/** The statement that stores questions to owners, and grants that they gave unasked. Undefined when there are no rows. */
export function insertApprovalsStatement(
  rows: readonly Approval[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: Approval) => unknown) => rows.map(pick)
  return sql`insert into card_approvals (${COLUMNS})
    select id, card_id, wallet_address, owner_no, kind, reason, rail, amount,
      array(select jsonb_array_elements_text(merchants)), mcc, request, decision_id, status, created_at, expires_at, decided_at,
      used_at, used_by, case when waives is not null then array(select jsonb_array_elements_text(waives)) end
    from unnest(${column((r) => r.id)}::text[], ${column((r) => r.cardId)}::text[],
      ${column((r) => r.walletAddress)}::text[], ${column((r) => r.ownerNo)}::integer[],
      ${column((r) => r.kind)}::text[], ${column((r) => r.reason)}::text[], ${column((r) => r.rail)}::text[],
      ${column((r) => r.amount)}::numeric[], ${column((r) => JSON.stringify(r.merchants))}::jsonb[],
      ${column((r) => r.mcc)}::text[], ${column((r) => r.request)}::text[], ${column((r) => r.decisionId)}::text[], ${column((r) => r.status)}::text[],
      ${column((r) => r.createdAt)}::timestamptz[], ${column((r) => r.expiresAt)}::timestamptz[],
      ${column((r) => r.decidedAt)}::timestamptz[], ${column((r) => r.usedAt)}::timestamptz[],
      ${column((r) => r.usedBy)}::text[], ${column((r) => r.waives && JSON.stringify(r.waives))}::jsonb[])
      as a (id, card_id, wallet_address, owner_no, kind, reason, rail, amount, merchants, mcc, request, decision_id, status,
        created_at, expires_at, decided_at, used_at, used_by, waives)`
}

export async function insertApprovals(tx: Tx, rows: readonly Approval[]): Promise<void> {
  await insertApprovalsStatement(rows)?.execute(tx)
}

/** The approvals by which owners let these declined payments pass once, by decision. */
export async function allowedOnce(
  on: Reader,
  decisionIds: readonly string[],
): Promise<Map<string, string>> {
  if (decisionIds.length === 0) return new Map()
  const rows = await all<{ decisionId: string; id: string }>(
    on,
    sql`select decision_id, id from card_approvals where decision_id = any(${decisionIds}::text[])`,
  )
  return new Map(rows.map(({ decisionId, id }) => [decisionId, id]))
}

/** The grants that let these payments pass. */
export const grantsOf = (on: Reader, refs: readonly string[]): Promise<Approval[]> =>
  all<Approval>(on, sql`select ${COLUMNS} from card_approvals where used_by = any(${refs}::text[])`)

/** The payees that the card's present owner has approved, each since when; the first 500. */
export const approvedPayees = (
  on: Reader,
  card: Pick<Card, 'id' | 'ownerNo'>,
): Promise<{ payee: string; createdAt: Date }[]> =>
  all(
    on,
    sql<{ payee: string; createdAt: Date }>`select payee, created_at from card_payees
      where card_id = ${card.id} and owner_no = ${card.ownerNo} order by created_at`,
  )

/** A grant, and what it let pass: a settlement, a transaction or a stream. */
export type UsedGrant = { grant: Approval; ref: string }

/** The statement that uses grants up. If another transaction was first with one, the transaction runs again. */
export function useGrantsStatement(
  at: Date,
  used: readonly UsedGrant[],
): RawBuilder<unknown> | undefined {
  if (used.length === 0) return undefined
  return sql`with used as (
    update card_approvals a set status = 'USED', used_at = ${at}, used_by = u.ref
      from unnest(${used.map(({ grant }) => grant.id)}::text[], ${used.map(({ ref }) => ref)}::text[]) as u (id, ref)
      where a.id = u.id and a.status = 'APPROVED' and a.expires_at > ${at} returning 1)
    select refuse_stale((select count(*) from used) <> ${used.length}::bigint)`
}

export type KnownPayee = { cardId: string; ownerNo: number; payee: string }

/** The statement that remembers payees of cards, as many as a card keeps. */
export function insertPayeesStatement(
  at: Date,
  rows: readonly KnownPayee[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  return sql`insert into card_payees (card_id, owner_no, payee, created_at)
    select p.card_id, p.owner_no, p.payee, ${at}::timestamptz
    from unnest(${rows.map((r) => r.cardId)}::text[], ${rows.map((r) => r.ownerNo)}::integer[],
      ${rows.map((r) => r.payee)}::text[]) as p (card_id, owner_no, payee)
    where p.payee <> '' and (select count(*) from card_payees k
      where k.card_id = p.card_id and k.owner_no = p.owner_no) < ${PAYEES_MAX}::integer
    on conflict do nothing`
}

export const findApproval = (on: Reader, id: string): Promise<Approval | undefined> =>
  one<Approval>(on, sql`select ${COLUMNS} from card_approvals where id = ${id}`)

/** The grant that allowed this decline once, whatever has become of it. */
export const findAllowedOnce = (on: Reader, decisionId: string): Promise<Approval | undefined> =>
  one<Approval>(on, sql`select ${COLUMNS} from card_approvals where decision_id = ${decisionId}`)

export const lockApproval = (tx: Tx, id: string): Promise<Approval | undefined> =>
  one<Approval>(tx, sql`select ${COLUMNS} from card_approvals where id = ${id} for update`)

/** Stores the answer of an owner on a locked approval. */
export async function saveAnswer(
  tx: Tx,
  { id, status, expiresAt, decidedAt, waives }: Approval,
): Promise<void> {
  await sql`update card_approvals set status = ${status}, expires_at = ${expiresAt}, decided_at = ${decidedAt},
    waives = ${waives && [...waives]}::text[]
    where id = ${id}`.execute(tx)
}

export type ApprovalFilter = {
  /** The only cards a restricted key may see; null for all. */
  ids: readonly string[] | null
  cardId?: string | undefined
  status?: Approval['status'] | undefined
  after?: string | undefined
  limit: number
}

/** The wallet's approvals, newest first; one more than `limit` if there are more. An end that has passed counts. */
export const listApprovals = (
  on: Reader,
  at: Date,
  walletAddress: string,
  filter: ApprovalFilter,
): Promise<Approval[]> =>
  all<Approval>(
    on,
    sql`select ${COLUMNS} from card_approvals where wallet_address = ${walletAddress}
      and (${filter.ids}::text[] is null or card_id = any(${filter.ids}::text[]))
      and (${filter.cardId ?? null}::text is null or card_id = ${filter.cardId ?? null})
      and (${filter.status ?? null}::text is null or ${filter.status ?? null} =
        case when status in ('PENDING', 'APPROVED') and expires_at <= ${at} then 'EXPIRED' else status end)
      and (${filter.after ?? null}::text is null or id < ${filter.after ?? null})
      order by id desc limit ${filter.limit + 1}`,
  )

/** Marks up to 500 approvals EXPIRED whose time is up, and returns them. */
export const expireApprovals = (tx: Tx, at: Date): Promise<Approval[]> =>
  all<Approval>(
    tx,
    sql`update card_approvals set status = 'EXPIRED' where id in (
        select id from card_approvals where status in ('PENDING', 'APPROVED') and expires_at <= ${at}
        order by expires_at limit 500 for update skip locked)
      returning ${COLUMNS}`,
  )
