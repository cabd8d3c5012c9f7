import type { Tx } from '../../base/db/sql.ts'
import type { Started } from './batch/store.ts'
import type { Ended, SendState } from './store.ts'

/**
 * Rows that a caller stores in the same transaction as its send's block, which saves a commit. Callers with the same `run`
 * are stored together; it returns one outcome each, in order.
 */
export type Ending<Intent, Outcome> = {
  intent: Intent
  run(tx: Tx, ended: readonly (Ended & { intent: Intent })[]): Promise<Outcome[]>
}
export type AnyEnding = Ending<unknown, unknown>

/** How a wait ended: with the outcome of the caller's ending, with a mined send, or with neither at the timeout. */
export type Waited<Outcome> = { outcome: Outcome } | { send: SendState | undefined }

/** A caller that waits for a send. */
export type Waiter = {
  ref: string
  started: Started | undefined
  ending: AnyEnding | undefined
  /** How often its receipt was looked for. */
  looks: number
  end(waited: Waited<unknown>): void
  fail(error: unknown): void
  /** While its end is being stored, it does not time out. */
  isHeld: boolean
  release(): void
  /** The error of the last look; thrown at the timeout unless a later look succeeds. */
  trouble: unknown
  /** Whether it was submitted, or a round has tried to. */
  isTried: boolean
}

/** Submits and looks for all who wait in this process. */
export type Loop = {
  waiters: Set<Waiter>
  /** Woken when there is something to submit, and to look for. */
  toSubmit: WakeUp
  toLook: WakeUp
  gathering: NodeJS.Timeout | undefined
  /** Ids of the transactions that this loop has broadcast. */
  submitted: Set<string>
  /** How long it has waited since the last submission. */
  waitedMs: number
  isOver: boolean
}

/** A sleep that `wake` cuts short. A `wake` while nobody sleeps cuts the next sleep short. */
export type WakeUp = { wake(): void; sleep(ms: number): Promise<void> }

export function createWakeUp(): WakeUp {
  let isWoken = false
  let end: (() => void) | undefined
  return {
    wake() {
      isWoken = true
      end?.()
    },
    async sleep(ms) {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isWoken = false
      end = undefined
    },
  }
}
