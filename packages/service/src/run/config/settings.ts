import type { KeySource, Settings } from '../../api/http/settings.ts'
import { type Address, isMainnet } from '../../base/kernel/assets.ts'
import { publicExplorerOf } from '../../chain/client/public/explorer.ts'
import type { KeyReference } from '../../chain/client/signers/reference.ts'
import type { Config } from './config.ts'
import { identityOf } from './credentials.ts'
import { onChainSalesOf } from './on-chain-sales.ts'
import { isPrivate } from './values.ts'

/** How long a seller waits for a block before the answer says that its settlement is pending. */
const SETTLEMENT_WAIT_MS = 12_000

/** Whether the money is real. */
export const modeOf = ({ asset, chain }: Pick<Config, 'asset' | 'chain'>): Settings['mode'] =>
  chain.kind === 'rpc' && isMainnet(asset) ? 'live' : 'test'

/**
 * The part of the configuration that the rooms receive. On the embedded chain the demo wallet is an operator unless others are
 * named, so that a person sees those pages.
 */
export function settingsOf(
  config: Config,
  embeddedRpcUrl: string | null,
  demoWallet?: Address,
): Settings {
  const { asset, chain } = config
  const isPublic = chain.kind === 'rpc'
  return {
    version: config.version,
    publicUrl: config.publicUrl,
    hosts: config.hosts,
    network: asset.network,
    mode: modeOf(config),
    embeddedRpcUrl,
    fee: config.fee,
    withdrawal: config.withdrawal,
    tokenWithdrawal: config.tokenWithdrawal,
    payouts: config.payouts,
    facilitator: { payTo: config.facilitatorPayTo, waitMs: SETTLEMENT_WAIT_MS },
    gas: config.gas,
    accountFactories: config.accountFactories,
    webhooks: config.webhooks,
    eventDays: config.eventDays,
    verifyDays: config.verifyDays,
    explorerUrl: config.explorerUrl ?? (isPublic ? publicExplorerOf(asset.network) : null),
    identity: identityOf(config),
    onChainSales: onChainSalesOf(config.onChainSales, config.chain),
    vestingDays: config.credentials.vestingDays,
    credentialLookups: config.credentials.lookupsPerDay,
    rateLimitPerMinute: config.rateLimitPerMinute,
    trustedProxies: config.trustedProxies,
    operators: config.operators ?? (demoWallet ? [demoWallet] : []),
    keySources: {
      treasury: sourceOf(chain.operatorKey),
      relayers: sourceOf(chain.relayerKeys?.[0]),
    },
    metrics: config.metricsToken ?? (isPrivate(config) ? 'open' : 'closed'),
  }
}

const SOURCES = { hex: 'environment', file: 'file', keystore: 'keystore', kept: 'kms' } as const

const sourceOf = (key: KeyReference | undefined): KeySource => (key ? SOURCES[key.kind] : 'made')
