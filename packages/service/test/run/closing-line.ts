import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SLOWEST = 10

/**
 * Ends the run's output with the slowest files, and with `N passed, N failed` on its own line. A failure outside a test
 * counts as failed.
 */
export const closingLine = (): Reporter => ({
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      passed += states.filter((state) => state === 'passed').length
      const failures = states.filter((state) => state === 'failed').length
      failed += failures === 0 && !module.ok() ? 1 : failures
    }
    process.stdout.write(slowestOf(modules))
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
  },
})

/** The slowest files, including their hooks and imports; empty if only a few files ran. */
function slowestOf(modules: readonly TestModule[]): string {
  if (modules.length <= SLOWEST) return ''
  const secondsOf = (module: TestModule): number => {
    const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic()
    return (duration + collectDuration + setupDuration + prepareDuration) / 1000
  }
  return modules
    .toSorted((a, b) => secondsOf(b) - secondsOf(a))
    .slice(0, SLOWEST)
    .map((module) => {
      const path = relative(process.cwd(), module.moduleId)
      return `${secondsOf(module).toFixed(1).padStart(6)} s  ${path}\n`
    })
    .join('')
}
