import { all, one, type Reader, run, sql, type Tx } from '../../../../base/db/sql.ts'
import { DAY, type Kept, keptRows } from '../../../../base/jobs/kept.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'

/** An address of others that a wallet lets its withdrawals go to. The time is the database's. */
export type PayoutAddress = {
  id: Id<'pad'>
  walletAddress: string
  address: Address
  addedAt: Date
}

const COLUMNS = sql.raw('id, wallet_address, address, added_at')

/** Adds of one wallet take turns, so that their number is known. */
export async function lockAddresses(tx: Tx, walletAddress: string): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${walletAddress}, 58))`)
}

export const insertAddress = async (
  tx: Tx,
  { id, walletAddress, address }: Omit<PayoutAddress, 'addedAt'>,
): Promise<PayoutAddress | undefined> =>
  one<PayoutAddress>(
    tx,
    sql`insert into payout_addresses (id, wallet_address, address) values (${id}, ${walletAddress}, ${address})
      returning ${COLUMNS}`,
  )

/** The addresses in force and those that were added in the last day, removed ones too. */
export async function countAddresses(on: Reader, walletAddress: string): Promise<number> {
  const row = await one<{ n: bigint }>(
    on,
    sql`select count(*) as n from payout_addresses where wallet_address = ${walletAddress}
      and (removed_at is null or added_at > payout_time() - interval '24 hours')`,
  )
  return Number(row?.n ?? 0n)
}

/** The addresses of the wallet in force, the newest first. */
export const listAddresses = (on: Reader, walletAddress: string): Promise<PayoutAddress[]> =>
  all<PayoutAddress>(
    on,
    sql`select ${COLUMNS} from payout_addresses where wallet_address = ${walletAddress} and removed_at is null
      order by added_at desc, id desc`,
  )

/** Removes an address of the wallet. Undefined if it is not in force. */
export const removeAddress = (
  tx: Tx,
  { id, walletAddress }: { id: string; walletAddress: string },
): Promise<PayoutAddress | undefined> =>
  one<PayoutAddress>(
    tx,
    sql`update payout_addresses set removed_at = payout_time()
      where id = ${id} and wallet_address = ${walletAddress} and removed_at is null returning ${COLUMNS}`,
  )

type Wanted = { walletAddress: string; address: string }

export const findAddress = (on: Reader, of: Wanted): Promise<PayoutAddress | undefined> =>
  one<PayoutAddress>(on, sql`${inForce(of)}`)

/** As `findAddress`; the row cannot be removed until the transaction ends. */
export const holdAddress = (tx: Tx, of: Wanted): Promise<PayoutAddress | undefined> =>
  one<PayoutAddress>(tx, sql`${inForce(of)} for share`)

const inForce = ({ walletAddress, address }: Wanted) =>
  sql`select ${COLUMNS} from payout_addresses
    where wallet_address = ${walletAddress} and address = ${address} and removed_at is null`

/**
 * Addresses that were removed and had no withdrawal. Those with one stay as long as it: people ask when an address was
 * added.
 */
export const keptAddresses: Kept<unknown> = {
  kind: 'removed_addresses',
  what: 'removed addresses of withdrawals that none went to',
  since: 'the removal',
  seconds: () => 30 * DAY,
  ...keptRows({
    table: 'payout_addresses',
    column: 'removed_at',
    // The first by the database's time, of which the day's count is.
    and: () => sql`added_at < payout_time() - interval '24 hours'
      and not exists (select from withdrawals w
        where w.wallet_address = payout_addresses.wallet_address and w.to_address = payout_addresses.address)
      and not exists (select from withdrawal_requests r
        where r.wallet_address = payout_addresses.wallet_address and r.to_address = payout_addresses.address)`,
  }),
}

/** The time by which payouts are judged. */
export async function readPayoutTime(on: Reader): Promise<Date> {
  const row = await one<{ at: Date }>(on, sql`select payout_time() as at`)
  return row?.at as Date
}
