/** `npm run load:chain`: 1,000 withdrawals and 5,000 payments of links on chain, with a kill -9 in the middle. */
import { runChainLoad } from './chain/load.ts'

const [withdrawals = 1_000, links = 5_000, concurrency = 300] = process.argv.slice(2).map(Number)
const outcome = await runChainLoad({ withdrawals, links, concurrency }, (line) =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${line}`),
)
const { seconds, cpu, latency, faults } = outcome
console.table({
  'withdrawals, payments of links': `${withdrawals}, ${links}`,
  'seconds until all is final': seconds.toFixed(1),
  'of these, service down': outcome.downSeconds.toFixed(1),
  'payments a second': ((withdrawals + links) / seconds).toFixed(0),
  'transactions of the relayers': outcome.transactions,
  'requests, of these repeated': `${outcome.requests}, ${outcome.retries}`,
  'answer p50, p99, max (ms)': `${latency.p50}, ${latency.p99}, ${latency.max}`,
  'processor seconds since the restart': `service ${cpu.service.toFixed(0)}, database ${cpu.database.toFixed(0)}, chain ${cpu.chain.toFixed(0)}`,
  faults: faults.length,
})
for (const fault of faults.slice(0, 5)) console.error(fault.slice(0, 400))
console.log(JSON.stringify({ ...outcome, faults: faults.length }))
process.exit(faults.length > 0 ? 1 : 0)
