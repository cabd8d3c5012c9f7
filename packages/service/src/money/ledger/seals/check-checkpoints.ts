import { all, type Reader, sql } from '../../../base/db/sql.ts'
import { equalBytes } from '../../../base/kernel/secrets.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import type { Note } from '../fault.ts'
import {
  type ChainHead,
  type Checkpoint,
  FIRST_PREVIOUS,
  FIRST_SEALS_HEAD,
  nextSealsHead,
  standingOf,
} from './checkpoint.ts'
import { checkpointFault } from './seal-books.ts'
import { findCheckpoints, findSeals } from './store-checkpoints.ts'

const PAGE = 1_000
/** A checkpoint is made every minute. A batch that is older than this and in no checkpoint is a fault. */
const UNSEALED_MINUTES = 15

/** How far the check got: the newest checkpoint, and the seals up to it. */
export type Checked = { newest: Checkpoint | undefined; seals: bigint; sealsHead: Buffer }

/**
 * Checks every checkpoint after `from`: its MAC, its place in the order, and the hash over the seals. The key of an old
 * checkpoint may be unknown by now: the next checkpoint holds its MAC, so a later good one vouches for it.
 */
export async function checkCheckpoints(
  on: Reader,
  {
    from,
    keys,
    note,
    rest,
  }: { from?: Checked; keys: CheckpointKeys; note: Note; rest(): Promise<void> },
): Promise<Checked> {
  let { newest, seals, sealsHead } = from ?? {
    newest: undefined,
    seals: 0n,
    sealsHead: FIRST_SEALS_HEAD,
  }
  for (;;) {
    const page = await findCheckpoints(on, newest?.seq ?? 0n, PAGE)
    for (const checkpoint of page) {
      const standing = standingOf(checkpoint, keys)
      if (standing === 'forged') note('checkpoint', checkpointFault(checkpoint, standing))
      if (checkpoint.seq !== (newest?.seq ?? 0n) + 1n)
        note('checkpoint', `checkpoint ${(newest?.seq ?? 0n) + 1n} is missing`)
      else if (!equalBytes(checkpoint.previous, newest?.mac ?? FIRST_PREVIOUS))
        note('checkpoint', `checkpoint ${checkpoint.seq} does not follow the one before it`)
      ;({ seals, sealsHead } = await walkSeals(on, { seals, sealsHead }, checkpoint.seals))
      if (seals !== checkpoint.seals || !sealsHead.equals(checkpoint.sealsHead))
        note(
          'seals',
          `the seals up to ${checkpoint.seals} are not what checkpoint ${checkpoint.seq} sealed`,
        )
      seals = checkpoint.seals
      sealsHead = checkpoint.sealsHead
      newest = checkpoint
    }
    if (page.length < PAGE) break
    await rest()
  }
  if (newest && standingOf(newest, keys) === 'unknown key')
    note('checkpoint', checkpointFault(newest, 'unknown key'))
  return { newest, seals, sealsHead }
}

async function walkSeals(
  on: Reader,
  at: { seals: bigint; sealsHead: Buffer },
  until: bigint,
): Promise<{ seals: bigint; sealsHead: Buffer }> {
  let { seals, sealsHead } = at
  while (seals < until) {
    const left = until - seals
    const page = await findSeals(on, seals, left < PAGE ? Number(left) : PAGE)
    for (const seal of page) {
      if (seal.seq > until) return { seals, sealsHead }
      sealsHead = nextSealsHead(sealsHead, seal)
      seals = seal.seq
    }
    if (page.length === 0) break
  }
  return { seals, sealsHead }
}

/** Compares the ends of the chains with the newest checkpoint, and looks for batches that no checkpoint covers. */
export async function checkEnds(
  on: Reader,
  {
    heads,
    newest,
    note,
  }: { heads: readonly ChainHead[]; newest: Checkpoint | undefined; note: Note },
): Promise<void> {
  for (const { chain, seq } of newest?.chains ?? []) {
    const end = heads.find((head) => head.chain === chain)?.seq
    if (end === undefined) note('checkpoint', `chain ${chain} is missing`)
    else if (end < seq)
      note(
        'checkpoint',
        `chain ${chain} ends with batch ${end}, but checkpoint ${newest?.seq} sealed it up to batch ${seq}: its tail was cut off`,
      )
  }
  const sealed = newest?.chains ?? []
  const old = await all(
    on,
    sql<{
      chain: number
      seq: bigint
      since: Date
    }>`select c.id as chain, b.seq, b.created_at as since
      from ledger_chains c
        left join unnest(${sealed.map((c) => c.chain)}::integer[], ${sealed.map((c) => c.seq)}::bigint[]) as s (chain, seq)
          on s.chain = c.id
        join lateral (select seq, created_at from ledger_batches b
          where b.chain = c.id and b.seq > coalesce(s.seq, 0) order by b.seq limit 1) b
          on b.created_at < now() - make_interval(mins => ${UNSEALED_MINUTES}::integer)`,
  )
  for (const { chain, seq, since } of old)
    note(
      'checkpoint',
      `chain ${chain}: no checkpoint sealed batch ${seq} of ${since.toISOString()}: start a worker, and look for a checkpoint that was removed`,
    )
}
