import { all, one, type Reader, run, sql, type Tx } from '../db/sql.ts'
import { hasJob } from '../jobs/queue.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import type { Id } from '../kernel/ids.ts'
import { confirmSettlementTask, sweepLinkTask } from './methods/tasks.ts'
import type { PayLink, Settlement } from './store.ts'

/** Ends those of the settlements that were on their way, each by the transaction that paid it; answers their ids. */
export async function endSettled(
  tx: Tx,
  at: Date,
  paid: readonly { id: string; txHash: Hex; isSwept: boolean }[],
): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    tx,
    sql`update settlements s set state = 'settled', reason = null, tx_hash = v.tx_hash,
        is_swept = v.is_swept, settled_at = ${at}
      from (select distinct on (id) * from unnest(${paid.map(({ id }) => id)}::text[],
        ${paid.map(({ txHash }) => txHash)}::text[], ${paid.map(({ isSwept }) => isSwept)}::boolean[])
        as v (id, tx_hash, is_swept)) v
      where s.id = v.id and s.state = 'settling' returning s.id`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Whether a claim has still to end. */
export const hasSettling = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 from settlements where state = 'settling' limit 1`)) !== undefined

/** Marks final whatever the sender has seen in a safe block, by the very log that was credited. */
export const saveFinal = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`update pay_link_confirmations c set state = 'final'
      from settlements s
        join chain_sends d on d.ref = 'settle:' || s.id
        join pay_link_logs l on l.settlement_id = s.id and l.tx_hash = d.hash and l.log_index = d.log_indexes[1]
      where c.settlement_id = s.id and c.state = 'waiting' and s.state = 'settled' and s.tx_hash = d.hash
        and d.state = 'mined' and d.is_safe and s.is_swept`,
  )

/** Credited settlements without a job that are not final; whether only their block has still to be safe. */
export const findWaiting = (on: Reader): Promise<{ id: Id<'stl'>; isOnItsWay: boolean }[]> =>
  all(
    on,
    sql<{ id: Id<'stl'>; isOnItsWay: boolean }>`select s.id,
        coalesce(d.state = 'mined' and not d.is_safe and d.hash = s.tx_hash, false) as is_on_its_way
      from pay_link_confirmations c join settlements s on s.id = c.settlement_id
        left join chain_sends d on d.ref = 'settle:' || s.id
      where c.state = 'waiting' and s.state = 'settled'
        and not ${hasJob(confirmSettlementTask, 's.id')}
      order by c.created_at limit 2000`,
  )

/** Settlements of authorizations with these nonces, whoever signed them. */
export const findSettlementsByNonce = (
  on: Reader,
  nonces: readonly (Hex | null)[],
): Promise<Pick<Settlement, 'network' | 'asset' | 'payer' | 'authNonce'>[]> =>
  all(
    on,
    sql<Settlement>`select network, asset, payer, auth_nonce from settlements
      where auth_nonce = any(${nonces}::text[])`,
  )

/** Settlements that were begun before this time and have not ended. */
export async function findSettling(on: Reader, before: Date): Promise<Id<'stl'>[]> {
  const rows = await all<{ id: Id<'stl'> }>(
    on,
    sql`select id from settlements where state = 'settling' and created_at < ${before}
      order by id limit 500`,
  )
  return rows.map((row) => row.id)
}

/** How far the chain has confirmed a settlement that was credited before its block was safe. */
export type Confirmation = { validBefore: bigint; state: 'waiting' | 'final' | 'missing' }

export async function insertConfirmations(
  tx: Tx,
  at: Date,
  of: readonly { settlementId: string; validBefore: bigint; signatureDigest: Buffer }[],
): Promise<void> {
  await sql`insert into pay_link_confirmations (settlement_id, valid_before, signature_digest, created_at)
    select *, ${at}::timestamptz from unnest(${of.map((one) => one.settlementId)}::text[],
      ${of.map((one) => one.validBefore)}::numeric[], ${of.map((one) => one.signatureDigest)}::bytea[])`.execute(
    tx,
  )
}

/** The digest of the signature that the authorization was claimed with. Undefined if it was not claimed. */
export async function findClaimedSignature(
  on: Reader,
  { network, asset }: Pick<PayLink, 'network' | 'asset'>,
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<Buffer | undefined> {
  const row = await one<{ signatureDigest: Buffer | null }>(
    on,
    sql`select c.signature_digest from settlements s join pay_link_confirmations c on c.settlement_id = s.id
      where s.network = ${network} and s.asset = ${asset} and s.payer = ${from} and s.auth_nonce = ${nonce.toLowerCase()}`,
  )
  return row?.signatureDigest ?? undefined
}

export const findConfirmation = (on: Reader, id: string): Promise<Confirmation | undefined> =>
  one<Confirmation>(
    on,
    sql`select valid_before, state from pay_link_confirmations where settlement_id = ${id}`,
  )

/** Marks a credited settlement that was never paid. False where it was marked, or confirmed, before. */
export const saveMissing = async (tx: Tx, id: string): Promise<boolean> =>
  (await run(
    tx,
    sql`update pay_link_confirmations set state = 'missing' where settlement_id = ${id} and state = 'waiting'`,
  )) === 1

/** Settlements credited before this time that no safe block has confirmed: their jobs may be lost. */
export async function findUnconfirmed(on: Reader, before: Date): Promise<Id<'stl'>[]> {
  const rows = await all<{ id: Id<'stl'> }>(
    on,
    sql`select c.settlement_id as id from pay_link_confirmations c join settlements s on s.id = c.settlement_id
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
      from pay_link_confirmations c join settlements s on s.id = c.settlement_id where c.state = 'missing'`,
  )

/** The settlement's money has left the link's address. */
export async function markSwept(tx: Tx, id: string): Promise<void> {
  await sql`update settlements set is_swept = true where id = ${id} and not is_swept`.execute(tx)
}

/** Settlements older than this whose money stands at their link's address, and that no job is sweeping. */
export async function findUnswept(
  on: Reader,
  of: { before: Date; least: bigint },
): Promise<string[]> {
  const rows = await all<{ id: string }>(
    on,
    sql`select id from settlements s where not is_swept and created_at < ${of.before}
      and amount >= ${of.least}
      and not ${hasJob(sweepLinkTask, 's.id')} order by id limit 100`,
  )
  return rows.map((row) => row.id)
}

/** Addresses below which money of the house may stand until it is swept to the treasury. */
export async function findUnsweptAddresses(on: Reader, network: string): Promise<Address[]> {
  const rows = await all<{ depositAddress: Address }>(
    on,
    sql`select distinct l.deposit_address from pay_links l join settlements s on s.pay_link_id = l.id
      where l.network = ${network} and not s.is_swept`,
  )
  return rows.map((row) => row.depositAddress)
}
