import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { agentTasks } from '../api/agents/jobs.ts'
import { agentRoutes } from '../api/agents/routes.ts'
import { eventRoutes } from '../api/events/routes.ts'
import { streamTimes } from '../api/events/stream/hub.ts'
import { mountAssets } from '../api/http/assets.ts'
import { parseForms } from '../api/http/forms.ts'
import {
  keptAnswers,
  keyTimes,
  STORED_ANSWERS,
  type StoredAnswer,
  storeAnswers,
} from '../api/http/idempotency.ts'
import type { Route } from '../api/http/route.ts'
import { openSharedRates } from '../api/http/server/rates/shared.ts'
import { mountRoutes } from '../api/http/server/router.ts'
import { createSchemas, type Schemas } from '../api/http/server/schemas.ts'
import { createServer } from '../api/http/server/server.ts'
import type { Services } from '../api/http/services.ts'
import type { Settings } from '../api/http/settings.ts'
import { createAuthenticate } from '../api/keys/authenticate.ts'
import { keyTasks } from '../api/keys/jobs.ts'
import { keyRoutes } from '../api/keys/routes.ts'
import { findLive } from '../api/keys/store.ts'
import { requestTasks } from '../api/requests/jobs.ts'
import { openRequestLog } from '../api/requests/log.ts'
import { requestRoutes } from '../api/requests/routes.ts'
import { webhookTasks } from '../api/webhooks/deliver/jobs.ts'
import { webhookRoutes } from '../api/webhooks/routes.ts'
import { webhookTimes } from '../api/webhooks/times.ts'
import { createLanes } from '../base/db/lanes/lane.ts'
import type { Db } from '../base/db/sql.ts'
import type { Egress } from '../base/egress/egress.ts'
import { forgetTask } from '../base/jobs/kept.ts'
import type { TimeColumn } from '../base/jobs/set-back.ts'
import type { Task } from '../base/jobs/worker.ts'
import type { Clock } from '../base/kernel/clock.ts'
import type { Secrets } from '../base/kernel/secrets.ts'
import { checkpointKeysOf } from '../base/signing-keys/checkpoint-keys.ts'
import { sealKeyOf } from '../base/signing-keys/key-pair.ts'
import { Keyring } from '../base/signing-keys/keyring.ts'
import { createSigningKeys } from '../base/signing-keys/signing-keys.ts'
import { credentialTasks } from '../business/credentials/jobs.ts'
import { credentialRoutes } from '../business/credentials/routes.ts'
import { priceTasks, priceTimes } from '../business/crt-markets/prices/jobs.ts'
import { crtMarketRoutes } from '../business/crt-markets/routes.ts'
import { holdingRoutes } from '../business/holdings/routes.ts'
import { identityTasks, identityTimes } from '../business/identity/jobs.ts'
import { identityRoutes } from '../business/identity/routes.ts'
import { marketTasks } from '../business/market/jobs.ts'
import { onChainSaleTasks, onChainSaleTimes } from '../business/market/on-chain/jobs.ts'
import { onChainSaleRoutes } from '../business/market/on-chain/routes.ts'
import { revenueRoutes } from '../business/market/revenue.ts'
import { marketRoutes } from '../business/market/routes.ts'
import { statsTasks } from '../business/stats/jobs.ts'
import { statsRoutes } from '../business/stats/routes.ts'
import type { Chain } from '../chain/client/chain.ts'
import { relayTasks, relayTimes } from '../chain/relay/jobs.ts'
import { createRelay, type RelayOptions } from '../chain/relay/relay.ts'
import { directTasks } from '../links/direct/jobs.ts'
import { reopenRefunded } from '../links/link/arrivals/exceptions.ts'
import { isLinkAddress } from '../links/link/store-addresses.ts'
import { payLinkTasks } from '../links/pay-links/jobs.ts'
import { checkoutFormPaths } from '../links/pay-links/page/routes.ts'
import { payLinkRoutes } from '../links/pay-links/routes.ts'
import { profileRoutes } from '../links/profile/routes.ts'
import { reconcileTasks, reconcileTimes } from '../links/reconcile/jobs.ts'
import { guardedTreasury } from '../links/reconcile/payouts.ts'
import { watcherTasks } from '../links/watcher/jobs.ts'
import { membershipTasks } from '../members/membership/jobs.ts'
import { membershipRoutes } from '../members/membership/routes.ts'
import { feeRoutes } from '../members/meter/routes.ts'
import { cardTasks } from '../money/cards/jobs.ts'
import { cardRoutes } from '../money/cards/routes.ts'
import { agentcardTasks } from '../money/cards/tokens/jobs.ts'
import { openCrowd } from '../money/ledger/crowd.ts'
import { pullTasks } from '../money/pulls/jobs.ts'
import { readStandardFee } from '../money/settlements/fee-rules/standard.ts'
import { monthTasks } from '../money/settlements/months/jobs.ts'
import { tokenRoutes } from '../money/tokens/routes.ts'
import { fundingTasks } from '../money/treasury/deposits/jobs.ts'
import { fundingRoutes } from '../money/treasury/deposits/routes.ts'
import { balanceRoutes } from '../money/treasury/routes.ts'
import { withdrawalTasks } from '../money/treasury/withdrawals/jobs.ts'
import { withdrawalRoutes } from '../money/treasury/withdrawals/routes.ts'
import { ap2Routes } from '../rails/ap2/routes.ts'
import { billingTasks } from '../rails/billing/jobs.ts'
import { billingRoutes } from '../rails/billing/routes.ts'
import { facilitatorTasks, facilitatorTimes } from '../rails/facilitator/jobs.ts'
import { facilitatorRoutes } from '../rails/facilitator/routes.ts'
import { paywallTasks, paywallTimes } from '../rails/paywall/jobs.ts'
import { paywallRoutes } from '../rails/paywall/routes.ts'
import { paymentTasks } from '../rails/spending/jobs.ts'
import { paymentRoutes } from '../rails/spending/routes.ts'
import { streamTasks } from '../rails/streams/jobs.ts'
import { streamRoutes } from '../rails/streams/routes.ts'
import { devRoutes } from './embedded/dev/routes.ts'
import { explorerRoutes } from './explorer/routes.ts'
import { withCardTokens } from './mcp/admit.ts'
import { mountMcp } from './mcp/mount.ts'
import { oversightTasks } from './oversight/jobs.ts'
import { operatorRoutes } from './oversight/routes.ts'
import { mountStatus } from './status/mount.ts'
import { statusRoutes } from './status/routes.ts'

