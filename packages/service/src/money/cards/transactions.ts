import type { PaymentFailure } from '../../api/events/types/payments.ts'
import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import { firstId, type Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Rail } from '../../base/protocols/rails.ts'
import type { CardStatus } from './card.ts'
import { cardsBoughtBy } from './owners/store.ts'
import { REFUNDS } from './refunds/store.ts'

export const TRANSACTION_STATUSES = ['PENDING', 'SETTLED', 'FAILED', 'REFUNDED', 'UNKNOWN'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]
export const DIRECTIONS = ['sent', 'received'] as const
/**
 * One side of a payment, as its card sees it. `amount` is the sum that the card gave (fee included) or gained (net).
 * Both sides of a link's settlement by card are read from the settlement (`card_settlement_sides`); every other side
 * has its own row.
 */
export type CardTransaction = {
  id: Id<'txn'>
  cardId: string
  walletAddress: string
  direction: (typeof DIRECTIONS)[number]
  amount: Amount
  fee: Amount
  merchant: string
  protocol: Rail
  status: TransactionStatus
  network: string
  asset: string
  /** The contract of the asset, and its decimals, if the money is not on the books: a payment to a DIRECT card. */
  token: string | null
  tokenDecimals: number | null
  txHash: string | null
  refunded: Amount
  /** The settlement or payment that both sides share. */
  ref: string
  memo: string
  createdAt: Date
  settledAt: Date | null
}
/** A refund's entry names the transaction that was given back, and the fee of the payment, which the house keeps. */
type OfRefund = { refundOf: string; feeKept: Amount } | { refundOf: null; feeKept: null }
export type ShownTransaction = CardTransaction &
  OfRefund & { cardPurpose: string; cardStatus: CardStatus }
export type NewTransaction = Omit<CardTransaction, 'refunded' | 'token' | 'tokenDecimals'> &
  Partial<Pick<CardTransaction, 'token' | 'tokenDecimals'>>

export async function insertTransactions(tx: Tx, rows: NewTransaction[]): Promise<void> {
  await insertTransactionsStatement(rows)?.execute(tx)
}

