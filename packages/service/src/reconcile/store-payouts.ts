import { one, type Reader, sql, type Tx } from '../db/sql.ts'
import type { Hex } from '../kernel/assets.ts'

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

export async function findPayoutStanding(on: Reader, network: string): Promise<PayoutStanding> {
  const row = await one<Row>(
    on,
    sql<Row>`select r.difference, r.compared_at, o.kind, o.shortage, o.note, o.created_at
      from (select ${network}::text as network) n
      left join reconciliations r on r.network = n.network
      left join lateral (select kind, shortage, note, created_at from payout_orders p
        where p.network = n.network order by seq desc limit 1) o on true`,
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

/** Stores an operator's order. The newest order counts. */
export async function insertPayoutOrder(
  tx: Tx,
  at: Date,
  order: Omit<PayoutOrder, 'createdAt'> & { network: string },
): Promise<void> {
  await sql`insert into payout_orders (network, kind, shortage, note, created_at)
    values (${order.network}, ${order.kind}, ${order.shortage}, ${order.note}, ${at})`.execute(tx)
}
