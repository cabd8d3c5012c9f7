/**
 * `npm run bench [-- settle resolve card million facilitator gas]`: the named groups of rows, or all. Each row is
 * measured `--runs` times (5), in turn with the others of its group, and its median is shown. Prints one line of JSON
 * last. `ap2` is AP2 settle alone, `follower` AP2 settle with the follower of figures and without, `rows` what a settlement
 * writes.
 *
 * `--against <folder or git ref>` measures another version of the project in the same turns. `--flags "<flags>"` and
 * `--against-flags` replace the flags of Node that the two services start with. `--pgledger <file>` adds pgledger as a rival.
 */
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Row } from './alternate.ts'
import { gasOfRefused } from './facilitator/gas.ts'
import { readMemory } from './load/cpu.ts'
import { facilitatorRows } from './rows/facilitator.ts'
import { followerRows } from './rows/follower.ts'
import { millionRows } from './rows/million.ts'
import { cardRows, resolveRows } from './rows/reads.ts'
import { ap2Rows, settleRows } from './rows/settle.ts'
import { printStatements } from './rows/statements.ts'
import { openSide, type Side } from './sides.ts'
import { openTree } from './stage/tree.ts'

const GROUPS = [
  'settle',
  'resolve',
  'card',
  'million',
  'facilitator',
  'gas',
  'ap2',
  'follower',
  'rows',
] as const
/** Groups that run only if they are named. */
const APART: readonly string[] = ['ap2', 'follower', 'rows']
type Group = (typeof GROUPS)[number]
const PAYERS = 1_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    against: { type: 'string' },
    flags: { type: 'string' },
    'against-flags': { type: 'string' },
    pgledger: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !GROUPS.some((group) => group === name))
if (unknown) throw new Error(`There are no rows "${unknown}". Name some of: ${GROUPS.join(', ')}`)
const runs = Number(values.runs)
const isAsked = (group: Group): boolean =>
  positionals.length === 0 ? !APART.includes(group) : positionals.includes(group)
const print = (line: string) => process.stdout.write(`${line}\n`)
const flagsOf = (text: string | undefined): { nodeFlags?: string[] } =>
  text === undefined ? {} : { nodeFlags: text.split(' ').filter((flag) => flag !== '') }

async function openSides(stack: AsyncDisposableStack): Promise<Side[]> {
  const ours = { who: 'this tree', ...flagsOf(values.flags) }
  const sides = [await openSide(ours, PAYERS, stack)]
  const { against = values['against-flags'] === undefined ? undefined : '.' } = values
  if (against === undefined) return sides
  const tree = openTree(against)
  stack.defer(() => tree.remove())
  const other = { who: 'other', folder: tree.folder, ...flagsOf(values['against-flags']) }
  sides.push(await openSide(other, PAYERS, stack))
  return sides
}

async function bench(): Promise<Row[]> {
  await using stack = new AsyncDisposableStack()
  const rows: Row[] = []
  if ((['settle', 'resolve', 'card', 'million', 'ap2', 'follower'] as const).some(isAsked)) {
    const sides = await openSides(stack)
    const how = { sides, runs, print, stack, pgledger: values.pgledger }
    if (isAsked('ap2')) rows.push(...(await ap2Rows(how)))
    if (isAsked('follower')) rows.push(...(await followerRows(how)))
    if (isAsked('settle')) rows.push(...(await settleRows(how)))
    if (isAsked('resolve')) rows.push(...(await resolveRows(how)))
    if (isAsked('card')) rows.push(...(await cardRows(how)))
    if (isAsked('million')) rows.push(...(await millionRows(how)))
    for (const { who, service } of sides) {
      const { nowMb, peakMb } = readMemory(service.pid)
      print(`memory, ${who}: ${nowMb} MB, at most ${peakMb} MB`)
    }
  }
  if (isAsked('facilitator')) rows.push(...(await facilitatorRows({ runs, print })))
  if (isAsked('gas')) print(await gasOfRefused())
  if (isAsked('rows')) await printStatements(print)
  return rows
}

// An interrupted benchmark stops its services.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
print(
  `${availableParallelism()} cores, ${cpus()[0]?.model}, Node ${process.version}, fsync and synchronous_commit on\n`,
)
const rows = await bench()
print(JSON.stringify({ cores: availableParallelism(), node: process.version, runs, rows }))
