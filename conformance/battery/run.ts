/**
 * `npm run battery`: plays every mode of the retry battery, prints the transfers counted on the chain, and, if each case
 * ended as it must, writes them into docs/conformance.md. With `--url` it plays at that seller: PURSER_BASE_URL and
 * PURSER_API_KEY name the wallet that pays, `--max-amount` the most for a purchase. Exits with 1 if a case ended otherwise,
 * or was not played.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { DOCUMENT, table } from '../document.ts'
import { playAt } from './at-url.ts'
import type { Measured } from './modes.ts'
import { failuresIn, renderBattery, replaceBattery, rowsOf, wrongIn } from './table.ts'

const { values } = parseArgs({
  options: { url: { type: 'string' }, 'max-amount': { type: 'string', default: '0.05' } },
})
const isWell = values.url === undefined ? await playHere() : await playThere(values.url)
process.exitCode = isWell ? 0 : 1

async function playHere(): Promise<boolean> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const vitest = await startVitest('test', ['conformance/battery/'], { root, watch: false })
  const modules = vitest.state.getTestModules()
  const measured = modules
    .flatMap((module) => [...module.children.allTests()])
    .flatMap((test) => (test.meta() as { measured?: Measured[] }).measured ?? [])
  const isGreen =
    modules.every((module) => module.ok()) && vitest.state.getUnhandledErrors().length === 0
  await vitest.close()
  const isEnded = print(rowsOf(measured), failuresIn(measured))
  if (!isGreen || !isEnded) return false
  const section = renderBattery(measured, table)
  writeFileSync(DOCUMENT, replaceBattery(readFileSync(DOCUMENT, 'utf8'), section))
  return true
}

async function playThere(url: string): Promise<boolean> {
  const { PURSER_BASE_URL: baseUrl, PURSER_API_KEY: apiKey } = process.env
  if (!baseUrl || !apiKey) throw new Error('set PURSER_BASE_URL and PURSER_API_KEY')
  const measured = await playAt({ baseUrl, apiKey, url, maxAmount: values['max-amount'] })
  const rows = measured.map(({ mode, leg, transfers, heard }) => [
    ...[mode, `on its way to the ${leg}`],
    ...[String(transfers), heard],
  ])
  return print([['', '', 'transfers', 'the caller heard'], ...rows], wrongIn(measured))
}

/** Prints a table, and what is wrong with it. Returns whether nothing is. */
function print(rows: readonly string[][], failures: readonly string[]): boolean {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  console.log('\nTransfers on the chain for one purchase:\n')
  for (const row of rows) console.log(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
  for (const failure of failures) console.log(`\n${failure}`)
  console.log(failures.length === 0 ? '\nEach case ended as it must.' : '\nThe battery has failed.')
  return failures.length === 0
}
