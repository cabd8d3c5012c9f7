/**
 * `npm run bench:facilitator`: the rows of the facilitator with immediate and with timed blocks, or on the named chain
 * only. `--against <folder or git ref>` measures another version in the same turns. With `--soak`, 5,000 settlements with
 * the service killed by -9 in the middle instead, each counted on the chain.
 */
import { parseArgs } from 'node:util'
import { soak } from './facilitator/soak.ts'
import { CHAINS, facilitatorRows, type Mining } from './rows/facilitator.ts'
import { openTree } from './stage/tree.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    soak: { type: 'boolean' },
    runs: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
})
if (values.soak) process.exitCode = await soak(print)
else {
  using stack = new DisposableStack()
  const tree = values.against === undefined ? undefined : openTree(values.against)
  stack.defer(() => tree?.remove())
  const how = { runs: Number(values.runs), print, against: tree?.folder }
  const rows = []
  for (const mining of Object.keys(CHAINS) as Mining[])
    if (positionals.length === 0 || positionals.includes(mining))
      rows.push(...(await facilitatorRows({ mining, ...how })))
  print(JSON.stringify({ rows }))
}
