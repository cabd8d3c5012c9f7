import { all, one, type Reader, sql } from '../../../base/db/sql.ts'

/** The books as a check found them in order, up to the heads of a checkpoint. */
export type VerifiedState = {
  checkpoint: bigint
  checkpointMac: Buffer
  shape: Buffer
  transfers: bigint
  lines: bigint
  digest: Buffer
  keyId: string
  mac: Buffer
}
export type StatePage = { page: number; content: string }

/** One process at a time writes a state. */
const LOCK = 7283190454n

export const findVerifiedState = (on: Reader): Promise<VerifiedState | undefined> =>
  one(
    on,
    sql<VerifiedState>`select checkpoint, checkpoint_mac, shape, transfers, lines, digest, key_id, mac
      from verified_states order by checkpoint desc limit 1`,
  )

/** The pages of one tally after this one, in their order. */
export const findStatePages = (
  on: Reader,
  { checkpoint, tally, after }: { checkpoint: bigint; tally: string; after: number },
  limit: number,
): Promise<StatePage[]> =>
  all(
    on,
    sql<StatePage>`select page, content from verified_pages
      where checkpoint = ${checkpoint} and tally = ${tally} and page > ${after} order by page limit ${limit}`,
  )

export async function tryLockStates(on: Reader): Promise<boolean> {
  const row = await one<{ isMine: boolean }>(
    on,
    sql`select pg_try_advisory_lock(${LOCK}) as is_mine`,
  )
  return row?.isMine === true
}

export async function unlockStates(on: Reader): Promise<void> {
  await sql`select pg_advisory_unlock(${LOCK})`.execute(on)
}

export async function insertStatePage(
  on: Reader,
  { checkpoint, tally }: { checkpoint: bigint; tally: string },
  { page, content }: StatePage,
): Promise<void> {
  await sql`insert into verified_pages (checkpoint, tally, page, content)
    values (${checkpoint}, ${tally}, ${page}, ${content})`.execute(on)
}

export async function insertVerifiedState(on: Reader, made: VerifiedState): Promise<void> {
  await sql`insert into verified_states (checkpoint, checkpoint_mac, shape, transfers, lines, digest, key_id, mac)
    values (${made.checkpoint}, ${made.checkpointMac}, ${made.shape}, ${made.transfers}, ${made.lines}, ${made.digest},
      ${made.keyId}, ${made.mac})`.execute(on)
}

/** Removes every state but this one, and every page that belongs to no other. */
export async function deleteStatesBut(on: Reader, checkpoint: bigint): Promise<void> {
  await sql`delete from verified_states where checkpoint <> ${checkpoint}`.execute(on)
  await sql`delete from verified_pages where checkpoint <> ${checkpoint}`.execute(on)
}

/** Removes a state of this checkpoint, and pages without a state. */
export async function clearState(on: Reader, checkpoint: bigint): Promise<void> {
  await sql`delete from verified_states where checkpoint = ${checkpoint}`.execute(on)
  await sql`delete from verified_pages p
    where not exists (select from verified_states s where s.checkpoint = p.checkpoint)`.execute(on)
}
