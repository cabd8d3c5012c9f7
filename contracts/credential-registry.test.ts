import { getCreate2Address, type Hex, keccak256, toEventSelector } from 'viem'
import { signTypedData } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  ACCOUNT_REGISTRY,
  SCHEMA_REGISTRY,
} from '../packages/service/src/chain/client/public/contracts.ts'
import { testChain } from '../packages/service/test/world/chain.ts'
import easArtifact from './build/EAS.json' with { type: 'json' }
import accountsArtifact from './build/Erc6551Registry.json' with { type: 'json' }
import schemaArtifact from './build/SchemaRegistry.json' with { type: 'json' }
import { newSigner } from './token.ts'
import { NOBODY, sharedContracts } from './vaults.ts'

const mallory = newSigner()

/** A new agent of a new owner, and the topics of the events of its registration. */
async function registered() {
  const { registry } = sharedContracts()
  const owner = newSigner()
  const call = { from: owner.address, functionName: 'register', args: ['https://a.example'] }
  const { logs } = await registry.send(call)
  const agentId = BigInt(logs[0]?.topics[3] ?? '0x')
  return { registry, owner, agentId, topics: logs.map(({ topics }) => topics[0]) }
}

test('an agent is registered with the events of ERC-8004, and is paid at its owner’s address', async () => {
  const { registry, owner, agentId, topics } = await registered()
  expect(topics).toContain('0xca52e62c367d81bb2e328eb795f7c7ba24afb478408a26c0e201d155c449bc4a')
  expect(topics).toContain('0x2c149ed548c6d2993cd73efe187df6eccabe4538091b33adbd25fafdb8a1468b')
  expect(toEventSelector('URIUpdated(uint256,string,address)')).toBe(
    '0x3a2c7fffc2cba7582c690e3b82c453ea02a308326a98a3ad7576c606336409fb',
  )
  expect(await registry.read('getVersion')).toBe('2.0.0')
  expect([await registry.read('name'), await registry.read('symbol')]).toEqual([
    ...['AgentIdentity', 'AGENT'],
  ])
  expect(await registry.read('getAgentWallet', agentId)).toBe(owner.address)
  const set = { functionName: 'setAgentURI', args: [agentId, 'https://b.example'] }
  expect(await registry.attempt({ from: mallory.address, ...set })).toBe(
    'ERC721InsufficientApproval',
  )
  await registry.send({ from: owner.address, ...set })
  expect(await registry.read('tokenURI', agentId)).toBe('https://b.example')
})

test('a transfer clears the wallet that the agent is paid at', async () => {
  const { registry, owner, agentId } = await registered()
  const args = [owner.address, mallory.address, agentId]
  await registry.send({ from: owner.address, functionName: 'transferFrom', args })
  expect(await registry.read('getAgentWallet', agentId)).toBe(NOBODY)
})

test('a wallet agrees to be the agent’s, within five minutes, and metadata cannot name one', async () => {
  const { registry, owner, agentId } = await registered()
  const wallet = newSigner()
  const now = BigInt(Math.floor(Date.now() / 1_000)) + 1_000_000n
  const signed = (deadline: bigint, privateKey: Hex) =>
    signTypedData({
      privateKey,
      domain: {
        ...{ name: 'ERC8004IdentityRegistry', version: '1' },
        ...{ chainId: testChain().chainId, verifyingContract: registry.address },
      },
      types: {
        AgentWalletSet: [
          { name: 'agentId', type: 'uint256' },
          { name: 'newWallet', type: 'address' },
          { name: 'owner', type: 'address' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'AgentWalletSet',
      message: { agentId, newWallet: wallet.address, owner: owner.address, deadline },
    })
  const attempt = (deadline: bigint, signature: Hex, from = owner.address) =>
    registry.attempt({
      ...{ from, functionName: 'setAgentWallet', time: now },
      args: [agentId, wallet.address, deadline, signature],
    })
  const good = await signed(now + 60n, wallet.privateKey)
  expect(await attempt(now + 60n, good)).toBe('done')
  expect(await attempt(now + 60n, good, mallory.address)).toBe('ERC721InsufficientApproval')
  expect(await attempt(now + 60n, await signed(now + 60n, mallory.privateKey))).toBe(
    'invalid wallet sig',
  )
  expect(await attempt(now - 1n, await signed(now - 1n, wallet.privateKey))).toBe('expired')
  expect(await attempt(now + 301n, await signed(now + 301n, wallet.privateKey))).toBe(
    'deadline too far',
  )
  const metadata = { functionName: 'setMetadata', args: [agentId, 'agentWallet', wallet.address] }
  expect(await registry.attempt({ from: owner.address, ...metadata })).toBe('reserved key')
})

test('the ERC-6551 registry is the published one: its creation code leads to its address', () => {
  const salt = '0x0000000000000000000000000000000000000000fd8eb4e1dca713016c518e31'
  const from = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
  const bytecode = accountsArtifact.bytecode as Hex
  expect(getCreate2Address({ from, salt, bytecode })).toBe(ACCOUNT_REGISTRY)
  expect(bytecode.endsWith(accountsArtifact.deployedBytecode.slice(2))).toBe(true)
})

test('EAS and its schema registry are the published builds, with the predeploys as each other', async () => {
  const { eas } = sharedContracts()
  expect(await eas.read('getSchemaRegistry')).toBe(SCHEMA_REGISTRY)
  expect(await eas.read('version')).toBe('1.4.0')
  expect(keccak256(easArtifact.bytecode as Hex)).toMatchInlineSnapshot(
    `"0xb3580dd9f1ccc49d935d8a75d4fd9a8f321de553cabbb3e93a8674ba1c904ce7"`,
  )
  expect(keccak256(schemaArtifact.bytecode as Hex)).toMatchInlineSnapshot(
    `"0xad8528ff7194eba7aa94e404968c90b0cf4785aa43b224ecfce3f709fe794fbd"`,
  )
})
