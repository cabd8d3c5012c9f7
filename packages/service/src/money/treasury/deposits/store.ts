import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import type { Amount } from '../../../base/kernel/money.ts'

export type Deposit = {
  id: Id<'dep'>
  network: string
  txHash: string
  logIndex: number
  walletAddress: string
  asset: string
  amount: Amount
  blockNumber: bigint
  blockHash: string
  createdAt: Date
}

/** Inserts the deposits that are new, and answers only those: a transfer log is credited once, to one wallet. */
export async function insertDeposits(tx: Tx, deposits: Deposit[]): Promise<Deposit[]> {
  const column = (pick: (deposit: Deposit) => unknown) => deposits.map(pick)
  const rows = await all<{ id: string }>(
    tx,
    sql`insert into deposits (id, network, tx_hash, log_index, wallet_address, asset, amount, block_number, block_hash, created_at)
      select * from unnest(${column((d) => d.id)}::text[], ${column((d) => d.network)}::text[],
        ${column((d) => d.txHash)}::text[], ${column((d) => d.logIndex)}::integer[],
        ${column((d) => d.walletAddress)}::text[], ${column((d) => d.asset)}::text[],
        ${column((d) => d.amount)}::numeric[], ${column((d) => d.blockNumber)}::bigint[],
        ${column((d) => d.blockHash)}::text[], ${column((d) => d.createdAt)}::timestamptz[])
      on conflict on constraint one_credit_per_log do nothing returning id`,
  )
  const inserted = new Set(rows.map((row) => row.id))
  return deposits.filter((deposit) => inserted.has(deposit.id))
}

export const depositsIn = (on: Reader, network: string, txHash: string): Promise<Deposit[]> =>
  all<Deposit>(
    on,
    sql`select id, network, tx_hash, log_index, wallet_address, asset, amount, block_number, block_hash, created_at
      from deposits where network = ${network} and tx_hash = ${txHash} order by log_index`,
  )

export type DepositAuthorization = {
  id: Id<'dep'>
  walletAddress: string
  network: string
  asset: string
  nonce: string
  amount: Amount
  validBefore: bigint
  /** No earlier block can hold the transfer. */
  fromBlock: bigint
  state: 'sending' | 'credited' | 'failed'
  reason: string | null
}

const AUTHORIZATION = sql`select id, wallet_address, network, asset, nonce, amount, valid_before, from_block, state,
  reason from deposit_authorizations`

/** Takes the authorization for this deposit. Returns false if any deposit took it before. */
export async function insertAuthorization(
  tx: Tx,
  at: Date,
  row: Omit<DepositAuthorization, 'state' | 'reason'>,
): Promise<boolean> {
  const taken = await run(
    tx,
    sql`insert into deposit_authorizations (id, wallet_address, network, asset, nonce, amount, valid_before, from_block,
        created_at)
      values (${row.id}, ${row.walletAddress}, ${row.network}, ${row.asset}, ${row.nonce}, ${row.amount},
        ${row.validBefore}, ${row.fromBlock}, ${at}) on conflict do nothing`,
  )
  return taken === 1
}

/** Gives back an authorization that was taken in this transaction. */
export async function deleteAuthorization(tx: Tx, id: string): Promise<void> {
  await sql`delete from deposit_authorizations where id = ${id} and state = 'sending'`.execute(tx)
}

export const findAuthorization = (
  on: Reader,
  id: string,
): Promise<DepositAuthorization | undefined> =>
  one<DepositAuthorization>(on, sql`${AUTHORIZATION} where id = ${id}`)

export const findAuthorizationByNonce = (
  on: Reader,
  key: { walletAddress: string; network: string; asset: string; nonce: string },
): Promise<DepositAuthorization | undefined> =>
  one<DepositAuthorization>(
    on,
    sql`${AUTHORIZATION} where wallet_address = ${key.walletAddress} and network = ${key.network}
      and asset = ${key.asset} and nonce = ${key.nonce}`,
  )

export async function endAuthorization(
  tx: Tx,
  id: string,
  ending: { state: 'credited' | 'failed'; reason: string | null },
): Promise<void> {
  await sql`update deposit_authorizations set state = ${ending.state}, reason = ${ending.reason}
    where id = ${id} and state = 'sending'`.execute(tx)
}

/** Authorizations that were taken before this time and have not ended. */
export async function findSending(on: Reader, before: Date): Promise<Id<'dep'>[]> {
  const rows = await all<{ id: Id<'dep'> }>(
    on,
    sql`select id from deposit_authorizations where state = 'sending' and created_at < ${before}
      order by id limit 500`,
  )
  return rows.map((row) => row.id)
}

/** A condition for another room's statement: the transaction made a deposit. The places are columns. */
export const hasDeposit = (of: { network: string; txHash: string }): RawBuilder<boolean> =>
  sql`exists (select from deposits d where d.network = ${sql.ref(of.network)} and d.tx_hash = ${sql.ref(of.txHash)})`

/** As `hasDeposit`, for one log: `log` is a row with network, tx_hash and log_index. */
export const isDeposit = (log: string): RawBuilder<boolean> =>
  sql.raw(`exists (select from deposits d where d.network = ${log}.network and d.tx_hash = ${log}.tx_hash
    and d.log_index = ${log}.log_index)`)