/** Every operation of the service, in the order of the document. */
export const routes: readonly Route[] = [
  ...keyRoutes,
  ...requestRoutes,
  ...agentRoutes,
  ...eventRoutes(findLive),
  ...webhookRoutes,
  ...fundingRoutes(readStandardFee),
  ...balanceRoutes,
  ...cardRoutes,
  ...statsRoutes,
  ...paymentRoutes,
  ...streamRoutes,
  ...payLinkRoutes,
  ...profileRoutes,
  ...ap2Routes,
  ...billingRoutes,
  ...withdrawalRoutes(isLinkAddress),
  ...membershipRoutes,
  ...tokenRoutes,
  ...feeRoutes,
  ...facilitatorRoutes,
  ...paywallRoutes,
  ...identityRoutes,
  ...crtMarketRoutes,
  ...marketRoutes,
  ...revenueRoutes,
  ...onChainSaleRoutes,
  ...holdingRoutes,
  ...credentialRoutes,
  ...explorerRoutes,
  ...statusRoutes,
  ...operatorRoutes,
  ...devRoutes,
]

const houseTasks: Task<Services>[] = [
  forgetTask({ name: 'forget_idempotency_keys', cron: '17 * * * *' }, [keptAnswers]),
]

/** Every job that the queue may hold. */
export const tasks: readonly Task<Services>[] = [
  ...houseTasks,
  ...keyTasks,
  ...requestTasks,
  ...agentTasks,
  ...pullTasks,
  ...fundingTasks,
  ...cardTasks,
  ...agentcardTasks,
  ...monthTasks,
  ...payLinkTasks,
  ...directTasks,
  ...paymentTasks,
  ...membershipTasks,
  ...streamTasks,
  ...billingTasks,
  ...withdrawalTasks(reopenRefunded),
  ...facilitatorTasks,
  ...paywallTasks,
  ...statsTasks,
  ...priceTasks,
  ...credentialTasks,
  ...identityTasks,
  ...marketTasks,
  ...onChainSaleTasks,
  ...relayTasks,
  ...watcherTasks,
  ...reconcileTasks,
  ...webhookTasks,
  ...oversightTasks,
]

