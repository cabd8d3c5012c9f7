import { all, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { walletsOf } from '../sources.ts'

/**
 * How many streams a wallet may have open at once. The database has no slot for more. Those of its keys and those of its sessions are
 * counted apart, so that programs which listen never keep a person from a live page.
 */
export const STREAMS = {
  key: { table: 'event_streams', most: 5 },
  session: { table: 'session_streams', most: 20 },
} as const

export type Lease = { id: string; walletAddress: string; kind: keyof typeof STREAMS; until: Date }

/** Two that ask at once may choose the same slot. The second then sees the first and chooses again. */
const TRIES = 20

/** Takes a free slot of the wallet for the stream; false if there is none. */
export async function takeSlot(tx: Tx, at: Date, lease: Lease): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await takeAnySlot(tx, at, lease)) return true
    if ((await countOpen(tx, at, lease)) >= STREAMS[lease.kind].most) return false
  }
  return false
}

async function takeAnySlot(
  tx: Tx,
  at: Date,
  { id, walletAddress, kind, until }: Lease,
): Promise<boolean> {
  const { table, most } = STREAMS[kind]
  const written = await run(
    tx,
    sql`insert into ${sql.table(table)} as held (wallet_address, slot, id, until)
      select ${walletAddress}, slot, ${id}, ${until}::timestamptz
      from generate_series(1, ${most}::integer) as slot
      where not exists (select from ${sql.table(table)} s
        where s.wallet_address = ${walletAddress} and s.slot = slot.slot and s.until > ${at})
      order by random() limit 1
      on conflict (wallet_address, slot) do update set id = excluded.id, until = excluded.until
        where held.until <= ${at}`,
  )
  return written === 1
}

async function countOpen(on: Reader, at: Date, { walletAddress, kind }: Lease): Promise<number> {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from ${sql.table(STREAMS[kind].table)}
      where wallet_address = ${walletAddress} and until > ${at}`,
  )
  return Number(row?.n ?? 0n)
}

/** Keeps the slots of these streams until `until`; returns the ids of those that still have one. */
export async function renewSlots(tx: Tx, ids: string[], until: Date): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    tx,
    sql`with of_keys as (update event_streams set until = ${until} where id = any(${ids}::text[]) returning id),
      of_sessions as (update session_streams set until = ${until} where id = any(${ids}::text[]) returning id)
      select id from of_keys union all select id from of_sessions`,
  )
  return new Set(rows.map(({ id }) => id))
}

export const freeSlot = (tx: Tx, id: string): Promise<number> =>
  run(
    tx,
    sql`with of_keys as (delete from event_streams where id = ${id})
      delete from session_streams where id = ${id}`,
  )

/**
 * The horizon: every transaction with a smaller id has ended. With it the wallets whose events came to be shown since the
 * horizon was `since`; none without that.
 */
export async function readChanges(
  on: Reader,
  since: bigint | undefined,
): Promise<{ horizon: bigint; wallets: Set<string> }> {
  const row = await one<{ horizon: bigint; wallets: string[] }>(
    on,
    sql`with horizon as materialized (select event_horizon() as xid)
      select xid as horizon, array(${walletsOf({ from: sql`${since ?? null}::bigint`, before: sql`(select xid from horizon)` })}) as wallets
      from horizon`,
  )
  return { horizon: row?.horizon ?? 0n, wallets: new Set(row?.wallets) }
}
