import { all, one, type Reader, run, send, sql, type Tx } from '../../base/db/sql.ts'
import type { Address, Hex } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'

/** A send's row. `raw` and `hash` are those of its newest attempt; once mined, those of the mined attempt. */
export type SendState = {
  id: Id<'snd'>
  ref: string
  toAddress: Address
  data: Buffer
  gas: bigint
  /** The one relayer that may send it; any may if null. */
  onlyRelayer: Address | null
  /** `queued` may have a nonce already, and has no signature. `mined` may still be reorganized away until `isSafe`. */
  state: 'queued' | 'signed' | 'mined'
  relayer: Address | null
  nonce: bigint | null
  raw: Buffer | null
  hash: Hex | null
  succeeded: boolean | null
  blockNumber: bigint | null
  blockHash: Hex | null
  isSafe: boolean
  passedBlock: bigint | null
  /** The send whose transaction carries this one; it has no nonce of its own then. */
  batchId: Id<'snd'> | null
  /** It failed in a batch, so that it goes by itself. */
  isAlone: boolean
  /** Once mined: the block's log that shows the transfer of each of its authorizations, null where there is none. */
  logIndexes: (number | null)[] | null
  createdAt: Date
}

export type Attempt = {
  hash: Hex
  sendId: Id<'snd'>
  relayer: Address
  nonce: bigint
  raw: Buffer
  /** Wei per gas. */
  maxFee: bigint
  maxTip: bigint
  /** The newest block when it was signed. */
  atBlock: bigint
}

/** A send's result in a mined block. */
export type Mined = {
  hash: Hex
  succeeded: boolean
  blockNumber: bigint
  blockHash: Hex
  logIndexes: (number | null)[] | null
  gasUsed: bigint
}

/** How a send ended, by the block that holds its transaction. */
export type Ended = { ref: string; mined: Mined }

/** Unmined sends that one relayer may have: more would wait in the pool, not in a block. */
export const MAX_IN_FLIGHT = 16

const COLUMNS =
  'id, ref, to_address, data, gas, only_relayer, state, relayer, nonce, raw, hash, succeeded, block_number, block_hash, is_safe, passed_block, batch_id, is_alone, log_indexes, created_at'
export const SEND_COLUMNS = sql.raw(COLUMNS)
/** Those of `chain_sends s` beside another table. */
const OWN_COLUMNS = sql.raw(COLUMNS.replaceAll(/\w+/g, 's.$&'))

export const findSends = (on: Reader, refs: readonly string[]): Promise<SendState[]> =>
  all<SendState>(on, sql`select ${SEND_COLUMNS} from chain_sends where ref = any(${refs})`)

/** Everything that has a nonce and is not known to be safe. */
export const findInFlight = (on: Reader): Promise<SendState[]> =>
  all<SendState>(
    on,
    sql`select ${SEND_COLUMNS} from chain_sends
      where (state <> 'mined' or not is_safe) and nonce is not null order by relayer, nonce`,
  )

/** Sends without a nonce that were queued between the two times, oldest first, without those left to their owners. */
export const findQueued = (
  on: Reader,
  range: { from: Date; to: Date; limit: number },
): Promise<SendState[]> =>
  all<SendState>(
    on,
    sql`select ${SEND_COLUMNS} from chain_sends where state = 'queued' and nonce is null and batch_id is null
      and not is_owners and created_at >= ${range.from} and created_at <= ${range.to} order by created_at limit ${range.limit}`,
  )

/** Whether a send has still to end. Those queued before `since` are left to their callers. */
export async function hasUnended(on: Reader, since: Date): Promise<boolean> {
  const row = await one(
    on,
    sql`select 1 from chain_sends where (state <> 'mined' or not is_safe)
      and (nonce is not null or created_at >= ${since}) limit 1`,
  )
  return row !== undefined
}

/** Every attempt of the sends, oldest first. */
/** Whether a relayer of this service has signed this transaction. */
export const isOwnTransaction = async (on: Reader, hash: string): Promise<boolean> =>
  (await one(
    on,
    sql`select 1 from chain_attempts where hash = ${hash}
    union all select 1 from chain_sends where hash = ${hash} limit 1`,
  )) !== undefined

