import { all, one, type RawBuilder, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import { type CreditedLog, confirm } from '../../money/settlements/on-chain/store-confirmations.ts'

/** A safe block holds the payment in this log, which need not be the one it was credited by. */
export async function saveConfirmed(
  tx: Tx,
  paid: { id: string; network: string; log: { txHash: string; logIndex: number } },
): Promise<void> {
  const { id, network, log } = paid
  await takeLog(tx, { network, ...log, settlementId: id })
  await confirm(tx, id, log.txHash)
}

type LogUse = {
  network: string
  txHash: string
  logIndex: number
  settlementId?: string
  exceptionId?: string
  directId?: string
}

/** Takes a transfer log for its one use. Returns false if it was taken before. */
export const takeLog = async (tx: Tx, use: LogUse): Promise<boolean> =>
  (await takeLogs(tx, [use])).size === 1

/** As `takeLog`, for many; returns the settlements that got theirs. */
export async function takeLogs(tx: Tx, uses: readonly LogUse[]): Promise<Set<string | null>> {
  const taken = await all<{ settlementId: string | null }>(
    tx,
    sql`insert into pay_link_logs (network, tx_hash, log_index, settlement_id, exception_id, direct_id)
      select * from unnest(${uses.map((use) => use.network)}::text[], ${uses.map((use) => use.txHash)}::text[],
        ${uses.map((use) => use.logIndex)}::integer[], ${uses.map((use) => use.settlementId ?? null)}::text[],
        ${uses.map((use) => use.exceptionId ?? null)}::text[], ${uses.map((use) => use.directId ?? null)}::text[])
      on conflict do nothing returning settlement_id`,
  )
  return new Set(taken.map(({ settlementId }) => settlementId))
}

type LogTaken = { settlementId: string | null; exceptionId: string | null; directId: string | null }

export const findLogUse = (
  on: Reader,
  log: { network: string; txHash: string; logIndex: number },
): Promise<LogTaken | undefined> =>
  one(
    on,
    sql<LogTaken>`select settlement_id, exception_id, direct_id from pay_link_logs
      where network = ${log.network} and tx_hash = ${log.txHash} and log_index = ${log.logIndex}`,
  )

/** The logs of a transaction that have been taken. */
export async function findTakenLogs(
  on: Reader,
  of: { network: string; txHash: string },
): Promise<Set<number>> {
  const rows = await all<{ logIndex: number }>(
    on,
    sql`select log_index from pay_link_logs where network = ${of.network} and tx_hash = ${of.txHash}`,
  )
  return new Set(rows.map((row) => row.logIndex))
}

/** A condition for another room's statement: the log was taken. `log` is a row with network, tx_hash and log_index. */
export const isLogTaken = (log: string): RawBuilder<boolean> =>
  sql.raw(`exists (select from pay_link_logs l where l.network = ${log}.network and l.tx_hash = ${log}.tx_hash
    and l.log_index = ${log}.log_index)`)

/** As `isLogTaken`, for a log that was credited to the settlement. */
export const isLogCredited = (log: CreditedLog): RawBuilder<boolean> =>
  sql.raw(`exists (select from pay_link_logs l where l.network = ${log.network} and l.tx_hash = ${log.txHash}
    and l.log_index = ${log.logIndex} and l.settlement_id = ${log.settlementId})`)
