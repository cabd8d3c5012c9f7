import type { Clock } from '../../base/kernel/clock.ts'
import type { Environment } from '../../chain/client/signers/open.ts'

/** The parts of the process that the service uses. */
export type Host = {
  fetch: typeof globalThis.fetch
  clock: Clock
  env: Environment
  pid: number
  /** A word of the command line that identifies the process. */
  program: string
  /** Prints a line to the terminal. */
  print(line: string): void
  complain(line: string): void
}
