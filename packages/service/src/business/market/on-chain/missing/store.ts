import {
  all,
  one,
  type RawBuilder,
  type Reader,
  run,
  sql,
  type Tx,
} from '../../../../base/db/sql.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import type { SoldLog } from '../../../../chain/client/sales/log.ts'

/** A sale that the contract has logged and that these books did not have. */
export type MissingSale = Omit<SoldLog, 'fee'> & {
  cardId: Id<'card'> | null
  market: Address
  state: 'found' | 'held' | 'adopted' | 'dismissed'
  reason: string | null
  isOrdered: boolean
  note: string | null
  foundAt: Date
  endedAt: Date | null
}

const COLUMNS = sql.raw(
  `hash, card_id, market, token_id, seller, buyer, price, tx_hash, block_number, log_index, state, reason, is_ordered, note,
  found_at, ended_at`,
)

/** Writes a sale down once. False if it is known. */
export const insertMissing = async (tx: Tx, sale: MissingSale): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into missing_sales (${COLUMNS}) values (${sale.hash}, ${sale.cardId}, ${sale.market}, ${sale.tokenId},
        ${sale.seller}, ${sale.buyer}, ${sale.price}, ${sale.txHash}, ${sale.blockNumber}, ${sale.logIndex}, ${sale.state},
        ${sale.reason}, ${sale.isOrdered}, ${sale.note}, ${sale.foundAt}, ${sale.endedAt})
      on conflict (hash) do nothing`,
  )) === 1

export const lockMissing = (tx: Tx, hash: string): Promise<MissingSale | undefined> =>
  one<MissingSale>(tx, sql`select ${COLUMNS} from missing_sales where hash = ${hash} for update`)

/** Stores how a locked one stands. */
export async function saveMissing(tx: Tx, sale: MissingSale): Promise<void> {
  await sql`update missing_sales set state = ${sale.state}, reason = ${sale.reason}, is_ordered = ${sale.isOrdered},
      note = ${sale.note}, ended_at = ${sale.endedAt}
    where hash = ${sale.hash}`.execute(tx)
}

/** The sales to adopt, in the order of the chain. */
export const findToAdopt = (on: Reader, limit: number): Promise<MissingSale[]> =>
  all<MissingSale>(
    on,
    sql`select ${COLUMNS} from missing_sales where state = 'found' order by block_number, log_index limit ${limit}`,
  )

/** All of them, the newest first. */
export const findMissing = (on: Reader, limit: number): Promise<MissingSale[]> =>
  all<MissingSale>(
    on,
    sql`select ${COLUMNS} from missing_sales order by block_number desc, log_index desc limit ${limit}`,
  )

/** Whether another sale of the card is not over: an earlier one on the chain, or the one that these books carry. */
export const hasEarlier = (tx: Tx, sale: MissingSale): Promise<boolean> =>
  hasOpen(
    tx,
    sale.cardId,
    sql`and (f.block_number, f.log_index) < (${sale.blockNumber}, ${sale.logIndex})`,
  )

/** Whether a sale of the card is not over. `only` narrows the missing ones, `f`. */
export const hasOpen = async (
  tx: Tx,
  cardId: string | null,
  only: RawBuilder<unknown> = sql``,
): Promise<boolean> =>
  (await one(
    tx,
    sql`select from missing_sales f where f.card_id = ${cardId} and f.state in ('found', 'held') ${only}
      union all select from sales s where s.card_id = ${cardId} and s.state in ('frozen', 'relayed') limit 1`,
  )) !== undefined
