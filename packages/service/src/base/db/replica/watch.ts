import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNow, within } from '../../kernel/clock.ts'
import { inSchema, schemaOf } from '../pool/schema.ts'
import { type Db, openDb } from '../sql.ts'
import { keepMarks, type Proof, readMark, readProof, type Unfit } from './proof.ts'

/** Why a replica is not read. */
export type Fault = Unfit | 'silent' | 'lost'

export type Watched = {
  url: string
  primary: { url: string; isPooled: boolean }
  connections: number
  /** The age at which its rows are too old. */
  mostSeconds: number
  /** Hears of each change of what is wrong with the replica. */
  changed?: (fault: Fault | undefined) => void
}

/** The connections to the replica: for reads, and for looks that never wait behind reads. */
export type Lines = { reads: Db; looks: Db }

const LOOK_MS = 500

/** Looks at the replica twice a second, and says whether it is fit to be read. */
export type Watch = {
  lines(): Lines
  fault(): Fault | undefined
  judge(proof: Proof): Unfit | undefined
  /** Notes what a read found on these lines. The replica is read again once a look finds it fit. */
  find(on: Lines, fault: Fault): void
  /**
   * A read on these lines had no answer in time. One that is slow says nothing about the others, and to open all connections anew
   * makes the next ones slow: the replica is left if it does not answer a look in time either.
   */
  doubt(on: Lines): void
  /** The age of the newest rows that it is known to show; undefined if it never was fit. */
  lagSeconds(): number | undefined
  close(): Promise<void>
}

export function watchReplica({ url, primary, connections, mostSeconds, changed }: Watched): Watch {
  const marks = keepMarks()
  const toPrimary = openDb(primary.url, 1, 'probe', primary.isPooled)
  const replica = inSchema(url, schemaOf(primary.url))
  const open = () => ({
    reads: openDb(replica, connections, 'replica'),
    looks: openDb(replica, 1, 'probe'),
  })
  const ending = new AbortController()
  let lines = open()
  let fault: Fault | undefined = 'unknown'
  let doubted: Lines | undefined
  let shownAt: number | undefined

  function find(found: Fault | undefined): void {
    if (found === 'silent' || found === 'lost') {
      // Its connections may be dead while new ones work. None of them is waited for.
      void closeLines(lines)
      lines = open()
    }
    if (found === fault) return
    fault = found
    changed?.(found)
  }

  /** Whether the log is longer than the primary's own: then it is that of another primary. */
  async function isAhead({ log }: Proof): Promise<boolean> {
    const newest = marks.newest()
    if (!newest || log === null || log <= newest.log) return false
    const mark = await inTime(readMark(toPrimary.reader))
    return mark !== undefined && log > mark.log
  }

  /** Before it is read again it answers on the connections for reads too: the first read finds one open. */
  async function lookAt({ looks, reads }: Lines): Promise<Proof> {
    if (fault !== undefined) await readProof(reads.reader)
    return readProof(looks.reader)
  }

  async function doubt(on: Lines): Promise<void> {
    if (doubted === on || fault !== undefined) return
    doubted = on
    const answers = [readProof(on.looks.reader), readProof(on.reads.reader)]
    const answered = await inTime(Promise.all(answers))
    if (doubted === on) doubted = undefined
    if (!answered) findOn(on, 'silent')
  }

  function findOn(on: Lines, found: Fault): void {
    if (on === lines && !ending.signal.aborted) find(found)
  }

  async function look(): Promise<void> {
    const asked = lines
    // A primary that does not answer ages the rows of the replica.
    await inTime(readMark(toPrimary.reader).then(marks.add))
    const proof = await lookAt(asked).catch(() => undefined)
    const ahead = proof !== undefined && (await isAhead(proof))
    if (asked !== lines || ending.signal.aborted) return
    if (!proof) return find('lost')
    shownAt = marks.shownAt(proof) ?? shownAt
    find(ahead ? 'other_history' : marks.judge(proof, mostSeconds * 1000))
  }

  const looking = repeat(look, ending.signal)
  return {
    lines: () => lines,
    fault: () => fault,
    judge: (proof) => marks.judge(proof, mostSeconds * 1000),
    find: findOn,
    doubt: (on) => void doubt(on),
    lagSeconds: () => shownAt && Math.max(0, steadyNow() - shownAt) / 1000,
    async close() {
      ending.abort()
      await Promise.all([closeLines(lines), toPrimary.close(), looking])
    },
  }
}

const closeLines = ({ reads, looks }: Lines): Promise<unknown> =>
  Promise.allSettled([reads.close(), looks.close()])

/** The answer; undefined if it fails or is late. */
const inTime = <T>(answer: Promise<T>): Promise<T | undefined> =>
  within<T | undefined>(
    answer.catch(() => undefined),
    LOOK_MS,
    () => undefined,
  )

async function repeat(look: () => Promise<void>, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    await look()
    await sleep(LOOK_MS, undefined, { signal: ending, ref: false }).catch(() => undefined)
  }
}
