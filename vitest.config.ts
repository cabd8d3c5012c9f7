import { defineConfig } from 'vitest/config'
import { closingLine } from './packages/service/test/closing-line.ts'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'contracts/**/*.test.ts',
      'journeys/**/*.test.ts',
      'conformance/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['packages/service/test/global-setup.ts'],
    // Modules hold no state, so files can share a process: ten times as fast as one each.
    isolate: false,
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', closingLine()],
  },
})
