import { defineConfig } from 'vitest/config'
import { instrument } from './instrument.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const conditions = ['purser-source']

export default defineConfig({
  root: ROOT,
  plugins: [instrument(ROOT)],
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['scripts/figures/operations.ts'],
    globalSetup: ['packages/service/test/run/global-setup.ts'],
    setupFiles: ['packages/service/test/run/before-file.ts'],
    pool: 'forks',
    testTimeout: 120_000,
  },
})
