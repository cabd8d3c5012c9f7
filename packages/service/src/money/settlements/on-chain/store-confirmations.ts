import { all, one, type RawBuilder, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import { hasJob } from '../../../base/jobs/queue.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { SEND_IS, SENDS } from '../../../chain/relay/store.ts'

/** The ref of the send that brings a settlement's authorization to the chain. */
export const settleRef = (id: string): string => `settle:${id}`
const REF = sql.raw("'settle:' || s.id")

/** How far the chain has confirmed a settlement that was credited before its block was safe. */
export type Confirmation = { validBefore: bigint; state: 'waiting' | 'final' | 'missing' }

export async function insertConfirmations(
  tx: Tx,
  at: Date,
  of: readonly { settlementId: string; validBefore: bigint; signatureDigest: Buffer }[],
): Promise<void> {
  await sql`insert into settlement_confirmations (settlement_id, valid_before, signature_digest, created_at)
    select *, ${at}::timestamptz from unnest(${of.map((one) => one.settlementId)}::text[],
      ${of.map((one) => one.validBefore)}::numeric[], ${of.map((one) => one.signatureDigest)}::bytea[])`.execute(
    tx,
  )
}

export const findConfirmation = (on: Reader, id: string): Promise<Confirmation | undefined> =>
  one<Confirmation>(
    on,
    sql`select valid_before, state from settlement_confirmations where settlement_id = ${id}`,
  )

/** The digest of the signature that the authorization was claimed with. Undefined if it was not claimed. */
export async function findClaimedSignature(
  on: Reader,
  { network, asset }: { network: string; asset: string },
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<Buffer | undefined> {
  const row = await one<{ signatureDigest: Buffer | null }>(
    on,
    sql`select c.signature_digest from settlements s join settlement_confirmations c on c.settlement_id = s.id
      where s.network = ${network} and s.asset = ${asset} and s.payer = ${from} and s.auth_nonce = ${nonce.toLowerCase()}`,
  )
  return row?.signatureDigest ?? undefined
}

/** SQL for the settlement that a log was credited to, and for the log. */
export type CreditedLog = {
  settlementId: string
  network: string
  txHash: string
  logIndex: string
}
const OWN_LOG: CreditedLog = {
  settlementId: 's.id',
  network: 's.network',
  txHash: 'd.hash',
  logIndex: 'd.log_indexes[1]',
}

/**
 * Confirms every settlement whose own transaction is in a safe block, if `isCredited` for that block's log; the relay has
 * stored the log. `isCredited` makes that condition of SQL for the log.
 */
export const confirmSafe = (
  tx: Tx,
  isCredited: (log: CreditedLog) => RawBuilder<boolean>,
): Promise<number> =>
  run(
    tx,
    sql`update settlement_confirmations c set state = 'final'
      from settlements s join ${SENDS} on d.ref = ${REF}
      where c.settlement_id = s.id and c.state = 'waiting' and s.state = 'settled' and s.tx_hash = d.hash
        and ${SEND_IS.safe} and s.is_swept
        and ${isCredited(OWN_LOG)}`,
  )

/** Confirms a settlement by its transaction in a safe block, which need not be the one it was credited by. */
export async function confirm(tx: Tx, id: string, txHash: string): Promise<void> {
  await sql`update settlement_confirmations set state = 'final' where settlement_id = ${id}`.execute(
    tx,
  )
  await sql`update settlements set tx_hash = ${txHash} where id = ${id}
    and tx_hash is distinct from ${txHash}`.execute(tx)
}

/** Marks a credited settlement that was never paid. False if it was marked, or confirmed, before. */
export const saveMissing = async (tx: Tx, id: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update settlement_confirmations set state = 'missing' where settlement_id = ${id} and state = 'waiting'`,
  )) === 1

/** Unconfirmed settlements that `confirmTask` has no job for, and whether their block only has to become safe. */
export const findWaiting = (
  on: Reader,
  confirmTask: { name: string },
): Promise<{ id: Id<'stl'>; isOnItsWay: boolean }[]> =>
  all(
    on,
    sql<{ id: Id<'stl'>; isOnItsWay: boolean }>`select s.id,
        coalesce(${SEND_IS.mined} and not d.is_safe and d.hash = s.tx_hash, false) as is_on_its_way
      from settlement_confirmations c join settlements s on s.id = c.settlement_id
        left join ${SENDS} on d.ref = ${REF}
      where c.state = 'waiting' and s.state = 'settled' and not ${hasJob(confirmTask, 's.id')}
      order by c.created_at limit 2000`,
  )

/** Settlements credited before this time that no safe block has confirmed: their jobs may be lost. */
export async function findUnconfirmed(on: Reader, before: Date): Promise<Id<'stl'>[]> {
  const rows = await all<{ id: Id<'stl'> }>(
    on,
    sql`select c.settlement_id as id from settlement_confirmations c join settlements s on s.id = c.settlement_id
      where c.state = 'waiting' and s.state = 'settled' and c.created_at < ${before} order by c.created_at limit 500`,
  )
  return rows.map((row) => row.id)
}

/** How many credited settlements a safe block says were never paid, and their sum in base units. */
export const countMissing = (
  on: Reader,
): Promise<{ settlements: bigint; sum: bigint } | undefined> =>
  one(
    on,
    sql<{
      settlements: bigint
      sum: bigint
    }>`select count(*) as settlements, coalesce(sum(s.amount), 0) as sum
      from settlement_confirmations c join settlements s on s.id = c.settlement_id where c.state = 'missing'`,
  )
