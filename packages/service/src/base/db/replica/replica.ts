import { within } from '../../kernel/clock.ts'
import { type Db, isLost, type Reader } from '../sql.ts'
import { readProof, type Unfit } from './proof.ts'
import { type Fault, type Lines, type Watched, watchReplica } from './watch.ts'

/** A standby for reads that may be some seconds old and decide nothing. */
export type Replica = {
  /**
   * Runs reads on the standby, or on the primary if the standby is dead, silent, behind, or a standby no more. They may run on
   * both, and must not write.
   */
  read<T>(work: (on: Reader) => Promise<T>): Promise<T>
  use(): ReplicaUse
  close(): Promise<void>
}

/** `lagSeconds`: the age of the newest rows that the standby is known to show; undefined if it never was fit to be read. */
export type ReplicaUse = {
  fault: Fault | undefined
  lagSeconds: number | undefined
  reads: { replica: number; primary: number }
}

/** So long a read waits for the standby. Then the primary is asked. */
const PATIENCE_MS = 250

class NotFit extends Error {
  override readonly name = 'NotFit'
  readonly fault: Unfit
  constructor(fault: Unfit) {
    super(`the replica is not fit to be read: ${fault}`)
    this.fault = fault
  }
}

/** Opens the standby and watches it. It is read from the first look on that finds it fit. */
export function openReplica(db: Db, watched: Watched): Replica {
  const watch = watchReplica(watched)
  const reads = { replica: 0, primary: 0 }

  /** Each read brings the proof along on its own connection: an address may lead to another server at any time. */
  const ask = <T>(lines: Lines, work: (on: Reader) => Promise<T>): Promise<T> =>
    lines.reads.together(async (on) => {
      const [proof, result] = await Promise.allSettled([readProof(on), work(on)])
      if (proof.status === 'rejected') throw proof.reason
      const unfit = watch.judge(proof.value)
      if (unfit) throw new NotFit(unfit)
      if (result.status === 'rejected') throw result.reason
      return result.value
    })

  /** Undefined if the primary is to be asked: also after a conflict with the replay, and for a row that is not there yet. */
  async function attempt<T>(work: (on: Reader) => Promise<T>): Promise<{ value: T } | undefined> {
    const lines = watch.lines()
    const answer = ask(lines, work).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    const found = await within<Awaited<typeof answer> | undefined>(
      answer,
      PATIENCE_MS,
      () => undefined,
    )
    if (found && 'value' in found) return found
    if (!found) watch.doubt(lines)
    else if (found.error instanceof NotFit) watch.find(lines, found.error.fault)
    else if (isLost(found.error)) watch.find(lines, 'lost')
    return undefined
  }

  return {
    async read(work) {
      const found = watch.fault() === undefined ? await attempt(work) : undefined
      reads[found ? 'replica' : 'primary']++
      return found ? found.value : db.together(work)
    },
    use: () => ({ fault: watch.fault(), lagSeconds: watch.lagSeconds(), reads: { ...reads } }),
    close: watch.close,
  }
}
