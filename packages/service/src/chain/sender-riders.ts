import { all, type Reader, run, send, sql, type Tx } from '../db/sql.ts'
import type { Hex } from '../kernel/assets.ts'
import { type Mined, SEND_COLUMNS, type SendState } from './sender-store.ts'

/** How a ride ended for one of those that took it. */
export type Ride =
  | { id: string; logIndexes: (number | null)[] }
  /** Its authorization moved nothing there, and is unused: it goes once more, by itself. */
  | { id: string; logIndexes: null }

const PREFIX = 'batch:'
export const batchRef = (id: string): string => `${PREFIX}${id}`
/** Whether the send's transaction carries others. */
export const isCarrier = (send: Pick<SendState, 'ref'>): boolean => send.ref.startsWith(PREFIX)

export const findSendsById = (on: Reader, ids: readonly string[]): Promise<SendState[]> =>
  all<SendState>(on, sql`select ${SEND_COLUMNS} from chain_sends where id = any(${ids})`)

export const findRiders = (on: Reader, carriers: readonly string[]): Promise<SendState[]> =>
  all<SendState>(
    on,
    sql`select ${SEND_COLUMNS} from chain_sends where batch_id = any(${carriers}) order by id`,
  )

/** Locks those of the sends that still wait for a transaction. What somebody else holds now is left to them. */
export const lockWaiting = (tx: Tx, ids: readonly string[]): Promise<SendState[]> =>
  all<SendState>(
    tx,
    sql`select ${SEND_COLUMNS} from chain_sends where id = any(${ids}) and state = 'queued' and nonce is null
      and batch_id is null and not is_alone order by id for update skip locked`,
  )

/** Writes down that these, which are locked, ride in the transaction. */
export const storeRiders = (tx: Tx, carrier: string, riders: readonly string[]): void =>
  send(tx, sql`update chain_sends set batch_id = ${carrier} where id = any(${riders})`)

/** Writes the results of a carrier's block down for those that ride in it. Locks them in the order of their ids. */
export function storeRides(
  tx: Tx,
  { carrier, mined, rides }: { carrier: string; mined: Mined; rides: readonly Ride[] },
): void {
  send(tx, sql`select 1 from chain_sends where batch_id = ${carrier} order by id for update`)
  const done = rides.filter((ride) => ride.logIndexes !== null)
  send(
    tx,
    sql`update chain_sends s set state = 'mined', hash = ${mined.hash}, block_number = ${mined.blockNumber},
      block_hash = ${mined.blockHash}, gas_used = ${mined.gasUsed / BigInt(Math.max(rides.length, 1))},
      log_indexes = v.logs::integer[], succeeded = (v.logs::integer[])[1] is not null
    from unnest(${done.map(({ id }) => id)}::text[], ${done.map((ride) => arrayText(ride.logIndexes ?? []))}::text[])
      as v (id, logs)
    where s.id = v.id and s.batch_id = ${carrier} and not s.is_safe`,
  )
  const again = rides.filter((ride) => ride.logIndexes === null)
  send(
    tx,
    sql`update chain_sends set batch_id = null, is_alone = true, state = 'queued', hash = null, succeeded = null,
      block_number = null, block_hash = null, log_indexes = null
    where id = any(${again.map(({ id }) => id)}) and batch_id = ${carrier} and not is_safe`,
  )
}

const arrayText = (logs: readonly (number | null)[]): string =>
  `{${logs.map((log) => log ?? 'NULL').join(',')}}`

export const storeRidesSafe = (tx: Tx, carrier: string, blockHash: Hex): void =>
  send(
    tx,
    sql`update chain_sends set is_safe = true where batch_id = ${carrier} and block_hash = ${blockHash}
      and state = 'mined' and not is_safe`,
  )

/** The carrier's block is gone: those that ride in it wait for another one to hold it. */
export const storeRidesUnmined = (tx: Tx, carrier: string): Promise<number> =>
  run(
    tx,
    sql`update chain_sends set state = 'queued', hash = null, succeeded = null, block_number = null,
        block_hash = null, log_indexes = null
      where batch_id = ${carrier} and state = 'mined' and not is_safe`,
  )

/** Takes a carrier apart that no relayer can pay for: who rode in it goes by itself, which costs less at once. */
export async function dissolve(tx: Tx, carrier: string): Promise<void> {
  await sql`update chain_sends set batch_id = null, is_alone = true where batch_id = ${carrier} and state = 'queued'`.execute(
    tx,
  )
  await sql`delete from chain_sends where id = ${carrier} and state = 'queued' and nonce is null
    and not exists (select from chain_sends where batch_id = ${carrier})`.execute(tx)
}
