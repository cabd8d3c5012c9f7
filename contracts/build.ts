import { writeFileSync } from 'node:fs'
import { startAnvil } from '../packages/service/src/run/embedded/anvil/anvil.ts'
import { type Artifact, buildFile, compileContracts, multicall3Artifact } from './compile.ts'

const write = (artifact: Artifact): void =>
  writeFileSync(buildFile(artifact.contractName), `${JSON.stringify(artifact, null, 2)}\n`)

for (const artifact of compileContracts()) write(artifact)

const chain = await startAnvil({ chainId: 84_532, blockTimeSeconds: 1 })
try {
  write(await multicall3Artifact(chain.rpcUrl))
} finally {
  await chain.stop()
}
