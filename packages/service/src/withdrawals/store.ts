import { all, one, type Reader, run, sql, type Tx } from '../db/sql.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import type { Id } from '../kernel/ids.ts'
import type { Amount } from '../kernel/money.ts'

export const WITHDRAWAL_STATUSES = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
/** COMPLETED: the payout is on chain beyond reorganisation. FAILED: it never can be, and all the money went back. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/** Money on its way from a wallet's treasury balance to an address on chain. */
export type Withdrawal = {
  id: Id<'wd'>
  walletAddress: string
  network: string
  asset: string
  /** Gross: what leaves the treasury balance, in base units. */
  amount: Amount
  fee: Amount
  /** What the address is paid. */
  netAmount: Amount
  fromAddress: Address
  toAddress: Address
  nonce: Hex
  /** Unix seconds; the authorization is good before this. */
  validBefore: bigint
  signature: Hex
  fromBlock: bigint
  /** How many transactions have been made for it; all carry the same authorization. */
  sends: number
  status: WithdrawalStatus
  reason: string | null
  txHash: Hex | null
  createdAt: Date
  endedAt: Date | null
}
export type NewWithdrawal = Omit<Withdrawal, 'sends' | 'status' | 'reason' | 'txHash' | 'endedAt'>

const COLUMNS =
  sql.raw(`id, wallet_address, network, asset, amount, fee, net_amount, from_address, to_address, nonce,
  valid_before, signature, from_block, sends, status, reason, tx_hash, created_at, ended_at`)

export async function insertWithdrawal(tx: Tx, w: NewWithdrawal): Promise<void> {
  await sql`insert into withdrawals (id, wallet_address, network, asset, amount, fee, net_amount, from_address, to_address,
      nonce, valid_before, signature, from_block, created_at)
    values (${w.id}, ${w.walletAddress}, ${w.network}, ${w.asset}, ${w.amount}, ${w.fee}, ${w.netAmount}, ${w.fromAddress},
      ${w.toAddress}, ${w.nonce}, ${w.validBefore}, ${w.signature}, ${w.fromBlock}, ${w.createdAt})`.execute(
    tx,
  )
}

export const findWithdrawal = (on: Reader, id: string): Promise<Withdrawal | undefined> =>
  one<Withdrawal>(on, sql`select ${COLUMNS} from withdrawals where id = ${id}`)

/** The row, locked until the transaction ends: of two that would end it, the second sees that the first did. */
export const lockWithdrawal = (tx: Tx, id: string): Promise<Withdrawal | undefined> =>
  one<Withdrawal>(tx, sql`select ${COLUMNS} from withdrawals where id = ${id} for update`)

/** The wallet's withdrawals, newest first. */
export const listWithdrawals = (
  on: Reader,
  walletAddress: string,
  wanted: { id: string | undefined; status: WithdrawalStatus | undefined; limit: number },
): Promise<Withdrawal[]> =>
  all<Withdrawal>(
    on,
    sql`select ${COLUMNS} from withdrawals where wallet_address = ${walletAddress}
      and (${wanted.id ?? null}::text is null or id = ${wanted.id ?? null})
      and (${wanted.status ?? null}::text is null or status = ${wanted.status ?? null})
      order by id desc limit ${wanted.limit}`,
  )

/** Withdrawals that began before `before` and have no end yet. */
export async function findUnfinished(on: Reader, before: Date): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from withdrawals where status = 'PROCESSING' and created_at < ${before} order by created_at limit 500`,
  )
  return rows.map((row) => row.id)
}

/** Ends a locked withdrawal that is processing. */
export async function endWithdrawal(
  tx: Tx,
  at: Date,
  id: string,
  ending: { status: 'COMPLETED'; txHash: Hex } | { status: 'FAILED'; reason: string },
): Promise<void> {
  const [txHash, reason] =
    ending.status === 'COMPLETED' ? [ending.txHash, null] : [null, ending.reason]
  await sql`update withdrawals set status = ${ending.status}, tx_hash = ${txHash}, reason = ${reason}, ended_at = ${at}
    where id = ${id}`.execute(tx)
}

/** Says what holds a withdrawal up; null for nothing. */
export async function saveReason(tx: Tx, id: string, reason: string | null): Promise<void> {
  await sql`update withdrawals set reason = ${reason} where id = ${id} and status = 'PROCESSING'
    and reason is distinct from ${reason}`.execute(tx)
}

/** Counts one more transaction than `sends`. True for the one caller that was first. */
export async function countSend(tx: Tx, id: string, sends: number): Promise<boolean> {
  const counted = await run(
    tx,
    sql`update withdrawals set sends = sends + 1 where id = ${id} and sends = ${sends} and status = 'PROCESSING'`,
  )
  return counted === 1
}

/** Whether a pay link takes money at this address. */
export async function isDepositAddress(on: Reader, address: Address): Promise<boolean> {
  const row = await one<{ found: boolean }>(
    on,
    sql`select exists (select from pay_links where deposit_address = ${address}) as found`,
  )
  return row?.found === true
}
