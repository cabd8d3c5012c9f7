import { readFileSync } from 'node:fs'
import { getContractAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { RECEIVER_REFUND_COLLECTOR } from '../packages/service/src/base/protocols/x402/escrow-abi.ts'
import { CREATE2_DEPLOYER } from '../packages/service/src/chain/client/markets/launch.ts'
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
    'ReceiverRefundCollector',
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

// It has no owner and no storage, so whoever deploys it deploys the same.
test('the collector of refunds stands at the address that its code has at the CREATE2 deployer', () => {
  const { bytecode } = committed('ReceiverRefundCollector') as { bytecode: `0x${string}` }
  const made = { opcode: 'CREATE2', from: CREATE2_DEPLOYER, salt: zeroHash, bytecode } as const
  expect(getContractAddress(made)).toBe(RECEIVER_REFUND_COLLECTOR)
})

test('the committed Multicall3 is the one that viem publishes', async () => {
  const artifact = await multicall3Artifact(testChain().rpcUrl)
  expect(committed('Multicall3')).toEqual(artifact)
})
