import type { Reporter } from 'vitest/node'

/** Ends the run's output with `N passed, N failed` on a line of its own; what failed outside a test counts as failed. */
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
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
  },
})
