import { all, type Reader, sql } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { isUnswept } from '../../money/settlements/on-chain/store.ts'
import type { PayLink } from './store.ts'

/** Which of these addresses are deposit addresses of pay links. */
export async function findLinkAddresses(
  on: Reader,
  addresses: readonly string[],
): Promise<Set<Address>> {
  const rows = await all<{ depositAddress: Address }>(
    on,
    sql`select deposit_address from pay_links where deposit_address = any(${addresses}::text[])`,
  )
  return new Set(rows.map((row) => row.depositAddress))
}

/** Whether a pay link receives payments at this address. */
export const isLinkAddress = async (on: Reader, address: Address): Promise<boolean> =>
  (await findLinkAddresses(on, [address])).size > 0

/** Addresses at which money of the house may be until it is swept to the treasury. */
export async function findUnsweptAddresses(on: Reader, network: string): Promise<Address[]> {
  const rows = await all<{ depositAddress: Address }>(
    on,
    sql`select l.deposit_address from pay_links l where l.network = ${network} and ${isUnswept('l.id')}`,
  )
  return rows.map((row) => row.depositAddress)
}

/** A link whose address the chain is watched for. */
export type WatchedLink = Pick<PayLink, 'id' | 'code'> & { depositAddress: Address }

/** Links that may still be paid, and those that ended since `since`: their payers may not know. */
export const findWatchedLinks = (
  on: Reader,
  network: string,
  since: Date,
): Promise<WatchedLink[]> =>
  all<WatchedLink>(
    on,
    sql`select id, code, deposit_address from pay_links where network = ${network} and status = 'ACTIVE'
        and deposit_address is not null
      union select id, code, deposit_address from pay_links where network = ${network} and status <> 'ACTIVE'
        and ended_at > ${since} and deposit_address is not null`,
  )

/** The links as `l`, for a join in another room's statement. */
export const LINKS = sql.raw('pay_links l')
