/** A service as the development chain sees it: starts the chain on the given state file, and prints its URL. */
import { startAnvil } from '../../src/run/embedded/anvil/anvil.ts'

const [stateFile = '', blockTimeSeconds = '1'] = process.argv.slice(2)
const chain = await startAnvil({
  stateFile,
  chainId: 84_532,
  blockTimeSeconds: Number(blockTimeSeconds),
})
process.once('SIGTERM', () => void chain.stop().then(() => process.exit(0)))
console.log(chain.rpcUrl)
