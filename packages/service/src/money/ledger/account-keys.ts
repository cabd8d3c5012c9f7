import type { Asset } from '../../base/kernel/assets.ts'
import type { AccountKey } from './accounts.ts'

/** The account that holds a wallet's treasury balance. */
export const treasuryKey = (asset: Asset, walletAddress: string): AccountKey => ({
  kind: 'treasury',
  owner: walletAddress,
  network: asset.network,
  asset: asset.symbol,
})

/** The account that holds a wallet's prepaid fees of DIRECT settlements. */
export const meterKey = (asset: Asset, walletAddress: string): AccountKey => ({
  ...treasuryKey(asset, walletAddress),
  kind: 'fee_meter',
})

/**
 * An account of the service itself. `custody` mirrors what the treasury holds on chain. `outbound` has left a balance and is
 * not yet final on chain. `fees` is what the service earned.
 */
export const houseKey = (
  asset: Pick<Asset, 'network' | 'symbol'>,
  kind: 'custody' | 'fees' | 'membership_revenue' | 'outbound',
): AccountKey => ({
  kind,
  owner: 'house',
  network: asset.network,
  asset: asset.symbol,
})
