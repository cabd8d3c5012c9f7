import type { Settings } from '../../api/http/settings.ts'
import { isMainnet } from '../../base/kernel/assets.ts'
import { publicExplorerOf } from '../../chain/client/public/explorer.ts'
import type { Config } from './config.ts'
import { identityOf } from './credentials.ts'
import { onChainSalesOf } from './on-chain-sales.ts'
import { isPrivate } from './values.ts'

/** How long a seller waits for a block before the answer says that its settlement is pending. */
const SETTLEMENT_WAIT_MS = 12_000

/** The part of the configuration that the rooms receive. */
export function settingsOf(config: Config, embeddedRpcUrl: string | null): Settings {
  const { asset, chain } = config
  const isPublic = chain.kind === 'rpc'
  return {
    version: config.version,
    publicUrl: config.publicUrl,
    network: asset.network,
    mode: isPublic && isMainnet(asset) ? 'live' : 'test',
    embeddedRpcUrl,
    fee: config.fee,
    withdrawal: config.withdrawal,
    tokenWithdrawal: config.tokenWithdrawal,
    facilitator: { payTo: config.facilitatorPayTo, waitMs: SETTLEMENT_WAIT_MS },
    gas: config.gas,
    accountFactories: config.accountFactories,
    webhooks: config.webhooks,
    eventDays: config.eventDays,
    explorerUrl: config.explorerUrl ?? (isPublic ? publicExplorerOf(asset.network) : null),
    identity: identityOf(config),
    onChainSales: onChainSalesOf(config.onChainSales, config.chain),
    vestingDays: config.credentials.vestingDays,
    credentialLookups: config.credentials.lookupsPerDay,
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    metrics: config.metricsToken ?? (isPrivate(config) ? 'open' : 'closed'),
  }
}
