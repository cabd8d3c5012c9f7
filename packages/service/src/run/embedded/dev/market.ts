import credentialMarket from '../../../../../../contracts/build/CredentialMarket.json' with {
  type: 'json',
}
import type { Address, Asset } from '../../../base/kernel/assets.ts'
import { placeBuilt } from './rpc.ts'

/** CredentialMarket, and the receiver of its fees, on every development chain. */
export const DEV_MARKET: Address = '0x5075727365720000000000000000000000000053'
export const DEV_REVENUE: Address = '0x5075727365720000000000000000000000000054'

/** Places the contract that sells identity tokens for this token. */
export const placeMarket = (rpcUrl: string, usdc: Asset): Promise<void> =>
  placeBuilt({ rpcUrl, address: DEV_MARKET, artifact: credentialMarket, args: [usdc.contract] })