export const findAttempts = (on: Reader, sendIds: readonly string[]): Promise<Attempt[]> =>
  all<Attempt>(
    on,
    sql`select hash, send_id, relayer, nonce, raw, max_fee, max_tip, at_block from chain_attempts
      where send_id = any(${sendIds}) order by created_at, max_fee`,
  )

/**
 * Gives a queued send the next nonce of the relayer, unless the relayer is busy or rests. `count` is the chain's own
 * count of the relayer's transactions. Undefined if the send got none, or has one already.
 */
export async function assignNonce(
  tx: Tx,
  give: { sendId: string; relayer: Address; count: number },
): Promise<SendState | undefined> {
  // One after the other in the database: what is counted is counted under the relayer's lock, so that two callers
  // cannot both take the last place.
  const [row, awake, load] = await Promise.all([
    one(
      tx,
      sql`select 1 from chain_sends where id = ${give.sendId} and state = 'queued' and nonce is null
        and batch_id is null for update`,
    ),
    one(
      tx,
      sql`select 1 from chain_relayers where address = ${give.relayer} and not is_resting for update`,
    ),
    one<{ n: bigint }>(
      tx,
      sql`select count(*) as n from chain_sends
        where relayer = ${give.relayer} and state <> 'mined' and nonce is not null`,
    ),
  ])
  if (!row || !awake || (load?.n ?? 0n) >= MAX_IN_FLIGHT) return undefined
  return one<SendState>(
    tx,
    sql`with taken as (
        update chain_relayers set next_nonce = greatest(next_nonce, ${give.count}) + 1
        where address = ${give.relayer} returning next_nonce - 1 as nonce)
      update chain_sends s set relayer = ${give.relayer}, nonce = taken.nonce from taken where id = ${give.sendId}
      returning ${OWN_COLUMNS}`,
  )
}

/**
 * Locks the relayer of these that has the fewest unmined sends, unless all have as many as they may, rest, or are locked
 * by somebody else. Callers in the same moment may both take the last place of one: the pool then keeps one more.
 */
export const lockTurn = (
  tx: Tx,
  addresses: readonly Address[],
): Promise<{ address: Address; nextNonce: bigint } | undefined> =>
  one(
    tx,
    sql<{
      address: Address
      nextNonce: bigint
    }>`select r.address, r.next_nonce from chain_relayers r
      cross join lateral (select count(*) as sends from chain_sends s
        where s.relayer = r.address and s.state <> 'mined' and s.nonce is not null) busy
      where r.address = any(${addresses}) and not r.is_resting and busy.sends < ${MAX_IN_FLIGHT}
      order by busy.sends, random() limit 1 for update of r skip locked`,
  )

/** Writes a transaction of its own down, with its relayer's nonce and its signed bytes where it has them. */
export function insertTransaction(tx: Tx, row: SendState, attempt: Attempt | undefined): void {
  send(
    tx,
    sql`insert into chain_sends (id, ref, to_address, data, gas, state, relayer, nonce, raw, hash, created_at)
      values (${row.id}, ${row.ref}, ${row.toAddress}, ${row.data}, ${row.gas}, ${row.state}, ${row.relayer},
        ${row.nonce}, ${row.raw}, ${row.hash}, ${row.createdAt})`,
  )
  if (row.nonce !== null)
    send(
      tx,
      sql`update chain_relayers set next_nonce = ${row.nonce + 1n} where address = ${row.relayer}`,
    )
  if (attempt)
    send(
      tx,
      sql`insert into chain_attempts (hash, send_id, relayer, nonce, raw, max_fee, max_tip, at_block)
        values (${attempt.hash}, ${attempt.sendId}, ${attempt.relayer}, ${attempt.nonce}, ${attempt.raw},
          ${attempt.maxFee}, ${attempt.maxTip}, ${attempt.atBlock})`,
    )
}

type Queued = Pick<SendState, 'id' | 'ref' | 'gas' | 'batchId'> & {
  to: Address
  data: Hex
  onlyRelayer?: Address | undefined
  isOwners?: boolean | undefined
}

