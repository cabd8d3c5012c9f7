import { all, one, type Reader, sql, type Tx } from '../../../base/db/sql.ts'
import type { ChainHead, Checkpoint } from './checkpoint.ts'

type Row = Omit<Checkpoint, 'chains'> & { chains: number[]; seqs: string[]; heads: Buffer[] }

const COLUMNS = sql.raw(
  `seq, chains, seqs::text[], heads, seals, seals_head, previous, key_id, mac, created_at`,
)

const fromRow = ({ chains, seqs, heads, ...rest }: Row): Checkpoint => ({
  ...rest,
  chains: chains.map((chain, i) => ({
    chain,
    seq: BigInt(seqs[i] ?? 0),
    head: heads[i] ?? Buffer.alloc(0),
  })),
})

export async function findNewestCheckpoint(on: Reader): Promise<Checkpoint | undefined> {
  const row = await one(
    on,
    sql<Row>`select ${COLUMNS} from ledger_checkpoints order by seq desc limit 1`,
  )
  return row && fromRow(row)
}

/** The checkpoints after `after`, oldest first. */
export async function findCheckpoints(
  on: Reader,
  after: bigint,
  limit: number,
): Promise<Checkpoint[]> {
  const rows = await all(
    on,
    sql<Row>`select ${COLUMNS} from ledger_checkpoints where seq > ${after} order by seq limit ${limit}`,
  )
  return rows.map(fromRow)
}

export async function findCheckpointByMac(
  on: Reader,
  mac: Buffer,
): Promise<Checkpoint | undefined> {
  const row = await one(on, sql<Row>`select ${COLUMNS} from ledger_checkpoints where mac = ${mac}`)
  return row && fromRow(row)
}

export async function insertCheckpoint(tx: Tx, made: Checkpoint): Promise<void> {
  const { chains } = made
  await sql`insert into ledger_checkpoints (seq, chains, seqs, heads, seals, seals_head, previous, key_id, mac, created_at)
    values (${made.seq}, ${chains.map((c) => c.chain)}::integer[], ${chains.map((c) => c.seq)}::bigint[],
      ${chains.map((c) => c.head)}::bytea[], ${made.seals}, ${made.sealsHead}, ${made.previous}, ${made.keyId},
      ${made.mac}, ${made.createdAt})`.execute(tx)
}

export const readHeads = (on: Reader): Promise<ChainHead[]> =>
  all(on, sql<ChainHead>`select id as chain, seq, head from ledger_chains order by id`)

/** The heads whose batch is no longer in the chain. */
export const findLostHeads = (on: Reader, heads: readonly ChainHead[]): Promise<ChainHead[]> =>
  all(
    on,
    sql<ChainHead>`select h.chain, h.seq, h.head
      from unnest(${heads.map((h) => h.chain)}::integer[], ${heads.map((h) => h.seq)}::bigint[],
        ${heads.map((h) => h.head)}::bytea[]) as h (chain, seq, head)
      where h.seq > 0 and not exists (
        select from ledger_batches b where b.chain = h.chain and b.seq = h.seq and b.hash = h.head)`,
  )

/** Lets one process at a time make a checkpoint. */
export async function lockCheckpoints(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7283190452)`.execute(tx)
}

export type Seal = { seq: bigint; subject: string; digest: Buffer }

/** Takes the oldest rows out of the queue. */
export const takeQueue = (tx: Tx, limit: number): Promise<Seal[]> =>
  all(
    tx,
    sql<Seal>`with taken as (
      delete from seal_queue where seq in (select seq from seal_queue order by seq limit ${limit})
      returning seq, subject, digest)
    select seq, subject, digest from taken order by seq`,
  )

export async function insertSeals(tx: Tx, seals: readonly Seal[]): Promise<void> {
  await sql`insert into seals (seq, subject, digest)
    select * from unnest(${seals.map((s) => s.seq)}::bigint[], ${seals.map((s) => s.subject)}::text[],
      ${seals.map((s) => s.digest)}::bytea[])`.execute(tx)
}

export const findSeals = (on: Reader, after: bigint, limit: number): Promise<Seal[]> =>
  all(
    on,
    sql<Seal>`select seq, subject, digest from seals where seq > ${after} order by seq limit ${limit}`,
  )

export const countSealsAfter = async (on: Reader, after: bigint): Promise<bigint> =>
  (await one(on, sql<{ n: bigint }>`select count(*) as n from seals where seq > ${after}`))?.n ?? 0n

export const hasQueue = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 from seal_queue limit 1`)) !== undefined
