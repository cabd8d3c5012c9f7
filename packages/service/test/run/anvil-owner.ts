/** A service as far as the development chain sees one: starts it on the state file that is named, and tells its URL. */
import { startAnvil } from '../../src/embedded/anvil/anvil.ts'

const [stateFile = '', blockTimeSeconds = '1'] = process.argv.slice(2)
const chain = await startAnvil({
  stateFile,
  chainId: 84_532,
  blockTimeSeconds: Number(blockTimeSeconds),
})
process.once('SIGTERM', () => void chain.stop().then(() => process.exit(0)))
console.log(chain.rpcUrl)
