/**
 * `npm run bench:facilitator`: the rows of the facilitator with immediate and with timed blocks, or on the named chain
 * only. With `--soak`, 5,000 settlements with the service killed by -9 in the middle instead, each counted on the
 * chain.
 */
import { parseArgs } from 'node:util'
import { soak } from './facilitator/soak.ts'
import { CHAINS, facilitatorRows, type Mining } from './rows/facilitator.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { soak: { type: 'boolean' }, runs: { type: 'string', default: '5' } },
})
if (values.soak) process.exitCode = await soak(print)
else {
  const rows = []
  for (const mining of Object.keys(CHAINS) as Mining[])
    if (positionals.length === 0 || positionals.includes(mining))
      rows.push(...(await facilitatorRows({ mining, runs: Number(values.runs), print })))
  print(JSON.stringify({ rows }))
}