/** Stores sends that wait for a transaction or are batch items. A send with a known `ref` stays as it is. */
export function insertQueued(tx: Tx, at: Date, rows: readonly Queued[]): void {
  if (rows.length === 0) return
  const column = (pick: (row: Queued) => unknown) => rows.map(pick)
  send(
    tx,
    sql`insert into chain_sends (id, ref, to_address, data, gas, batch_id, only_relayer, is_owners, created_at)
      select *, ${at}::timestamptz from unnest(${column(({ id }) => id)}::text[], ${column(({ ref }) => ref)}::text[],
        ${column(({ to }) => to)}::text[], ${column(({ data }) => Buffer.from(data.slice(2), 'hex'))}::bytea[],
        ${column(({ gas }) => gas)}::bigint[], ${column(({ batchId }) => batchId)}::text[],
        ${column(({ onlyRelayer }) => onlyRelayer ?? null)}::text[],
        ${column(({ isOwners }) => isOwners ?? false)}::boolean[])
      on conflict (ref) do nothing`,
  )
}

/** Deletes a send that has no transaction yet. */
export const deleteQueued = (tx: Tx, ref: string): Promise<number> =>
  run(
    tx,
    sql`delete from chain_sends where ref = ${ref} and state = 'queued' and nonce is null and batch_id is null`,
  )

/** Stores a signed attempt in the place of `replaces`. False if another process was first: its bytes count. */
export async function storeAttempt(
  tx: Tx,
  attempt: Attempt,
  replaces: Hex | null,
): Promise<boolean> {
  const taken = await one(
    tx,
    sql`with taken as (
        update chain_sends set state = 'signed', raw = ${attempt.raw}, hash = ${attempt.hash}
        where id = ${attempt.sendId} and relayer = ${attempt.relayer} and nonce = ${attempt.nonce}
          and state <> 'mined' and hash is not distinct from ${replaces}::text returning 1),
      stored as (
        insert into chain_attempts (hash, send_id, relayer, nonce, raw, max_fee, max_tip, at_block)
        select ${attempt.hash}, ${attempt.sendId}, ${attempt.relayer}, ${attempt.nonce}::bigint, ${attempt.raw}::bytea,
          ${attempt.maxFee}::numeric, ${attempt.maxTip}::numeric, ${attempt.atBlock}::bigint from taken
        on conflict (hash) do nothing)
      select 1 from taken`,
  )
  return taken !== undefined
}

/**
 * Writes down the block that holds one of the send's attempts. The send takes on that attempt's nonce: had it got
 * another since, that one is a gap now, and is filled. A send that had got this nonce is queued again.
 */
export function storeMined(tx: Tx, id: string, mined: Mined): void {
  const others = sql`chain_attempts a where a.hash = ${mined.hash}
    and s.relayer = a.relayer and s.nonce = a.nonce and s.id <> ${id} and not s.is_safe`
  send(tx, sql`delete from chain_sends s using ${others} and s.ref like 'fill:%'`)
  send(
    tx,
    sql`update chain_sends s set state = 'queued', relayer = null, nonce = null, raw = null, hash = null,
      succeeded = null, block_number = null, block_hash = null, log_indexes = null, passed_block = null from ${others}`,
  )
  send(
    tx,
    sql`update chain_sends s set state = 'mined', succeeded = ${mined.succeeded}, hash = a.hash,
      raw = case when s.hash = a.hash then s.raw else a.raw end,
      relayer = a.relayer, nonce = a.nonce, block_number = ${mined.blockNumber}, block_hash = ${mined.blockHash},
      passed_block = null, log_indexes = ${mined.logIndexes}, gas_used = ${mined.gasUsed}
    from chain_attempts a where a.hash = ${mined.hash} and s.id = ${id} and not s.is_safe`,
  )
}

export const storeSafe = (tx: Tx, id: string, blockHash: Hex): void =>
  send(
    tx,
    sql`update chain_sends set is_safe = true where id = ${id} and block_hash = ${blockHash}`,
  )

