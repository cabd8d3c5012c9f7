import type { Services } from '../../../api/http/services.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import { defaultRail } from '../../../chain/client/rails.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { treasuryKey } from '../../../money/ledger/account-keys.ts'
import { readAvailable } from '../../../money/ledger/balance.ts'
import type { Config } from '../../config/config.ts'
import type { Demo } from '../../embedded/dev/seed.ts'
import { logFile } from '../data-dir.ts'
import { devFile } from './dev-file.ts'

/** The summary for the terminal once the service runs. */
export async function readyBlock(
  config: Config,
  ready: { services: Services; demo: Demo; rpcUrl: string },
): Promise<string> {
  const { services, demo } = ready
  const { chain, db } = services
  const rail = defaultRail(chain)
  const { asset } = rail
  const [onChain, treasury] = await Promise.all([
    readAssetBalance(rail, demo.walletAddress),
    readAvailable(db.reader, treasuryKey(asset, demo.walletAddress)),
  ])
  const show = (value: bigint) => `${formatAmount(value, asset.decimals)} ${asset.symbol}`
  // Measured from the start of the process, so that loading the program counts too.
  const seconds = (performance.now() / 1000).toFixed(1)
  return [
    '',
    `Purser ${config.version} is ready, after ${seconds} s.`,
    '',
    `  Dashboard    ${config.publicUrl}/sign-in`,
    `  API          ${config.publicUrl}`,
    `  Reference    ${config.publicUrl}/docs`,
    `  Chain        ${asset.network}, a private one of that id, at ${ready.rpcUrl}`,
    `  Data         ${config.dataDir}`,
    `  Log          ${logFile(config.dataDir)}`,
    `  Demo wallet  ${demo.walletAddress}`,
    `               ${show(onChain)} on chain, ${show(treasury)} of treasury balance`,
    `               its API key is in ${devFile(config.dataDir)}`,
    '',
    '  Try next     npx purser demo',
    '  Stop         Ctrl-C',
    '',
  ].join('\n')
}
