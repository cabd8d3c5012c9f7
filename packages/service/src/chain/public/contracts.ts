import type { Address, Network } from '../../kernel/assets.ts'

/** The ERC-8004 IdentityRegistry of each network. The development chain has a stand-in at Base Sepolia's address. */
export const IDENTITY_REGISTRIES: Readonly<Record<Network, Address>> = {
  'eip155:8453': '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
  'eip155:84532': '0x8004A818BFB912233c491871b3d84c89A494BD9e',
}
