import { all, type Reader, run, send, sql, type Tx } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { MAX_IN_FLIGHT } from '../store.ts'

export type RelayerState = {
  address: Address
  /** It has no gas, and gets no sends. */
  isResting: boolean
  /** As last measured; null before. */
  balanceWei: bigint | null
  unmined: bigint
}

/** The relayers as the database knows them; one that has never sent or been measured has no row. */
export const findRelayers = (on: Reader, addresses: readonly Address[]): Promise<RelayerState[]> =>
  all(
    on,
    sql`select r.address, r.is_resting, r.balance_wei, count(s.id) as unmined
      from chain_relayers r left join chain_sends s
        on s.relayer = r.address and s.state <> 'mined' and s.nonce is not null
      where r.address = any(${addresses}) group by r.address`,
  )

/** Those of the relayers that may take one more send, those with the fewest unmined sends first. */
export async function findFreeRelayers(
  on: Reader,
  addresses: readonly Address[],
): Promise<Address[]> {
  const rows = await all<{ address: Address }>(
    on,
    sql`select r.address from chain_relayers r left join chain_sends s
        on s.relayer = r.address and s.state <> 'mined' and s.nonce is not null
      where r.address = any(${addresses}) and not r.is_resting
      group by r.address having count(s.id) < ${MAX_IN_FLIGHT} order by count(s.id), random()`,
  )
  return rows.map(({ address }) => address)
}

export const findResting = async (
  on: Reader,
  addresses: readonly Address[],
): Promise<Address[]> => {
  const rows = await all<{ address: Address }>(
    on,
    sql`select address from chain_relayers where address = any(${addresses}) and is_resting`,
  )
  return rows.map(({ address }) => address)
}

export async function hasAllRelayers(on: Reader, addresses: readonly Address[]): Promise<boolean> {
  const known = await all(
    on,
    sql`select 1 from chain_relayers where address = any(${addresses}) limit ${addresses.length}`,
  )
  return known.length === addresses.length
}

/** Gives each relayer a row. */
export const insertRelayers = (tx: Tx, addresses: readonly Address[]): Promise<number> =>
  run(
    tx,
    sql`insert into chain_relayers (address) select unnest(${addresses}::text[]) on conflict do nothing`,
  )

/** Returns how many relayers this woke. */
export const storeAwake = (tx: Tx, addresses: readonly Address[]): Promise<number> =>
  run(
    tx,
    sql`update chain_relayers set is_resting = false where is_resting and address = any(${addresses})`,
  )

/** Returns 1 if the relayer was awake until now. */
export const storeResting = (tx: Tx, address: Address): Promise<number> =>
  run(
    tx,
    sql`update chain_relayers set is_resting = true where address = ${address} and not is_resting`,
  )

export const storeBalance = (
  tx: Tx,
  at: Date,
  { address, balance }: { address: Address; balance: bigint },
): void =>
  send(
    tx,
    sql`insert into chain_relayers (address, balance_wei, measured_at) values (${address}, ${balance}, ${at})
      on conflict (address) do update set balance_wei = excluded.balance_wei, measured_at = excluded.measured_at`,
  )
