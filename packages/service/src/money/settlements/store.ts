import { one, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import { packToken } from '../../base/protocols/ap2/jose/packed.ts'
import {
  findTransaction,
  lockTransactionRow,
  refundTransactionRow,
  type ShownTransaction,
  sidesOf,
} from '../cards/transactions.ts'
import type { CardSettlement } from './settlement.ts'

/**
 * The statement that writes settlements by cards, and so moves their money: the database posts them as one batch, refuses
 * what would overdraw, and seals the batch into a hash chain (`post_settlements`).
 */
export function insertCardSettlementsStatement(
  rows: readonly CardSettlement[],
): RawBuilder<unknown> | undefined {
  if (rows.length === 0) return undefined
  const kept = rows.map((row) => ({
    ...row,
    token:
      row.mandate && packToken(row.mandate.token, knownOf({ ...row, mandateId: row.mandate.id })),
  }))
  const column = (pick: (row: Kept) => unknown) => kept.map(pick)
  return sql`insert into settlements (xid, seq, id, pay_link_id, payer, amount, fee, payer_wallet, receiver_card_id,
      receiver_wallet, house_account, agreement_id, mandate_id, mandate_currency, mandate_amount, open_id, mandate,
      decided_on, protocol, network, asset, decimals, payer_account, receiver_account, fees_account, digest, created_at,
      settled_at, state, batch)
    select (select event_xid()), nextval('event_numbers'), r.id, r.pay_link_id, r.payer, r.amount, r.fee, r.payer_wallet,
      r.receiver_card_id, r.receiver_wallet, r.house_account, r.agreement_id, r.mandate_id, r.mandate_currency,
      r.mandate_amount, r.open_id, r.mandate, r.decided_on::json, r.protocol, r.network, r.asset, r.decimals,
      r.payer_account, r.receiver_account, r.fees_account, r.digest, r.created_at, r.created_at, 'settled',
      (select nextval('ledger_batch_ids'))
    from rows from (unnest(${column((r) => r.id)}::text[], ${column((r) => r.payLinkId)}::text[],
      ${column((r) => r.payer)}::text[], ${column((r) => r.amount)}::numeric[], ${column((r) => r.fee)}::numeric[],
      ${column((r) => r.payerWallet)}::text[], ${column((r) => r.receiverCardId)}::text[],
      ${column((r) => r.receiverWallet)}::text[], ${column((r) => r.houseAccount)}::text[],
      ${column((r) => r.agreementId)}::text[], ${column((r) => r.mandate?.id)}::text[],
      ${column((r) => r.mandate?.currency)}::text[], ${column((r) => r.mandate?.amount)}::bigint[],
      ${column((r) => r.mandate?.openId)}::text[], ${column((r) => r.token)}::bytea[],
      ${column((r) => r.protocol)}::text[], ${column((r) => r.network)}::text[], ${column((r) => r.asset)}::text[],
      ${column((r) => r.decimals)}::smallint[], ${column((r) => r.payerAccount)}::bigint[],
      ${column((r) => r.receiverAccount)}::bigint[], ${column((r) => r.feesAccount)}::bigint[],
      ${column(digestOf)}::bytea[], ${column((r) => r.createdAt)}::timestamptz[],
      ${column((r) => r.decidedOn)}::text[]))
      as r (id, pay_link_id, payer, amount, fee, payer_wallet, receiver_card_id, receiver_wallet, house_account,
        agreement_id, mandate_id, mandate_currency, mandate_amount, open_id, mandate, protocol, network, asset, decimals,
        payer_account, receiver_account, fees_account, digest, created_at, decided_on)`
}

/** The texts of a mandate that its settlement says in other columns. */
export const knownOf = (row: {
  payer: string
  receiverWallet: string | null
  mandateId: string
}): (string | null)[] => [row.payer, row.receiverWallet, row.mandateId]

/** A settlement with its mandate as the row has it. */
type Kept = CardSettlement & { token: Buffer | null }

/** The hash that the database function `settlement_fact` makes of the row. */
function digestOf({ mandate, token, ...of }: Kept): Buffer {
  const text = [
    ...[of.id, of.payLinkId, of.receiverCardId, of.receiverWallet, of.houseAccount, of.protocol],
    ...[of.payer, of.payerWallet, of.amount, of.fee, of.network, of.asset, of.decimals],
    ...[of.agreementId, mandate?.id, mandate?.currency, mandate?.amount, mandate?.openId],
    ...[of.decidedOn, of.createdAt.toISOString()],
    ...[of.payerAccount, of.receiverAccount, of.feesAccount],
  ]
    .map((part) => part ?? '-')
    .join('\n')
  return sha256(Buffer.concat([Buffer.from(text), token ?? Buffer.alloc(0)]))
}

/** The transaction, locked until the work ends. Both sides of a settlement by card are locked as one. */
export async function lockTransaction(tx: Tx, id: string): Promise<ShownTransaction | undefined> {
  await lockTransactionRow(tx, id)
  const settlements = sidesOf(id).map(({ settlementId }) => settlementId)
  await sql`select 1 from settlements where id = any(${settlements}::text[]) order by id for update`.execute(
    tx,
  )
  return findTransaction(tx, id)
}

/** Adds to what was refunded of a settled transaction. All of it makes it REFUNDED. */
export async function refundTransaction(
  tx: Tx,
  { id, ref }: Pick<ShownTransaction, 'id' | 'ref'>,
  by: Amount,
): Promise<void> {
  const side = sidesOf(id).find(({ settlementId }) => settlementId === ref)
  if (side === undefined) await refundTransactionRow(tx, id, by)
  // Both sides of a settlement read one number.
  else if (side.direction === 'received')
    await sql`update settlements set refunded = refunded + ${by} where id = ${ref}`.execute(tx)
}

/** The parties of a settlement by card. */
export type CardParties = Pick<
  CardSettlement,
  'payLinkId' | 'payer' | 'payerWallet' | 'protocol' | 'receiverWallet' | 'houseAccount'
>

/** The parties of a payment that a card made, to whomever; undefined for one that was made on chain. */
export const findCardParties = (on: Reader, id: string): Promise<CardParties | undefined> =>
  one<CardParties>(
    on,
    sql`select pay_link_id, payer, payer_wallet, protocol, receiver_wallet, house_account from settlements
      where id = ${id} and payer_wallet is not null`,
  )

export type PaidOnChain = Pick<CardSettlement, 'id' | 'asset'> & {
  state: 'settling' | 'settled' | 'failed'
  txHash: string | null
  settledAt: Date | null
}
/** The wallet's payment of a link from the chain, by the settlement's id or its transaction's hash. */
export const findPaidOnChain = (
  on: Reader,
  { wallet, name }: { wallet: string; name: string },
): Promise<PaidOnChain | undefined> =>
  one<PaidOnChain>(
    on,
    sql`select id, asset, state, tx_hash, settled_at from settlements
      where number_of(payer) = number_of(${wallet}) and is_same(payer, ${wallet}) and payer_wallet is null
        and (id = ${name} or tx_hash = ${name}) order by id desc limit 1`,
  )

/** The settlements as `s`, for a join in another room's statement. */
export const SETTLEMENTS = sql.raw('settlements s')

type Newest = { first: string; last: string; limit: number }

const newestOfLink = (linkId: RawBuilder<unknown>, { first, last, limit }: Newest) =>
  sql`select s.id as settlement_id from settlements s where s.pay_link_id is not null
    and (number_of(s.pay_link_id), s.id) >= (number_of(${linkId}), ${first})
    and (number_of(s.pay_link_id), s.id) <= (number_of(${linkId}), ${last}) and is_same(s.pay_link_id, ${linkId})
    order by number_of(s.pay_link_id) desc, s.id desc limit ${limit}`

/** The newest settlements of a link from the ids between these two: a statement of `settlement_id`. */
export const settlementsOfLink = (linkId: string, newest: Newest): RawBuilder<unknown> =>
  newestOfLink(sql`${linkId}`, newest)

/** The same of several links, a statement of `id`. */
export const settlementsOfLinks = (
  links: RawBuilder<unknown>,
  newest: Newest,
): RawBuilder<unknown> =>
  sql`select o.settlement_id from (${links}) l, lateral (${newestOfLink(sql.raw('l.id'), newest)}) o
    order by 1 desc limit ${newest.limit}`
