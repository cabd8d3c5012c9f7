import { all, type Reader, sql } from '../../../base/db/sql.ts'
import type { Amount } from '../../../base/kernel/money.ts'

/** A transfer to a link's address that the watcher has seen and that nothing has been credited for. */
export type SeenPayment = {
  code: string
  txHash: string
  amount: Amount
  blockNumber: bigint
  /** The heads of the chain when the watcher looked last. */
  latest: bigint
  safe: bigint
  finalized: bigint
}

/** For each of these links, by code, the seen transfer that is closest to its amount. */
export async function findSeen(
  on: Reader,
  codes: readonly string[],
): Promise<Map<string, SeenPayment>> {
  const rows = await all<SeenPayment>(
    on,
    sql`select distinct on (l.code) l.code, w.tx_hash, w.amount, w.block_number, c.latest, c.safe, c.finalized
      from pay_links l
        join watched_transfers w on w.network = l.network and w.to_address = l.deposit_address
          and w.state in ('seen', 'passed_on')
        join watch_cursors c on c.network = l.network and c.latest is not null
      where l.code = any(${[...new Set(codes)]}::text[])
        and not exists (select from pay_link_logs t where t.network = w.network and t.tx_hash = w.tx_hash
          and t.log_index = w.log_index)
      order by l.code, least(w.amount, coalesce(l.amount, w.amount)) desc, w.block_number, w.tx_hash`,
  )
  return new Map(rows.map((row) => [row.code, row]))
}
