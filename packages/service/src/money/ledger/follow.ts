import { all, one, type RawBuilder, type Reader, sql } from '../../base/db/sql.ts'

/** A place in one chain of the ledger: after the batch with this number. */
export type ChainPlace = { chain: number; seq: bigint }
export type FollowedBatch = ChainPlace & { id: bigint }

/** The next batches, and whether there are more after them. */
export type FollowedPage = { batches: FollowedBatch[]; hasMore: boolean }

/**
 * The next batches after these places: at most `batches`, with about `transfers` in all. A chain's lock is held until its
 * batch commits, so a batch is seen after all before it, and a reader that continues from the last one misses none. A
 * refund is never answered before its payment: ids grow, and no chain is read past the largest id of the page.
 */
export async function readBatchesAfter(
  on: Reader,
  places: readonly ChainPlace[],
  { batches, transfers }: { batches: number; transfers: number },
): Promise<FollowedPage> {
  const found = await all<FollowedBatch & { ahead: bigint }>(
    on,
    sql`with ahead as materialized (
        select b.chain, b.seq, b.id
        from unnest(${places.map(({ chain }) => chain)}::integer[], ${places.map(({ seq }) => seq)}::bigint[])
          as place (chain, seq)
        cross join lateral (select * from ledger_batches b where b.chain = place.chain and b.seq > place.seq
          order by b.seq limit ${batches}) b),
      sized as (
        select id, sum(size) over (order by id) - size as before from (
          select a.id, (select count(*) from ledger_transfers t where t.batch = a.id) as size
          from ahead a order by a.id limit ${batches}) a),
      bound as (select greatest(
        (select max(id) from sized where before < ${transfers}),
        (select min(id) from (select distinct on (chain) id from ahead order by chain, seq) heads)) as id)
      select a.chain, a.seq, a.id, a.ahead from (
        select a.*, max(a.id) over (partition by a.chain order by a.seq) as most, count(*) over () as ahead
        from ahead a) a, bound
      where a.most <= bound.id order by a.chain, a.seq`,
  )
  const hasMore = found.length >= batches || found.length < Number(found[0]?.ahead ?? 0n)
  return { batches: found.map(({ chain, seq, id }) => ({ chain, seq, id })), hasMore }
}

/** For how long the oldest batch after these places has been there; 0 without one. */
export async function readSecondsBehind(
  on: Reader,
  places: readonly ChainPlace[],
): Promise<number> {
  const row = await one<{ seconds: number | null }>(
    on,
    sql`select extract(epoch from now() - min(b.created_at))::double precision as seconds
      from unnest(${places.map(({ chain }) => chain)}::integer[], ${places.map(({ seq }) => seq)}::bigint[])
        as place (chain, seq)
      cross join lateral (select created_at from ledger_batches b where b.chain = place.chain and b.seq > place.seq
        order by b.seq limit 1) b`,
  )
  return Math.max(0, row?.seconds ?? 0)
}

/**
 * The transfers of these batches as a table for another room's statement.
 * `offset 0` has each batch looked up by its index: without it a plan may read all transfers of the kinds.
 */
export const transfersOf = (
  batches: readonly bigint[],
  kinds: readonly string[],
): RawBuilder<unknown> =>
  sql`(select t.id, t.kind, t.ref, t.accounts, t.amounts, t.batch, t.created_at
    from unnest(${[...batches]}::bigint[]) as b (id)
      cross join lateral (select * from ledger_transfers t where t.batch = b.id offset 0) t
    where t.kind = any(${[...kinds]}::text[]))`

/** The same of the transfers with these ids. */
export const transfersById = (ids: readonly string[]): RawBuilder<unknown> =>
  sql`(select t.id, t.kind, t.ref, t.amounts from unnest(${[...ids]}::text[]) as i (id)
      cross join lateral ledger_transfer(i.id) t)`
