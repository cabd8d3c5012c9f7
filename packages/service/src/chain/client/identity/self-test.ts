import { parseAbi } from 'viem'
import accountBuild from '../../../../../../contracts/build/CardAccount.json' with { type: 'json' }
import vaultBuild from '../../../../../../contracts/build/CredentialVault.json' with {
  type: 'json',
}
import type { Address } from '../../../base/kernel/assets.ts'
import type { Chain } from '../chain.ts'
import { findCodeFault, isBuildAt } from '../public/builds.ts'
import { ACCOUNT_REGISTRY, EAS, SCHEMA_REGISTRY } from '../public/contracts.ts'
import { vaultAbi } from './vault.ts'

const REGISTRY_VERSION = '2.0.0'
const ABI = parseAbi([
  'struct Schema { bytes32 uid; address resolver; bool revocable; string schema; }',
  'function getVersion() view returns (string)',
  'function getSchemaRegistry() view returns (address)',
  'function getSchema(bytes32 uid) view returns (Schema)',
])

/** The contracts of identity tokens, as configured. */
export type IdentityContracts = { registry: Address; vault: Address }

/** A sentence for each thing that is wrong with the contracts of identity tokens; none if all is well. */
export async function findIdentityFaults(
  chain: Chain,
  { registry, vault }: IdentityContracts,
): Promise<string[]> {
  const { rpc, treasury } = chain
  const other = await findCodeFault(chain, vault, {
    build: vaultBuild,
    setting: 'PURSER_CREDENTIAL_VAULT',
  })
  if (other !== undefined) return [other]
  const names = ['custodian', 'registry', 'accounts', 'implementation', 'eas'] as const
  const [custodian, itsRegistry, accounts, implementation, eas] = await Promise.all(
    names.map((functionName) => rpc.readContract({ abi: vaultAbi, address: vault, functionName })),
  )
  const wrong = (name: string, found: unknown, wanted: Address): string[] =>
    found === wanted ? [] : [`The vault's ${name} is ${found}, not ${wanted}: deploy another one.`]
  const faults = [
    ...wrong('custodian', custodian, treasury.address),
    ...wrong('registry', itsRegistry, registry),
    ...wrong('registry of accounts', accounts, ACCOUNT_REGISTRY),
    ...wrong('attestation service', eas, EAS),
  ]
  return faults.length > 0
    ? faults
    : findFaultsAround(chain, { registry, vault, implementation: implementation as Address })
}

async function findFaultsAround(
  chain: Chain,
  { registry, vault, implementation }: IdentityContracts & { implementation: Address },
): Promise<string[]> {
  const { rpc } = chain
  const schema = await rpc.readContract({ abi: vaultAbi, address: vault, functionName: 'schema' })
  const [account, version, schemas] = await Promise.all([
    isBuildAt(chain, implementation, accountBuild),
    rpc.readContract({ abi: ABI, address: registry, functionName: 'getVersion' }),
    rpc.readContract({ abi: ABI, address: EAS, functionName: 'getSchemaRegistry' }),
  ])
  const read = { abi: ABI, address: SCHEMA_REGISTRY, functionName: 'getSchema' } as const
  const known = await rpc.readContract({ ...read, args: [schema] })
  return [
    ...(account
      ? []
      : [
          `The vault's implementation of holder accounts at ${implementation} is not CardAccount as contracts/build has it: deploy another vault.`,
        ]),
    ...(version === REGISTRY_VERSION
      ? []
      : [`The ERC-8004 registry has version ${version}; this service knows ${REGISTRY_VERSION}.`]),
    ...(schemas === SCHEMA_REGISTRY && known.uid === schema
      ? []
      : ['The schema of attestations is not registered with EAS: mints would fail.']),
  ]
}
