import { all, type Reader, run, send, sql, type Tx } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { type Mined, SEND_COLUMNS, type SendState } from '../store.ts'
import type { SignedAuthorization } from './contract.ts'

/** A send that shares a batch's transaction, with the authorizations that it submits to the token. */
export type BatchItem = { id: string; ref: string; items: readonly SignedAuthorization[] }
/** A transaction that this process wrote down, and its batch items: none if it is a single send's own. */
export type Started = { send: SendState; items: readonly BatchItem[] }

/** How a batch item ended. */
export type ItemEnd =
  | { id: string; logIndexes: (number | null)[] }
  /** Its authorization moved nothing and is unused: it is sent once more, alone. */
  | { id: string; logIndexes: null }

const PREFIX = 'batch:'
export const batchRef = (id: string): string => `${PREFIX}${id}`
/** Whether the send is a batch: its transaction carries other sends. */
export const isBatch = (send: Pick<SendState, 'ref'>): boolean => send.ref.startsWith(PREFIX)

export const findSendsById = (on: Reader, ids: readonly string[]): Promise<SendState[]> =>
  all<SendState>(on, sql`select ${SEND_COLUMNS} from chain_sends where id = any(${ids})`)

export const findItems = (on: Reader, batchIds: readonly string[]): Promise<SendState[]> =>
  all<SendState>(
    on,
    sql`select ${SEND_COLUMNS} from chain_sends where batch_id = any(${batchIds}) order by id`,
  )

/** Locks those of the sends that have no transaction yet. Skips what another process holds: it submits those. */
export const lockWaiting = (tx: Tx, ids: readonly string[]): Promise<SendState[]> =>
  all<SendState>(
    tx,
    sql`select ${SEND_COLUMNS} from chain_sends where id = any(${ids}) and state = 'queued' and nonce is null
      and batch_id is null and not is_alone order by id for update skip locked`,
  )

/** Puts these sends, which are locked, into the batch. */
export const storeItems = (tx: Tx, batchId: string, ids: readonly string[]): void =>
  send(tx, sql`update chain_sends set batch_id = ${batchId} where id = any(${ids})`)

/** Stores how each item of a mined batch ended. Locks the items in the order of their ids. */
export function storeItemEnds(
  tx: Tx,
  { batchId, mined, ends }: { batchId: string; mined: Mined; ends: readonly ItemEnd[] },
): void {
  send(tx, sql`select 1 from chain_sends where batch_id = ${batchId} order by id for update`)
  const done = ends.filter((end) => end.logIndexes !== null)
  send(
    tx,
    sql`update chain_sends s set state = 'mined', hash = ${mined.hash}, block_number = ${mined.blockNumber},
      block_hash = ${mined.blockHash}, gas_used = ${mined.gasUsed / BigInt(Math.max(ends.length, 1))},
      log_indexes = v.logs::integer[], succeeded = (v.logs::integer[])[1] is not null
    from unnest(${done.map(({ id }) => id)}::text[], ${done.map((end) => arrayText(end.logIndexes ?? []))}::text[])
      as v (id, logs)
    where s.id = v.id and s.batch_id = ${batchId} and not s.is_safe`,
  )
  const again = ends.filter((end) => end.logIndexes === null)
  send(
    tx,
    sql`update chain_sends set batch_id = null, is_alone = true, state = 'queued', hash = null, succeeded = null,
      block_number = null, block_hash = null, log_indexes = null
    where id = any(${again.map(({ id }) => id)}) and batch_id = ${batchId} and not is_safe`,
  )
}

const arrayText = (logs: readonly (number | null)[]): string =>
  `{${logs.map((log) => log ?? 'NULL').join(',')}}`

export const storeItemsSafe = (tx: Tx, batchId: string, blockHash: Hex): void =>
  send(
    tx,
    sql`update chain_sends set is_safe = true where batch_id = ${batchId} and block_hash = ${blockHash}
      and state = 'mined' and not is_safe`,
  )

/** The batch's block is gone: its items wait until another block holds the batch. */
export const storeItemsUnmined = (tx: Tx, batchId: string): Promise<number> =>
  run(
    tx,
    sql`update chain_sends set state = 'queued', hash = null, succeeded = null, block_number = null,
        block_hash = null, log_indexes = null
      where batch_id = ${batchId} and state = 'mined' and not is_safe`,
  )

/** Takes a batch apart that no relayer can pay for: each item is sent alone, which needs less gas at once. */
export async function dissolveBatch(tx: Tx, batchId: string): Promise<void> {
  await sql`update chain_sends set batch_id = null, is_alone = true where batch_id = ${batchId} and state = 'queued'`.execute(
    tx,
  )
  await sql`delete from chain_sends where id = ${batchId} and state = 'queued' and nonce is null
    and not exists (select from chain_sends where batch_id = ${batchId})`.execute(tx)
}
