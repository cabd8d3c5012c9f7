import {
  all,
  one,
  type RawBuilder,
  type Reader,
  run,
  sql,
  type Tx,
} from '../../../../base/db/sql.ts'
import type { Address, Network } from '../../../../base/kernel/assets.ts'
import type { Id } from '../../../../base/kernel/ids.ts'
import type { SoldLog } from '../../../../chain/client/sales/log.ts'

/** A sale that the contract has logged and that these books did not have. */
export type ForgottenSale = Omit<SoldLog, 'fee'> & {
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
export const insertForgotten = async (tx: Tx, sale: ForgottenSale): Promise<boolean> =>
  (await run(
    tx,
    sql`insert into forgotten_sales (${COLUMNS}) values (${sale.hash}, ${sale.cardId}, ${sale.market}, ${sale.tokenId},
        ${sale.seller}, ${sale.buyer}, ${sale.price}, ${sale.txHash}, ${sale.blockNumber}, ${sale.logIndex}, ${sale.state},
        ${sale.reason}, ${sale.isOrdered}, ${sale.note}, ${sale.foundAt}, ${sale.endedAt})
      on conflict (hash) do nothing`,
  )) === 1

export const lockForgotten = (tx: Tx, hash: string): Promise<ForgottenSale | undefined> =>
  one<ForgottenSale>(
    tx,
    sql`select ${COLUMNS} from forgotten_sales where hash = ${hash} for update`,
  )

/** Stores how a locked one stands. */
export async function saveForgotten(tx: Tx, sale: ForgottenSale): Promise<void> {
  await sql`update forgotten_sales set state = ${sale.state}, reason = ${sale.reason}, is_ordered = ${sale.isOrdered},
      note = ${sale.note}, ended_at = ${sale.endedAt}
    where hash = ${sale.hash}`.execute(tx)
}

/** The sales to adopt, in the order of the chain. */
export const findToAdopt = (on: Reader, limit: number): Promise<ForgottenSale[]> =>
  all<ForgottenSale>(
    on,
    sql`select ${COLUMNS} from forgotten_sales where state = 'found' order by block_number, log_index limit ${limit}`,
  )

/** The sales that wait for an operator, the oldest first. */
export const findHeld = (on: Reader, limit: number): Promise<ForgottenSale[]> =>
  all<ForgottenSale>(
    on,
    sql`select ${COLUMNS} from forgotten_sales where state = 'held' order by block_number, log_index limit ${limit}`,
  )

/** All of them, the newest first. */
export const findForgotten = (on: Reader, limit: number): Promise<ForgottenSale[]> =>
  all<ForgottenSale>(
    on,
    sql`select ${COLUMNS} from forgotten_sales order by block_number desc, log_index desc limit ${limit}`,
  )

/** Whether another sale of the card is not over: an earlier one on the chain, or the one that these books carry. */
export const hasEarlier = (tx: Tx, sale: ForgottenSale): Promise<boolean> =>
  hasOpen(
    tx,
    sale.cardId,
    sql`and (f.block_number, f.log_index) < (${sale.blockNumber}, ${sale.logIndex})`,
  )

/** Whether a sale of the card is not over. `only` narrows the forgotten ones, `f`. */
export const hasOpen = async (
  tx: Tx,
  cardId: string | null,
  only: RawBuilder<unknown> = sql``,
): Promise<boolean> =>
  (await one(
    tx,
    sql`select from forgotten_sales f where f.card_id = ${cardId} and f.state in ('found', 'held') ${only}
      union all select from sales s where s.card_id = ${cardId} and s.state in ('frozen', 'relayed') limit 1`,
  )) !== undefined

type Log = { network: Network; market: Address }
/** The last block whose sales have been read; undefined before the first look. */
export const findLogEnd = async (
  on: Reader,
  { network, market }: Log,
): Promise<bigint | undefined> =>
  (
    await one<{ block: bigint }>(
      on,
      sql`select block from sale_log_ends where network = ${network} and market = ${market}`,
    )
  )?.block

/** Notes that all sales up to this block are in the books. It never goes back. */
export async function saveLogEnd(tx: Tx, { network, market }: Log, block: bigint): Promise<void> {
  await sql`insert into sale_log_ends as e (network, market, block) values (${network}, ${market}, ${block})
    on conflict (network, market) do update set block = greatest(e.block, excluded.block)`.execute(
    tx,
  )
}