/** A reorganization took its block away: it is unmined again, with the bytes that it had. */
export async function storeUnmined(tx: Tx, id: string, blockHash: Hex | null): Promise<number> {
  return run(
    tx,
    sql`update chain_sends s set state = 'signed', succeeded = null, block_number = null, block_hash = null, log_indexes = null,
        hash = a.hash, raw = a.raw
      from (select hash, raw from chain_attempts where send_id = ${id}
        order by created_at desc, max_fee desc limit 1) a
      where s.id = ${id} and s.state = 'mined' and not s.is_safe and s.block_hash is not distinct from ${blockHash}::text`,
  )
}

/** Remembers by which block the chain had used the send's nonce though none of our attempts was found. */
export const storePassed = (tx: Tx, id: string, block: bigint | null): Promise<number> =>
  run(tx, sql`update chain_sends set passed_block = ${block} where id = ${id} and state = 'signed'`)

/**
 * Takes the nonce from an unmined send, so that it gets another. It still acts only once: an EIP-3009
 * nonce in its data is used once, whichever attempt is first, and all of them are still looked for.
 */
export async function requeue(
  tx: Tx,
  send: Pick<SendState, 'id' | 'relayer' | 'nonce'>,
): Promise<void> {
  const freed = await run(
    tx,
    sql`update chain_sends set state = 'queued', relayer = null, nonce = null, raw = null, hash = null, passed_block = null
      where id = ${send.id} and state <> 'mined' and relayer = ${send.relayer} and nonce = ${send.nonce}`,
  )
  // The newest nonce goes back whole; an older one leaves a gap, which is filled.
  if (freed > 0)
    await sql`update chain_relayers set next_nonce = ${send.nonce}
      where address = ${send.relayer} and next_nonce = ${send.nonce}::bigint + 1`.execute(tx)
}

export const isFiller = (send: Pick<SendState, 'ref'>): boolean => send.ref.startsWith('fill:')

/** Forgets a filler whose nonce something else used. */
export const dropFiller = (tx: Tx, id: string): Promise<number> =>
  run(tx, sql`delete from chain_sends where id = ${id} and ref like 'fill:%' and state <> 'mined'`)

/**
 * Nonces of the relayer from the chain's count on that were given out and belong to no send any more: whatever comes
 * after them waits for ever. Locks the relayer, so that none is about to be taken.
 */
export async function lockGaps(
  tx: Tx,
  gap: { relayer: Address; count: number; limit: number },
): Promise<{ nonce: bigint }[]> {
  // A statement of its own: one that waits for the lock would still see the sends as they were before it waited.
  await sql`select 1 from chain_relayers where address = ${gap.relayer} for update`.execute(tx)
  return all(
    tx,
    sql`with r as (select next_nonce from chain_relayers where address = ${gap.relayer} and not is_resting)
      select n.nonce from r, generate_series(${gap.count}::bigint, r.next_nonce - 1) as n (nonce)
      where not exists (select 1 from chain_sends s where s.relayer = ${gap.relayer} and s.nonce = n.nonce)
      order by 1 limit ${gap.limit}`,
  )
}

/** Writes a transfer of nothing to the relayer itself, under a nonce that must be used by something. */
export async function insertFiller(
  tx: Tx,
  at: Date,
  filler: { id: Id<'snd'>; relayer: Address; nonce: bigint },
): Promise<void> {
  const { id, relayer, nonce } = filler
  await sql`insert into chain_sends (id, ref, to_address, data, gas, relayer, nonce, created_at)
    values (${id}, ${`fill:${id}`}, ${relayer}, ''::bytea, 21000, ${relayer}, ${nonce}, ${at})`.execute(
    tx,
  )
}

/** The sends as `d`, for a join in another room's statement: `d.ref` is the ref that the room gave its send. */
export const SENDS = sql.raw('chain_sends d')
/** Conditions on `d`. */
export const SEND_IS = {
  /** It has no transaction yet, alone or in a batch. */
  fresh: sql.raw("(d.state = 'queued' and d.nonce is null and d.batch_id is null)"),
  mined: sql.raw("(d.state = 'mined')"),
  safe: sql.raw("(d.state = 'mined' and d.is_safe)"),
  reverted: sql.raw("(d.state = 'mined' and not d.succeeded)"),
}
