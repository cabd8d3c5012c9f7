import type { Address, Network } from '../../../base/kernel/assets.ts'

/** The ERC-8004 IdentityRegistry of each network. The development chain has a stand-in at Base Sepolia's address. */
export const IDENTITY_REGISTRIES: Readonly<Record<Network, Address>> = {
  'eip155:8453': '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  'eip155:84532': '0x8004A818BFB912233c491871b3d84c89A494BD9e',
}

/** The ERC-6551 registry, version 0.3.1, on every chain. */
export const ACCOUNT_REGISTRY: Address = '0x000000006551c19487814612e58FE06813775758'
/** Has every role in the development chain's tokens. It needs no key: that chain sends as any address. */
export const DEV_MINTER: Address = '0x5075727365720000000000000000000000000002'

/** The Ethereum Attestation Service: predeploys of every OP Stack chain. */
export const EAS: Address = '0x4200000000000000000000000000000000000021'
export const SCHEMA_REGISTRY: Address = '0x4200000000000000000000000000000000000020'
