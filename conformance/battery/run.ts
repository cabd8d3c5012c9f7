/**
 * `npm run battery`: plays every mode of the retry battery, prints the transfers counted on the chain, and, if each case
 * ended as it must, writes them into docs/conformance.md. Exits with 1 if one did not, or was not played.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { DOCUMENT, table } from '../document.ts'
import type { Measured } from './modes.ts'
import { failuresIn, renderBattery, replaceBattery, rowsOf } from './table.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = await startVitest('test', ['conformance/battery/'], { root, watch: false })
const modules = vitest.state.getTestModules()
const measured = modules
  .flatMap((module) => [...module.children.allTests()])
  .flatMap((test) => (test.meta() as { measured?: Measured[] }).measured ?? [])
const isGreen =
  modules.every((module) => module.ok()) && vitest.state.getUnhandledErrors().length === 0
await vitest.close()

const rows = rowsOf(measured)
const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
console.log('\nTransfers on the chain for one purchase; the control must fail:\n')
for (const row of rows) console.log(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))

const failures = failuresIn(measured)
for (const failure of failures) console.log(`\n${failure}`)
const isWell = isGreen && failures.length === 0
console.log(isWell ? '\nEach case ended as it must.' : '\nThe battery has failed.')
if (isWell)
  writeFileSync(
    DOCUMENT,
    replaceBattery(readFileSync(DOCUMENT, 'utf8'), renderBattery(measured, table)),
  )
process.exitCode = isWell ? 0 : 1
