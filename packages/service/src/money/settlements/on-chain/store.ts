import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { hasJob } from '../../../base/jobs/queue.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { LinkSettlement } from '../settlement.ts'

const COLUMNS =
  sql.raw(`id, pay_link_id, protocol, payer, amount, fee, network, asset, state, reason, auth_nonce,
  from_block, tx_hash, is_swept, created_at, settled_at`)

/** Writes the settlements that are new; returns the ids written. One that exists for the same authorization stays. */
export async function insertSettlements(
  tx: Tx,
  rows: readonly LinkSettlement[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const column = (pick: (row: LinkSettlement) => unknown) => rows.map(pick)
  const written = await all<{ id: string }>(
    tx,
    sql`with given as (select * from unnest(${column((r) => r.id)}::text[], ${column((r) => r.payLinkId)}::text[],
        ${column((r) => r.protocol)}::text[], ${column((r) => r.payer)}::text[], ${column((r) => r.amount)}::numeric[],
        ${column((r) => r.fee)}::numeric[], ${column((r) => r.network)}::text[], ${column((r) => r.asset)}::text[],
        ${column((r) => r.state)}::text[], ${column((r) => r.reason)}::text[], ${column((r) => r.authNonce)}::text[],
        ${column((r) => r.fromBlock)}::bigint[], ${column((r) => r.txHash)}::text[],
        ${column((r) => r.isSwept)}::boolean[], ${column((r) => r.createdAt)}::timestamptz[],
        ${column((r) => r.settledAt)}::timestamptz[]) as r (${COLUMNS})),
      first as (insert into settled_authorizations (network, asset, payer, auth_nonce, settlement_id)
        select network, asset, payer, auth_nonce, id from given where auth_nonce is not null
        on conflict do nothing returning settlement_id)
      insert into settlements (${COLUMNS})
      select ${COLUMNS} from given where auth_nonce is null or id in (select settlement_id from first) returning id`,
  )
  return new Set(written.map((row) => row.id))
}

/** The settlement of a link, paid by a card or on chain. */
export const findSettlement = (on: Reader, id: string): Promise<LinkSettlement | undefined> =>
  one<LinkSettlement>(
    on,
    sql`select ${COLUMNS} from settlements where id = ${id} and pay_link_id is not null`,
  )

/** The newest payment of a wallet to a link, from the chain. */
export const findPaidBy = (
  on: Reader,
  of: { payLinkId: string; payer: string },
): Promise<LinkSettlement | undefined> =>
  one<LinkSettlement>(
    on,
    sql`select ${COLUMNS} from settlements where number_of(payer) = number_of(${of.payer})
      and payer = ${of.payer} and pay_link_id = ${of.payLinkId} and state = 'settled'
      order by id desc limit 1`,
  )

type AuthorizationKey = { network: string; asset: string; payer: string; nonce: string }

export const findSettlementByAuthorization = (
  on: Reader,
  key: AuthorizationKey,
): Promise<LinkSettlement | undefined> =>
  one<LinkSettlement>(
    on,
    sql`select ${COLUMNS} from settlements where id = (select settlement_id from settled_authorizations
      where network = ${key.network} and asset = ${key.asset} and payer = ${key.payer} and auth_nonce = ${key.nonce})`,
  )

/** Which of these authorizations have settled something already: by payer and nonce, the settlement. */
export async function findSettledBy(
  on: Reader,
  of: { network: string; asset: string; authorizations: { payer: string; nonce: string }[] },
): Promise<Map<string, Id<'stl'>>> {
  const rows = await all<{ id: Id<'stl'>; payer: string; authNonce: string }>(
    on,
    sql<{ id: Id<'stl'>; payer: string; authNonce: string }>`select s.id, s.payer, s.auth_nonce
      from unnest(${of.authorizations.map((a) => a.payer)}::text[],
        ${of.authorizations.map((a) => a.nonce)}::text[]) as a (payer, nonce)
        join settled_authorizations k on k.network = ${of.network} and k.asset = ${of.asset} and k.payer = a.payer
          and k.auth_nonce = a.nonce
        join settlements s on s.id = k.settlement_id
      where s.state = 'settled'`,
  )
  return new Map(rows.map((row) => [`${row.payer} ${row.authNonce}`, row.id]))
}

/** Payers and amounts of the authorizations that are on their way to a link. */
export const findExpectedPayments = (
  on: Reader,
  payLinkId: string,
): Promise<Pick<LinkSettlement, 'payer' | 'amount'>[]> =>
  all(
    on,
    sql<Pick<LinkSettlement, 'payer' | 'amount'>>`select payer, amount from settlements
      where pay_link_id = ${payLinkId} and state = 'settling'`,
  )

/** Whether a claim has still to end. */
export const hasSettling = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 from settlements where state = 'settling' limit 1`)) !== undefined

/** Settlements that were begun before this time and have not ended. */
export async function findSettling(on: Reader, before: Date): Promise<Id<'stl'>[]> {
  const rows = await all<{ id: Id<'stl'> }>(
    on,
    sql`select id from settlements where state = 'settling' and created_at < ${before}
      order by id limit 500`,
  )
  return rows.map((row) => row.id)
}

/** Fails a settlement that was on its way. False if it had ended before. */
export const failSettlement = async (tx: Tx, id: string, reason: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update settlements set state = 'failed', reason = ${reason}, is_swept = true
      where id = ${id} and state = 'settling'`,
  )) === 1

/** Ends those of the settlements that were on their way, each by the transaction that paid it; answers their ids. */
export async function endSettled(
  tx: Tx,
  at: Date,
  paid: readonly { id: string; txHash: Hex; isSwept: boolean }[],
): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    tx,
    sql`update settlements s set state = 'settled', reason = null, tx_hash = v.tx_hash,
        is_swept = v.is_swept, settled_at = ${at}
      from (select distinct on (id) * from unnest(${paid.map(({ id }) => id)}::text[],
        ${paid.map(({ txHash }) => txHash)}::text[], ${paid.map(({ isSwept }) => isSwept)}::boolean[])
        as v (id, tx_hash, is_swept)) v
      where s.id = v.id and s.state = 'settling' returning s.id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The settlement's money has left the link's address. */
export async function markSwept(tx: Tx, id: string): Promise<void> {
  await sql`update settlements set is_swept = true where id = ${id} and not is_swept`.execute(tx)
}

/** Settlements older than `before` whose money is still at their link's address, and that `sweepTask` has no job for. */
export async function findUnswept(
  on: Reader,
  of: { before: Date; least: bigint; sweepTask: { name: string } },
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from settlements s where not is_swept and created_at < ${of.before}
      and amount >= ${of.least}
      and not ${hasJob(of.sweepTask, 's.id')} order by id limit 100`,
  )
  return rows.map((row) => row.id)
}

/** A condition for another room's statement: money of the link is still at its address. `linkId` is a column. */
export const isUnswept = (linkId: string): RawBuilder<boolean> =>
  sql`exists (select from settlements s where s.pay_link_id = ${sql.ref(linkId)} and not s.is_swept)`
