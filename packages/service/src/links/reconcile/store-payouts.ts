import { one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import type { TreasuryTransfer } from '../../chain/transfers/reads/made-transfer.ts'

/** `stop` holds payouts. `release` lets them go while custody is short by at most `shortage` base units. */
export type PayoutOrder = {
  kind: 'stop' | 'release'
  shortage: bigint
  note: string
  createdAt: Date
}
export type PayoutStanding = {
  /** The amount missing on chain at the last comparison, in base units. */
  shortage: bigint
  comparedAt: Date | null
  /** The operators' newest order. */
  order: PayoutOrder | undefined
}

type Row = { difference: bigint | null; comparedAt: Date | null } & (
  | PayoutOrder
  | { [name in keyof PayoutOrder]: null }
)

export async function findPayoutStanding(
  on: Reader,
  { network, asset }: { network: string; asset: string },
): Promise<PayoutStanding> {
  const row = await one<Row>(
    on,
    sql<Row>`select r.difference, r.compared_at, o.kind, o.shortage, o.note, o.created_at
      from (select ${network}::text as network, ${asset}::text as asset) n
      left join reconciliations r on r.network = n.network and r.asset = n.asset
      left join lateral (select kind, shortage, note, created_at from payout_orders p
        where p.network = n.network and p.asset = n.asset order by seq desc limit 1) o on true`,
  )
  const difference = row?.difference ?? 0n
  return {
    shortage: difference < 0n ? -difference : 0n,
    comparedAt: row?.comparedAt ?? null,
    order: row?.kind ? row : undefined,
  }
}

/** How many of these nonces belong to no payout in the books. */
export async function countUnknownNonces(on: Reader, nonces: readonly Hex[]): Promise<number> {
  const row = await one<{ unknown: bigint }>(
    on,
    sql`select count(*) as unknown from unnest(${[...nonces]}::text[]) as n (nonce)
      where not exists (select from withdrawals w where w.nonce = n.nonce)
        and not exists (select from outbound_payments p where p.nonce = n.nonce)`,
  )
  return Number(row?.unknown ?? 0n)
}

/**
 * How many of these transfers out of the treasury no withdrawal in the books explains: one that this transaction ended, or one
 * that is on its way. A withdrawal explains one transfer.
 */
export async function countUnknownTransfers(
  on: Reader,
  { network, asset }: { network: string; asset: { symbol: string } },
  transfers: readonly TreasuryTransfer[],
): Promise<number> {
  const column = (pick: (transfer: TreasuryTransfer) => unknown) => transfers.map(pick)
  const row = await one<{ unknown: bigint }>(
    on,
    sql`with made as (
        select n.to_address, n.amount, count(*) as transfers, array_agg(n.tx_hash) as hashes
        from unnest(${column((t) => t.txHash)}::text[], ${column((t) => t.to)}::text[],
          ${column((t) => t.value)}::numeric[]) as n (tx_hash, to_address, amount) group by 1, 2)
      select coalesce(sum(greatest(m.transfers - (select count(*) from withdrawals w
          where w.network = ${network} and w.asset = ${asset.symbol} and w.to_address = m.to_address
            and w.net_amount = m.amount and (w.status = 'PROCESSING' or w.tx_hash = any(m.hashes))), 0)), 0) as unknown
      from made m`,
  )
  return Number(row?.unknown ?? 0n)
}

/** Stores an operator's order. The newest order counts. */
export async function insertPayoutOrder(
  tx: Tx,
  at: Date,
  order: Omit<PayoutOrder, 'createdAt'> & { network: string; asset: string },
): Promise<void> {
  await sql`insert into payout_orders (network, asset, kind, shortage, note, created_at)
    values (${order.network}, ${order.asset}, ${order.kind}, ${order.shortage}, ${order.note}, ${at})`.execute(
    tx,
  )
}
