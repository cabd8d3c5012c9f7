import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex, Network } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import type { Place } from '../../chain/relay/pull/made.ts'

/** `missing`: a block held the transfer, and a reorganization took it away for good. */
export type PullState = 'requested' | 'sent' | 'confirmed' | 'failed' | 'missing'

/** One period's money out of a wallet, within the allowance that the wallet gave. */
export type Pull = {
  chargeId: string
  agreementId: string
  periodKey: string
  /** The contract moves money once for it. */
  ref: Hex
  walletAddress: Address
  network: Network
  asset: string
  token: Address
  amount: Amount
  state: PullState
  /** Transactions made for it, one after the other. */
  attempts: number
  /** Why it failed; before that, what holds it up. */
  reason: string | null
  fromBlock: bigint | null
  /** The place of the token's transfer. */
  txHash: Hex | null
  logIndex: number | null
  blockNumber: bigint | null
  blockHash: Hex | null
  /** No reorganization can take the transfer away any more. */
  isSafe: boolean
  createdAt: Date
  endedAt: Date | null
}

const COLUMNS =
  sql.raw(`id as charge_id, agreement_id, period_key, ref, wallet_address, network, asset, token, amount, state,
  attempts, reason, from_block, tx_hash, log_index, block_number, block_hash, is_safe, created_at, ended_at`)

export const findPull = (on: Reader, chargeId: string): Promise<Pull | undefined> =>
  one<Pull>(on, sql`select ${COLUMNS} from pulls where id = ${chargeId}`)

export const lockPull = (tx: Tx, chargeId: string): Promise<Pull | undefined> =>
  one<Pull>(tx, sql`select ${COLUMNS} from pulls where id = ${chargeId} for update`)

export type NewPull = Pick<
  Pull,
  | 'chargeId'
  | 'agreementId'
  | 'periodKey'
  | 'ref'
  | 'walletAddress'
  | 'network'
  | 'asset'
  | 'token'
  | 'amount'
>

/** Writes a pull down. False if its charge has one. */
export async function insertPull(tx: Tx, at: Date, row: NewPull): Promise<boolean> {
  const inserted = await run(
    tx,
    sql`insert into pulls (id, agreement_id, period_key, ref, wallet_address, network, asset, token, amount, created_at)
      values (${row.chargeId}, ${row.agreementId}, ${row.periodKey}, ${row.ref}, ${row.walletAddress}, ${row.network},
        ${row.asset}, ${row.token}, ${row.amount}, ${at}) on conflict (id) do nothing`,
  )
  return inserted === 1
}

/** Requests a failed pull once more, for this amount. False if it has not failed. */
export async function renewPull(tx: Tx, chargeId: string, value: Amount): Promise<boolean> {
  const renewed = await run(
    tx,
    sql`update pulls set state = 'requested', amount = ${value}, reason = null, ended_at = null
      where id = ${chargeId} and state = 'failed'`,
  )
  return renewed === 1
}

/** Stores that a transaction for the pull was queued. False if another process was first. */
export async function savePullSent(
  tx: Tx,
  { chargeId, attempts }: Pick<Pull, 'chargeId' | 'attempts'>,
  fromBlock: bigint,
): Promise<boolean> {
  const saved = await run(
    tx,
    sql`update pulls set state = 'sent', attempts = attempts + 1, from_block = coalesce(from_block, ${fromBlock}), reason = null
      where id = ${chargeId} and state = 'requested' and attempts = ${attempts}`,
  )
  return saved === 1
}

/** Stores where the transfer is. Returns whether this confirmed the pull; false too if it has ended otherwise. */
export async function savePullConfirmed(
  tx: Tx,
  at: Date,
  { chargeId, place, value }: { chargeId: string; place: Place; value: Amount },
): Promise<boolean> {
  const confirmed = await run(
    tx,
    sql`update pulls set state = 'confirmed', amount = ${value}, reason = null, ended_at = ${at}, tx_hash = ${place.txHash},
        log_index = ${place.logIndex}, block_number = ${place.blockNumber}, block_hash = ${place.blockHash}
      where id = ${chargeId} and state in ('requested', 'sent')`,
  )
  return confirmed === 1
}

/** Stores the place that a reorganization gave the transfer, and whether it is safe there. */
export const savePullPlace = (
  tx: Tx,
  { chargeId, place, isSafe }: { chargeId: string; place: Place; isSafe: boolean },
): Promise<number> =>
  run(
    tx,
    sql`update pulls set tx_hash = ${place.txHash}, log_index = ${place.logIndex}, block_number = ${place.blockNumber},
        block_hash = ${place.blockHash}, is_safe = ${isSafe}
      where id = ${chargeId} and state = 'confirmed' and not is_safe`,
  )

/** Ends a pull that has moved nothing, or whose transfer is gone. False if it was not in the state `from`. */
export async function savePullEnded(
  tx: Tx,
  at: Date,
  end: {
    chargeId: string
    from: readonly PullState[]
    state: 'failed' | 'missing'
    reason: string
  },
): Promise<boolean> {
  const ended = await run(
    tx,
    sql`update pulls set state = ${end.state}, reason = ${end.reason}, ended_at = ${at}
      where id = ${end.chargeId} and state = any(${[...end.from]}::text[])`,
  )
  return ended === 1
}

/** Stores what holds a pull up. */
export const savePullReason = (tx: Tx, chargeId: string, reason: string): Promise<number> =>
  run(tx, sql`update pulls set reason = ${reason} where id = ${chargeId} and state = 'requested'`)

/** Pulls that have not ended for good and were requested before this time. */
export const findOpenPulls = async (on: Reader, before: Date): Promise<string[]> =>
  (
    await all<{ chargeId: string }>(
      on,
      sql`select id as charge_id from pulls where not is_safe and state in ('requested', 'sent', 'confirmed')
        and created_at < ${before} order by created_at limit 500`,
    )
  ).map(({ chargeId }) => chargeId)

/** Which logs of the transaction are pulls. */
export const findPulledLogs = async (
  on: Reader,
  { network, txHash }: { network: string; txHash: string },
): Promise<Set<number>> => {
  const rows = await all<{ logIndex: number }>(
    on,
    sql`select log_index from pulls where network = ${network} and tx_hash = ${txHash}`,
  )
  return new Set(rows.map(({ logIndex }) => logIndex))
}

/** A condition for another room's statement: the log is a pull that is booked. `log` has network, tx_hash, log_index. */
export const isPull = (log: string): RawBuilder<boolean> =>
  sql.raw(`exists (select from pulls pu where pu.network = ${log}.network and pu.tx_hash = ${log}.tx_hash
    and pu.log_index = ${log}.log_index and pu.state = 'confirmed')`)

/** Pulls whose transfer a reorganization took for good since then, newest first. */
export const findMissingPulls = (
  on: Reader,
  { network, since }: { network: string; since: Date },
): Promise<Pull[]> =>
  all<Pull>(
    on,
    sql`select ${COLUMNS} from pulls where network = ${network} and state = 'missing' and ended_at > ${since}
      order by ended_at desc limit 100`,
  )

/** Pulls that are looked after, by state: `confirmed` ones until their block is safe. */
export const countOpenPulls = (on: Reader): Promise<{ state: PullState; pulls: bigint }[]> =>
  all(
    on,
    sql`select state, count(*) as pulls from pulls where not is_safe and state in ('requested', 'sent', 'confirmed')
      group by state`,
  )