/** The statement of `insertTransactions`. Undefined when there are no rows. */
export function insertTransactionsStatement(
  rows: NewTransaction[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const column = (pick: (row: NewTransaction) => unknown) => rows.map(pick)
  return sql`insert into card_transaction_rows (id, card_id, wallet_address, direction, amount, fee, merchant, protocol,
      status, network, asset, token, token_decimals, tx_hash, ref, memo, created_at, settled_at)
    select * from unnest(${column((r) => r.id)}::text[], ${column((r) => r.cardId)}::text[],
      ${column((r) => r.walletAddress)}::text[], ${column((r) => r.direction)}::text[],
      ${column((r) => r.amount)}::numeric[], ${column((r) => r.fee)}::numeric[], ${column((r) => r.merchant)}::text[],
      ${column((r) => r.protocol)}::text[], ${column((r) => r.status)}::text[], ${column((r) => r.network)}::text[],
      ${column((r) => r.asset)}::text[], ${column((r) => r.token ?? null)}::text[],
      ${column((r) => r.tokenDecimals ?? null)}::integer[], ${column((r) => r.txHash)}::text[],
      ${column((r) => r.ref)}::text[],
      ${column((r) => r.memo)}::text[], ${column((r) => r.createdAt)}::timestamptz[],
      ${column((r) => r.settledAt)}::timestamptz[])`
}

type Ending = {
  status: TransactionStatus
  txHash?: string | null
  settledAt?: Date | null
  failure?: Failure
}
/** The reason and the time of a failed payment. */
export type Failure = { reason: PaymentFailure; at: Date }

/** Ends a PENDING or UNKNOWN transaction. Returns false if it had already ended. */
export async function endTransaction(tx: Tx, id: string, ending: Ending): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update card_transaction_rows set status = ${ending.status}, tx_hash = coalesce(${ending.txHash ?? null}, tx_hash),
      settled_at = coalesce(${ending.settledAt ?? null}, settled_at), failure = ${ending.failure?.reason ?? null},
      failed_at = ${ending.failure?.at ?? null}
      where id = ${id} and status in ('PENDING', 'UNKNOWN')`,
  )
  return changed === 1
}

/** Stores how much of what was held a payment took in the end. */
export async function saveTransactionAmount(
  tx: Tx,
  id: string,
  { amount, fee }: { amount: Amount; fee: Amount },
): Promise<void> {
  await sql`update card_transaction_rows set amount = ${amount}, fee = ${fee}
    where id = ${id} and status in ('PENDING', 'UNKNOWN')`.execute(tx)
}

/** Adds to the refunded amount of a transaction with its own row. A full refund makes it REFUNDED. */
export async function refundTransactionRow(tx: Tx, id: string, by: Amount): Promise<void> {
  await sql`update card_transaction_rows set refunded = refunded + ${by},
    status = case when refunded + ${by} = amount then 'REFUNDED' else status end where id = ${id}`.execute(
    tx,
  )
}

/** Rewrites the end of a transaction after the chain or a refund changed it. */
export async function saveTransactionStanding(
  tx: Tx,
  id: string,
  standing: { txHash: string | null } & (
    | { status: 'SETTLED' | 'REFUNDED'; failure?: undefined }
    | { status: 'FAILED'; failure: Failure }
  ),
): Promise<void> {
  const { status, txHash, failure } = standing
  await sql`update card_transaction_rows set status = ${status}, tx_hash = ${txHash},
      failure = ${failure?.reason ?? null}, failed_at = ${failure?.at ?? null}
    where id = ${id}`.execute(tx)
}

/** The reason and the time of a transaction's failure; undefined if it has not failed. */
export const findFailure = (on: Reader, id: string): Promise<Failure | undefined> =>
  one<Failure>(
    on,
    sql`select failure as reason, failed_at as at from card_transaction_rows
      where id = ${id} and failure is not null`,
  )

type Side = { settlementId: Id<'stl'>; direction: CardTransaction['direction'] }

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/**
 * The same as the database function of that name: moves an id's last character 16 places on. Applied twice, it gives
 * the id back.
 */
const otherSide = (tail: string): string =>
  tail.slice(0, 25) + (ALPHABET[(ALPHABET.indexOf(tail[25] ?? '') + 16) % 32] ?? '')

/** The id of the payer card's transaction for this settlement. */
export const sentIdOf = (settlementId: Id<'stl'>): Id<'txn'> => `txn_${settlementId.slice(4)}`

/** The id of the receiver card's transaction for this settlement. */
export const receivedIdOf = (settlementId: Id<'stl'>): Id<'txn'> =>
  `txn_${otherSide(settlementId.slice(4))}`

/** Ids of earlier versions had one more letter. */
const SIDE = /^txn_([0-9a-hjkmnp-tv-z]{26})([sr]?)$/

/** The sides of settlements that may have this id. The ids of most transactions with their own rows match none. */
export function sidesOf(id: string): Side[] {
  const [, tail, letter] = SIDE.exec(id) ?? []
  if (tail === undefined) return []
  if (letter)
    return [{ settlementId: `stl_${tail}`, direction: letter === 's' ? 'sent' : 'received' }]
  return [
    { settlementId: `stl_${tail}`, direction: 'sent' },
    { settlementId: `stl_${otherSide(tail)}`, direction: 'received' },
  ]
}

/** The side of whoever paid: what it sent, and what came back of that. */
const PAYERS = sql.raw(`(t.direction = 'sent') = (t.refund_of is null)`)
/** A card takes along what it received: a row keeps the wallet of its time, and is shown to the card's owner. */
const OWNER = sql`case when ${PAYERS} then t.wallet_address else c.wallet_address end`
/** The card's state, unless another wallet has it by now: for the wallet that spent with it, it is gone. */
const STATUS = sql`case when ${PAYERS} and t.wallet_address <> c.wallet_address then 'CLOSED' else c.status end`

/** The transactions of a source as they are shown; `t` in what is joined to it. */
export const shownFrom = (source: RawBuilder<unknown>): RawBuilder<ShownTransaction> =>
  sql`select t.id, t.card_id, ${OWNER} as wallet_address, t.direction, t.amount, t.fee, t.merchant, t.protocol, t.status,
    t.network, t.asset, t.token, t.token_decimals, t.tx_hash, t.refunded, t.ref, t.memo, t.created_at, t.settled_at,
    t.refund_of, t.fee_kept, c.purpose as card_purpose, ${STATUS} as card_status
  from ${source} t join cards c on c.id = t.card_id`
/** The rows as `t`, for a join in another room's statement. */
export const TRANSACTION_ROWS = sql.raw('card_transaction_rows t')
const paymentsIn = (view: string) =>
  sql.raw(`(select *, null::text as refund_of, null::numeric(78, 0) as fee_kept from ${view})`)
export const ROWS = paymentsIn('card_transaction_rows')
export const SENT = paymentsIn('card_settlements_sent')
export const RECEIVED = paymentsIn('card_settlements_received')

export async function findTransaction(
  on: Reader,
  id: string,
): Promise<ShownTransaction | undefined> {
  const sides = sidesOf(id)
  const idsOf = (direction: Side['direction']) =>
    sides.filter((side) => side.direction === direction).map(({ settlementId }) => settlementId)
  const rows = sql<ShownTransaction>`${shownFrom(ROWS)} where t.id = ${id}
    union all ${shownFrom(REFUNDS)} where t.id = ${id}`
  if (sides.length === 0) return one<ShownTransaction>(on, rows)
  return one<ShownTransaction>(
    on,
    sql<ShownTransaction>`${rows} union all ${shownFrom(SENT)} where t.settlement_id = any(${idsOf('sent')}::text[])
      union all ${shownFrom(RECEIVED)} where t.settlement_id = any(${idsOf('received')}::text[]) limit 1`,
  )
}

/** Both sides of a payment, the payer's first. */
export const transactionsOf = (on: Reader, ref: string): Promise<ShownTransaction[]> =>
  all<ShownTransaction>(
    on,
    sql`${shownFrom(paymentsIn('card_transactions'))} where t.ref = ${ref} order by t.direction desc`,
  )

/** The transactions that this one on the chain paid, the newest first. */
export const transactionsByHash = (on: Reader, txHash: string): Promise<ShownTransaction[]> =>
  all<ShownTransaction>(on, sql`${shownFrom(ROWS)} where t.tx_hash = ${txHash} order by t.id desc`)

/** Locks the transaction's own row, if it has one. */
export async function lockTransactionRow(tx: Tx, id: string): Promise<void> {
  await sql`select 1 from card_transaction_rows where id = ${id} for update`.execute(tx)
}

export type TransactionFilter = {
  walletAddress: string
  cardId?: string | undefined
  cardIds?: readonly string[] | null | undefined
  status?: string | undefined
  direction?: string | undefined
  protocol?: string | undefined
  /** Made at this time or later, and before that one. */
  since?: Date | undefined
  before?: Date | undefined
  after?: string | undefined
  limit: number
}

/** The conditions of a filter on what a transaction `t` is, each with its `and`. */
export function askedOf(filter: TransactionFilter): RawBuilder<unknown> {
  const is = (column: string, value: unknown) =>
    value === undefined ? sql`` : sql`and ${sql.raw(column)} = ${value}`
  return sql`${is('t.status', filter.status)} ${is('t.protocol', filter.protocol)}
      ${is('t.direction', filter.direction)}
      ${filter.cardIds ? sql`and t.card_id = any(${filter.cardIds}::text[])` : sql``}`
}

/** The conditions of a filter on the id of a transaction `t`, which begins with the time at which it was made. */
export function pagedBy({ after, since, before }: TransactionFilter): RawBuilder<unknown> {
  return sql`${after === undefined ? sql`` : sql`and t.id < ${after}`}
    ${since === undefined ? sql`` : sql`and t.id >= ${firstId('txn', since)}`}
    ${before === undefined ? sql`` : sql`and t.id < ${firstId('txn', before)}`}`
}

/**
 * A wallet's transactions, newest first; one more than `limit` if there are more. Transactions with their own rows,
 * settlements as sent and settlements as received are each read along an index, then merged.
 */
export function listTransactions(
  on: Reader,
  filter: TransactionFilter,
): Promise<ShownTransaction[]> {
  const { after, limit, cardId, walletAddress } = filter
  const wanted = askedOf(filter)
  const isShown = sql`(${PAYERS} and t.wallet_address = ${walletAddress} or not (${PAYERS})
      and exists (select from cards c where c.id = t.card_id and c.wallet_address = ${walletAddress}))`
  const { since, before } = filter
  const page = sql`${isShown} ${pagedBy(filter)} ${wanted} order by t.id desc limit ${limit + 1}`
  const columns = sql.raw(COLUMNS_SHOWN)
  const rowsOf = (source: RawBuilder<unknown>, owned: RawBuilder<unknown>) =>
    sql`(select ${columns} from ${source} t where ${owned} and ${page})`
  const isOwn =
    cardId === undefined ? sql`t.wallet_address = ${walletAddress}` : sql`t.card_id = ${cardId}`
  // Ranges of two columns: without statistics the planner expects many rows from a range, so it reads the index in
  // order and stops after one page. From an equality it expects few rows, and sorts them all.
  // A side's id differs from its settlement's only in the last character, so the index is read from just above it.
  const last = after === undefined ? undefined : `stl_${after.slice(4, 29)}z`
  const first = since === undefined ? '' : firstId('stl', since)
  const sides = ({ view, by, owned, and = sql`` }: Sided) =>
    sql`(select ${columns} from ${view} t where (number_of(${by}), t.settlement_id) >= (number_of(${owned}), ${first})
      ${before === undefined ? sql`` : sql`and (number_of(${by}), t.settlement_id) < (number_of(${owned}), ${firstId('stl', before)})`}
      and ${after === undefined ? sql`number_of(${by}) <= number_of(${owned})` : sql`(number_of(${by}), t.settlement_id) <= (number_of(${owned}), ${last}) and t.id < ${after}`}
      and is_same(${by}, ${owned}) and is_same(t.wallet_address, ${walletAddress}) ${and} ${wanted}
      order by number_of(${by}) desc, t.settlement_id desc limit ${limit + 1})`
  const [sentBy, receivedBy] = cardId === undefined ? BY_WALLET : BY_CARD
  const owned = sql`${cardId ?? walletAddress}`
  const sent = sides({ view: SENT, by: sentBy, owned })
  const received = sides({ view: RECEIVED, by: receivedBy, owned })
  // A wallet has what a card received before the wallet bought it.
  const others = { view: RECEIVED, by: BY_CARD[1], owned: sql.raw('b.card_id') }
  const isOfAll = cardId === undefined
  const boughtSides = isOfAll
    ? [
        sql`select p.* from ${cardsBoughtBy(walletAddress)} b,
          lateral ${sides({ ...others, and: sql`and t.received_by <> ${walletAddress}` })} p`,
      ]
    : []
  const boughtRows = (source: RawBuilder<unknown>) =>
    sql`select p.* from ${cardsBoughtBy(walletAddress)} b, lateral ${rowsOf(
      source,
      sql`t.card_id = b.card_id and not (${PAYERS}) and t.wallet_address <> ${walletAddress}`,
    )} p`
  // A payment that settled within the books is in no other state, so a rare state is not looked for among all of them.
  const { status, direction } = filter
  const isInBooks = status === undefined || status === 'SETTLED' || status === 'REFUNDED'
  const parts = [
    rowsOf(ROWS, isOwn),
    ...(status === undefined || status === 'SETTLED' ? [rowsOf(REFUNDS, isOwn)] : []),
    ...(isInBooks && direction !== 'received' ? [sql`select ${columns} from ${sent} as t`] : []),
    ...(isInBooks && direction !== 'sent' ? [sql`select ${columns} from ${received} as t`] : []),
    ...(isInBooks && direction !== 'sent' ? boughtSides : []),
    ...(isOfAll && direction !== 'sent' ? [boughtRows(ROWS)] : []),
    ...(isOfAll && direction !== 'received' ? [boughtRows(REFUNDS)] : []),
  ]
  return all<ShownTransaction>(
    on,
    sql`${shownFrom(sql`(${sql.join(parts, sql` union all `)} offset 0)`)} order by t.id desc limit ${limit + 1}`,
  )
}

const BY_WALLET = [sql.raw('t.wallet_address'), sql.raw('t.received_by')] as const
const BY_CARD = [sql.raw('t.card_id'), sql.raw('t.card_id')] as const
type Sided = {
  view: RawBuilder<unknown>
  /** The column that says whose the sides are, and whose are wanted. */
  by: RawBuilder<unknown>
  owned: RawBuilder<unknown>
  and?: RawBuilder<unknown>
}

export const COLUMNS_SHOWN = `t.id, t.card_id, t.wallet_address, t.direction, t.amount, t.fee, t.merchant, t.protocol, t.status, t.network,
  t.asset, t.token, t.token_decimals, t.tx_hash, t.refunded, t.ref, t.memo, t.created_at, t.settled_at, t.refund_of, t.fee_kept`

/** A condition for another room's statement: nobody knows yet how the transaction of this id, a column, ended. */
export const isUnknown = (id: string): RawBuilder<boolean> =>
  sql`exists (select from card_transaction_rows t where t.id = ${sql.ref(id)} and t.status = 'UNKNOWN')`
