import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testChain } from '../packages/service/test/world/chain.ts'
import { buildFile, compileContracts, multicall3Artifact } from './compile.ts'

const committed = (name: string): unknown => JSON.parse(readFileSync(buildFile(name), 'utf8'))

// Compiling takes 20 s of a core that it has alone.
test('the committed builds are what the sources compile to', { timeout: 600_000 }, () => {
  const compiled = compileContracts()
  expect(compiled.map((artifact) => artifact.contractName)).toEqual([
    'AuthCaptureEscrow',
    'BatchSettler',
    'CardAccount',
    'CredentialMarket',
    'CredentialRegistry',
    'CredentialVault',
    'CrtToken',
    'DevB20',
    'DevB20Factory',
    'DevToken',
    'Erc1271Wallet',
    'Erc3009Collector',
    'ExactPermit2Proxy',
    'FickleWallet',
    'HostileHolder',
    'HostileRegistry',
    'HostileToken',
    'MiniLockup',
    'OddToken',
    'PermitToken',
    'SmartAccount',
    'SmartAccountFactory',
    'TestUsdc',
    'UpgradeableProxy',
    'UptoPermit2Proxy',
    'WordReader',
  ])
  for (const artifact of compiled)
    expect(committed(artifact.contractName), artifact.contractName).toEqual(artifact)
})

test('the committed Multicall3 is the one that viem publishes', async () => {
  const artifact = await multicall3Artifact(testChain().rpcUrl)
  expect(committed('Multicall3')).toEqual(artifact)
})
