import { type Address, encodeFunctionData, encodePacked, type Hex, keccak256, parseAbi } from 'viem'
import cardAccount from '../../../../../../contracts/build/CardAccount.json' with { type: 'json' }
import credentialRegistry from '../../../../../../contracts/build/CredentialRegistry.json' with {
  type: 'json',
}
import credentialVault from '../../../../../../contracts/build/CredentialVault.json' with {
  type: 'json',
}
import eas from '../../../../../../contracts/build/EAS.json' with { type: 'json' }
import erc6551Registry from '../../../../../../contracts/build/Erc6551Registry.json' with {
  type: 'json',
}
import schemaRegistry from '../../../../../../contracts/build/SchemaRegistry.json' with {
  type: 'json',
}
import { assert } from '../../../base/kernel/assert.ts'
import { NOBODY } from '../../../base/kernel/assets.ts'
import {
  ACCOUNT_REGISTRY,
  EAS,
  IDENTITY_REGISTRIES,
  SCHEMA_REGISTRY,
} from '../../../chain/client/public/contracts.ts'
import { type Built, connect, placeBuilt, sendAsMinter } from './rpc.ts'

/** The implementation of holder accounts, and the vault, on every development chain. */
export const DEV_CARD_ACCOUNT: Address = '0x5075727365720000000000000000000000000051'
export const DEV_VAULT: Address = '0x5075727365720000000000000000000000000052'

const SCHEMA = 'address registry,uint256 agentId,string cardId,bytes32 evidence'
const SCHEMAS = parseAbi([
  'struct Schema { bytes32 uid; address resolver; bool revocable; string schema; }',
  'function register(string schema, address resolver, bool revocable) returns (bytes32)',
  'function getSchema(bytes32 uid) view returns (Schema)',
])
const SCHEMA_ID = keccak256(encodePacked(['string', 'address', 'bool'], [SCHEMA, NOBODY, true]))

/**
 * Places what identity tokens need but the vault: a stand-in of the ERC-8004 registry, the ERC-6551 registry, EAS and its
 * schema, each at its public address, and the implementation of holder accounts.
 */
export async function placeCredentials(options: {
  rpcUrl: string
  chainId: number
}): Promise<void> {
  const { rpcUrl, chainId } = options
  const client = connect({ rpcUrl })
  const registry = registryOf(chainId)
  await Promise.all([
    client.setCode({ address: ACCOUNT_REGISTRY, bytecode: codeOf(erc6551Registry) }),
    client.setCode({ address: EAS, bytecode: codeOf(eas) }),
    client.setCode({ address: SCHEMA_REGISTRY, bytecode: codeOf(schemaRegistry) }),
    placeBuilt({ rpcUrl, address: registry, artifact: credentialRegistry }),
    placeBuilt({ rpcUrl, address: DEV_CARD_ACCOUNT, artifact: cardAccount }),
  ])
  const read = { abi: SCHEMAS, address: SCHEMA_REGISTRY, functionName: 'getSchema' } as const
  const known = await client.readContract({ ...read, args: [SCHEMA_ID] })
  if (known.uid === SCHEMA_ID) return
  const data = encodeFunctionData({
    abi: SCHEMAS,
    functionName: 'register',
    args: [SCHEMA, NOBODY, true],
  })
  await sendAsMinter(rpcUrl, SCHEMA_REGISTRY, data)
  await client.mine({ blocks: 1 })
}

/** Places a vault with this custodian at the address. Its records stay there. */
export const placeVault = (options: {
  rpcUrl: string
  chainId: number
  custodian: Address
  address?: Address
}): Promise<void> => {
  const { rpcUrl, chainId, custodian, address = DEV_VAULT } = options
  const args = [custodian, registryOf(chainId), ACCOUNT_REGISTRY, DEV_CARD_ACCOUNT, EAS]
  return placeBuilt({ rpcUrl, address, artifact: credentialVault, args })
}

const codeOf = ({ deployedBytecode }: Built): Hex => deployedBytecode as Hex

function registryOf(chainId: number): Address {
  const registry = IDENTITY_REGISTRIES[`eip155:${chainId}`]
  assert(registry, `no ERC-8004 registry is known for chain ${chainId}`)
  return registry
}
