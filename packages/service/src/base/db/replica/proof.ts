import { steadyNow } from '../../kernel/clock.ts'
import { one, type Reader, sql } from '../sql.ts'

/** Where the primary's log stood. `at` is of this process's steady clock, in milliseconds, from before it was asked. */
export type Mark = { at: number; log: bigint; timeline: number; cluster: string }

/** The server's account of itself. `timeline` is null if the role may not see it, or nothing streams. */
export type Proof = {
  isStandby: boolean
  /** How far of the primary's log it shows. */
  log: bigint | null
  timeline: number | null
  /** The newest timeline that is known to be in its rows: it may be an older one than theirs. */
  reached: number
  cluster: string
}

/** The cluster's identifier, which its standbys have too, and the database in it. */
const CLUSTER = sql`(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database())`

/**
 * Asks the primary. What is not yet flushed is no part of the answer: a standby gets it later, and on an idle primary it may
 * stay unflushed for seconds.
 */
export async function readMark(on: Reader): Promise<Mark> {
  const at = steadyNow()
  const row = await one(
    on,
    sql<Omit<Mark, 'at'>>`select (pg_current_wal_flush_lsn() - '0/0')::bigint as log,
      ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer as timeline, ${CLUSTER} as cluster`,
  )
  if (!row) throw new Error('the primary did not say where its log stands')
  return { at, ...row }
}

/** Asks a server that is to be a standby. */
export async function readProof(on: Reader): Promise<Proof> {
  const row = await one(
    on,
    sql<Proof>`select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0')::bigint as log,
      (select received_tli from pg_stat_wal_receiver) as timeline,
      (select min_recovery_end_timeline from pg_control_recovery()) as reached, ${CLUSTER} as cluster`,
  )
  if (!row) throw new Error('the replica did not say what it is')
  return row
}

export async function isStandby(on: Reader): Promise<boolean> {
  const row = await one(on, sql<{ isOne: boolean }>`select pg_is_in_recovery() as is_one`)
  return row?.isOne === true
}

/** The reasons why nothing is read from a server. */
export type Unfit = 'unknown' | 'other_database' | 'takes_writes' | 'other_history' | 'behind'

/** For so long marks are kept: a replica that is behind by more is shown as behind by more with each second. */
const KEPT_MS = 3_600_000

/**
 * Remembers where the primary's log stood, and says by it how old the rows of a standby are. The standby's own clock and the
 * time of its last transaction are no measure: on an idle primary both say that it is behind.
 */
export function keepMarks() {
  let marks: Mark[] = []
  const newest = () => marks.at(-1)
  /** When the rows that the server shows were the primary's; undefined if before the first mark. */
  const shownAt = ({ log }: Proof): number | undefined =>
    log === null ? undefined : marks.findLast((mark) => mark.log <= log)?.at
  return {
    add(mark: Mark): void {
      // The log of a new primary goes another way from where it was promoted.
      if (newest()?.timeline !== mark.timeline) marks = []
      marks.push(mark)
      const first = marks.findIndex(({ at }) => mark.at - at <= KEPT_MS)
      if (first > 0) marks.splice(0, first)
    },
    newest,
    shownAt,
    /** Why nothing may be read from the server whose rows are older than `mostMs`; undefined if it may. */
    judge(proof: Proof, mostMs: number): Unfit | undefined {
      const mark = newest()
      if (!mark) return 'unknown'
      if (proof.cluster !== mark.cluster) return 'other_database'
      if (!proof.isStandby) return 'takes_writes'
      if (proof.timeline !== null && proof.timeline !== mark.timeline) return 'other_history'
      // It was promoted, took writes, and was made a standby again without their removal. Nothing streams to it.
      if (proof.reached > mark.timeline) return 'other_history'
      const at = shownAt(proof)
      return at === undefined || steadyNow() - at > mostMs ? 'behind' : undefined
    },
  }
}
