// `npm run test:quick`: every test without a database and a chain, then those that the working tree's change reaches.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('../', import.meta.url))
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))

const run = (...args: string[]): number =>
  spawnSync(process.execPath, [VITEST, 'run', ...args], { cwd, stdio: 'inherit' }).status ?? 1

process.exitCode =
  run('--project', 'unit') || run('--project', 'world', '--changed', '--passWithNoTests')
