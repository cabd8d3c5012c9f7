import type { Services, Uses } from '../../api/http/services.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { type AlarmKind, countAlarms } from '../../links/reconcile/store.ts'
import { type Cursor, findCursor } from '../../links/watcher/store.ts'
import { readKeptGas } from './kept.ts'

export type Component = {
  component: 'chain' | 'books' | 'relayers' | 'watcher'
  status: 'operational' | 'degraded'
  sentence: string
}

const BOOKS: readonly AlarmKind[] = [
  'custody',
  'not_compared',
  'books',
  'checkpoint',
  'moved_transfer',
  'missing_settlement',
  'missing_pull',
  'undone_payout',
]
/** A lag of fewer blocks is normal. */
const BEHIND_BLOCKS = 64n
/** If the head is this far beyond the watcher's last look, no watcher is running. */
const STILL_BLOCKS = 2_000n

/** The state of the parts in public words, without sums and addresses. */
export async function readComponents(
  { db, chain }: Services,
  head: number | null,
): Promise<Component[]> {
  const [counts, cursor, gas] = await Promise.all([
    countAlarms(db.reader),
    findCursor(db.reader, chain.network),
    head === null ? undefined : readGasLevel({ chain }),
  ])
  const alarmed = new Set(counts.map(({ kind }) => kind))
  return [
    part(
      'chain',
      head === null && 'The chain does not answer: operations that need it wait.',
      'The chain answers.',
    ),
    part(
      'books',
      BOOKS.some((kind) => alarmed.has(kind)) &&
        'The books and the chain do not agree. An alarm is raised, and nothing is repaired by itself.',
      'The books and the chain agree.',
    ),
    part(
      'relayers',
      gas === undefined
        ? 'The gas of the relayers is unknown: the chain does not answer.'
        : gas.level === 'out' && gas.sentence,
      gas?.sentence ?? '',
    ),
    part('watcher', watcherTrouble(cursor, head), 'Transfers are seen as they arrive.'),
  ]
}

/** Undefined if the chain does not answer. */
async function readGasLevel(of: Uses<'chain'>) {
  try {
    return await readKeptGas(of.chain)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'chain_unavailable')) throw error
    return undefined
  }
}

const part = (
  component: Component['component'],
  trouble: string | false | undefined,
  otherwise: string,
): Component =>
  trouble
    ? { component, status: 'degraded', sentence: trouble }
    : { component, status: 'operational', sentence: otherwise }

function watcherTrouble(cursor: Cursor | undefined, head: number | null): string | undefined {
  if (!cursor) return 'The chain has not been read for transfers yet.'
  const { behind, percent } = progressOf(cursor)
  if (behind > BEHIND_BLOCKS)
    return `Earlier transfers are still being read: ${behind} blocks to go, ${percent} % done.`
  if (cursor.safe !== null && head !== null && BigInt(head) - cursor.safe > STILL_BLOCKS)
    return 'Nothing reads the chain for transfers. Is a worker running?'
  return undefined
}

/** How many safe blocks are left to read, and the percentage of the backlog that has been read. */
export function progressOf({ block, safe, behindFrom }: Cursor): {
  behind: bigint
  percent: number
} {
  const behind = safe !== null && safe > block ? safe - block : 0n
  const from = behindFrom ?? block
  const whole = behind + block - from
  return { behind, percent: whole > 0n ? Number((100n * (block - from)) / whole) : 100 }
}
