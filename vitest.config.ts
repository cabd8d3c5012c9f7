import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { closingLine } from './packages/service/test/run/closing-line.ts'
import { LongestFirst } from './packages/service/test/run/longest-first.ts'
import { type Kind, testFiles } from './packages/service/test/run/projects.ts'

// The SDK is tested as it is written, not as it was last built. A dependency has sources of its own behind `source`.
const conditions = ['purser-source']

const files = testFiles(import.meta.dirname)
/** One PostgreSQL for the project's files, and a chain for each process. */
const WITH_WORLD = {
  globalSetup: ['packages/service/test/run/global-setup.ts'],
  setupFiles: ['packages/service/test/run/before-file.ts'],
}
const projectOf = (name: Kind, test = {}) =>
  ({ extends: true, test: { name, include: files[name], ...test } }) as const

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    projects: [
      projectOf('unit'),
      projectOf('world', WITH_WORLD),
      projectOf('slow', WITH_WORLD),
      // An installation takes minutes, and a quarter of an hour where others want the cores too.
      projectOf('machines', { ...WITH_WORLD, testTimeout: 5_400_000 }),
    ],
    // Modules hold no state, so files can share a process: ten times as fast as one each.
    isolate: false,
    pool: 'forks',
    // Most of what a test makes is garbage when it ends: with room for it, collecting takes a tenth less CPU time.
    // Few functions run so often that optimized code repays its compiling: waiting longer for it takes a twentieth less.
    execArgv: [
      '--max-semi-space-size=64',
      '--min-semi-space-size=16',
      '--invocation-count-for-maglev=1200',
      '--invocation-count-for-turbofan=20000',
    ],
    // Half of the time a file waits for blocks, processes and deadlines: three more than the cores keep them busy.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: LongestFirst },
    // Tests of a file that run together wait for the deadlines of others, not for a core.
    maxConcurrency: 8,
    // Limits for what hangs, not for what is slow: beside twenty busy programs a test of four seconds took five minutes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000 } },
    reporters: ['default', closingLine()],
  },
})