/** The times by which work waits, to be mended after the clock was set back. */
export const times: readonly TimeColumn[] = [
  ...keyTimes,
  ...streamTimes,
  ...webhookTimes,
  ...relayTimes,
  ...facilitatorTimes,
  ...paywallTimes,
  ...identityTimes,
  ...priceTimes,
  ...onChainSaleTimes,
  ...reconcileTimes,
]

type Parts = Pick<Services, 'demoKey' | 'replica'> & {
  db: Db
  chain: Chain
  egress: Egress
  settings: Settings
  clock: Clock
  log: Logger
  secrets: Keyring
  relay?: RelayOptions | undefined
  /** Replaces the secret in MPP's challenges and card tokens. */
  mppSecrets?: Secrets | undefined
  /** Replaces the secret in checkpoints of the books. */
  ledgerSecrets?: Secrets | undefined
  /** The list of the services for requests in the same process, if these are for jobs. */
  measured?: Services['measured']
}

/** Combines the parts into the services that the rooms receive. */
export function createServices(given: Parts): Services {
  const { secrets, mppSecrets, ledgerSecrets, relay: options, ...parts } = given
  const answerKey = secrets.keysFor(STORED_ANSWERS)
  const lanes = createLanes<StoredAnswer>({
    db: parts.db,
    now: () => parts.clock.now(),
    record: (tx, _at, answers) => storeAnswers(tx, answers, answerKey),
    // Jobs write few batches, and no caller waits for them.
    ...(parts.measured ? {} : { crowd: openCrowd(parts) }),
  })
  const sealKey = sealKeyOf(secrets)
  const signing = createSigningKeys({ db: parts.db, sealKey })
  const mppKeys = mppKeysOf(mppSecrets ? new Keyring(mppSecrets) : secrets)
  const checkpointKeys = checkpointKeysOf(ledgerSecrets ? new Keyring(ledgerSecrets) : secrets)
  const comparison: Services['comparison'] = new Map()
  const treasury = guardedTreasury({ ...parts, comparison })
  const chain = { ...parts.chain, treasury, settler: options?.settler ?? parts.chain.settler }
  const relay = createRelay({ db: parts.db, chain, log: parts.log }, options)
  const keys = { answerKey, sealKey, signing, mppKeys, checkpointKeys }
  const leaving = { isLeaving: false }
  const measured = parts.measured ?? []
  const { db, replica } = parts
  measured.push({ name: parts.measured ? 'jobs' : 'requests', db, lanes, replica })
  return { ...parts, ...keys, chain, relay, comparison, lanes, leaving, measured }
}

/** A token made with a listed secret stays valid; new ones are made with the first secret. */
export const mppKeysOf = (secrets: Keyring): Services['mppKeys'] => ({
  challenges: secrets.keysFor('payment challenges'),
  cardTokens: secrets.keysFor('card tokens of payments'),
})

/** The HTTP server with every operation, not listening yet. Servers of one process may share `schemas`. */
export async function createApp(
  services: Services,
  schemas: Schemas = createSchemas(),
): Promise<FastifyInstance> {
  const requestLog = openRequestLog(services)
  const sharedRates = openSharedRates(services)
  const app = await createServer({
    log: services.log,
    rateLimitPerMinute: services.settings.rateLimitPerMinute,
    sharedRates,
    trustedProxies: services.settings.trustedProxies ?? [],
    now: () => services.clock.now(),
    leaving: services.leaving,
    onAnswered: requestLog.note,
    schemas,
  })
  app.addHook('onClose', requestLog.flush)
  app.addHook('onClose', sharedRates.flush)
  parseForms(app, checkoutFormPaths)
  await mountAssets(app)
  // Without the embedded chain the development operations do not exist.
  const offered =
    services.settings.embeddedRpcUrl === null
      ? routes.filter((route) => route.tag !== 'Development')
      : routes
  const authenticate = withCardTokens(services, createAuthenticate(services))
  mountRoutes(app, offered, services, authenticate)
  mountMcp(app, { services, authenticate })
  mountStatus(app, services, offered)
  return app
}
