import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ap2Routes } from './ap2/routes.ts'
import { billingTasks } from './billing/jobs.ts'
import { billingRoutes } from './billing/routes.ts'
import { cardTasks } from './cards/jobs.ts'
import { cardRoutes } from './cards/routes.ts'
import { agentcardTasks } from './cards/tokens/jobs.ts'
import type { Chain } from './chain/chain.ts'
import { credentialTasks } from './credentials/jobs.ts'
import { credentialRoutes } from './credentials/routes.ts'
import { priceTasks } from './crt-markets/prices/jobs.ts'
import { crtMarketRoutes } from './crt-markets/routes.ts'
import { createLanes } from './db/lanes/lane.ts'
import type { Db } from './db/sql.ts'
import type { Egress } from './egress/egress.ts'
import { devRoutes } from './embedded/dev/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { explorerRoutes } from './explorer/routes.ts'
import { facilitatorTasks } from './facilitator/jobs.ts'
import { facilitatorRoutes } from './facilitator/routes.ts'
import { holdingRoutes } from './holdings/routes.ts'
import { mountAssets } from './http/assets.ts'
import { parseForms } from './http/forms.ts'
import {
  forgetKeys,
  type StoredAnswer,
  storeAnswers,
  storeAnswersStatement,
} from './http/idempotency.ts'
import type { Route } from './http/route.ts'
import { mountRoutes } from './http/server/router.ts'
import { createSchemas, type Schemas } from './http/server/schemas.ts'
import { createServer } from './http/server/server.ts'
import type { Services } from './http/services.ts'
import type { Settings } from './http/settings.ts'
import { identityTasks } from './identity/jobs.ts'
import { identityRoutes } from './identity/routes.ts'
import type { Task } from './jobs/worker.ts'
import { addHours, type Clock } from './kernel/clock.ts'
import { deriveKey, type Secret, type Secrets } from './kernel/secrets.ts'
import { createAuthenticate } from './keys/authenticate.ts'
import { keyTasks } from './keys/jobs.ts'
import { keyRoutes } from './keys/routes.ts'
import { findLive } from './keys/store.ts'
import { marketTasks } from './market/jobs.ts'
import { forgottenSaleTasks } from './market/on-chain/forgotten/jobs.ts'
import { onChainSaleTasks } from './market/on-chain/jobs.ts'
import { onChainSaleRoutes } from './market/on-chain/routes.ts'
import { marketRoutes } from './market/routes.ts'
import { membershipTasks } from './membership/jobs.ts'
import { membershipRoutes } from './membership/routes.ts'
import { feeRoutes } from './meter/routes.ts'
import { reopenRefunded } from './pay-links/arrivals/exceptions.ts'
import { directTasks } from './pay-links/direct/jobs.ts'
import { payLinkTasks } from './pay-links/jobs.ts'
import { checkoutFormPaths } from './pay-links/page/routes.ts'
import { payLinkRoutes } from './pay-links/routes.ts'
import { isLinkAddress } from './pay-links/store-addresses.ts'
import type { BindingKeys } from './protocols/mpp/binding.ts'
import { pullTasks } from './pulls/jobs.ts'
import { reconcileTasks } from './reconcile/jobs.ts'
import { guardedTreasury } from './reconcile/payouts.ts'
import { relayTasks } from './relay/jobs.ts'
import { createRelay, type RelayOptions } from './relay/relay.ts'
import { readStandardFee } from './settlements/fee-rules/standard.ts'
import { checkpointKeysOf } from './signing-keys/checkpoint-keys.ts'
import { sealKeyOf } from './signing-keys/key-pair.ts'
import { createSigningKeys } from './signing-keys/signing-keys.ts'
import { paymentTasks } from './spending/jobs.ts'
import { paymentRoutes } from './spending/routes.ts'
import { statsTasks } from './stats/jobs.ts'
import { mountStatus } from './status/mount.ts'
import { statusRoutes } from './status/routes.ts'
import { streamTasks } from './streams/jobs.ts'
import { streamRoutes } from './streams/routes.ts'
import { tokenRoutes } from './tokens/routes.ts'
import { fundingTasks } from './treasury/deposits/jobs.ts'
import { fundingRoutes } from './treasury/deposits/routes.ts'
import { balanceRoutes } from './treasury/routes.ts'
import { withdrawalTasks } from './treasury/withdrawals/jobs.ts'
import { withdrawalRoutes } from './treasury/withdrawals/routes.ts'
import { watcherTasks } from './watcher/jobs.ts'
import { webhookTasks } from './webhooks/deliver/jobs.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every operation of the service, in the order of the document. */
export const routes: readonly Route[] = [
  ...keyRoutes,
  ...eventRoutes(findLive),
  ...webhookRoutes,
  ...fundingRoutes(readStandardFee),
  ...balanceRoutes,
  ...cardRoutes,
  ...paymentRoutes,
  ...streamRoutes,
  ...payLinkRoutes,
  ...ap2Routes,
  ...billingRoutes,
  ...withdrawalRoutes(isLinkAddress),
  ...membershipRoutes,
  ...tokenRoutes,
  ...feeRoutes,
  ...facilitatorRoutes,
  ...identityRoutes,
  ...crtMarketRoutes,
  ...marketRoutes,
  ...onChainSaleRoutes,
  ...holdingRoutes,
  ...credentialRoutes,
  ...explorerRoutes,
  ...statusRoutes,
  ...devRoutes,
]

const IDEMPOTENCY_HOURS = 48
const houseTasks: Task<Services>[] = [
  {
    name: 'forget_idempotency_keys',
    cron: '17 * * * *',
    handle: async ({ db }, _, at) => {
      await db.write((tx) => forgetKeys(tx, addHours(at, -IDEMPOTENCY_HOURS)))
    },
  },
]

/** Every job that the queue may hold. */
export const tasks: readonly Task<Services>[] = [
  ...houseTasks,
  ...keyTasks,
  ...pullTasks,
  ...fundingTasks,
  ...cardTasks,
  ...agentcardTasks,
  ...payLinkTasks,
  ...directTasks,
  ...paymentTasks,
  ...membershipTasks,
  ...streamTasks,
  ...billingTasks,
  ...withdrawalTasks(reopenRefunded),
  ...facilitatorTasks,
  ...statsTasks,
  ...priceTasks,
  ...credentialTasks,
  ...identityTasks,
  ...marketTasks,
  ...onChainSaleTasks,
  ...forgottenSaleTasks,
  ...relayTasks,
  ...watcherTasks,
  ...reconcileTasks,
  ...webhookTasks,
]

type Parts = {
  db: Db
  chain: Chain
  egress: Egress
  settings: Settings
  clock: Clock
  log: Logger
  secret: Secret
  relay?: RelayOptions | undefined
  /** Replaces the secret in MPP's challenges and card tokens. */
  mppSecrets?: Secrets | undefined
  /** Replaces the secret in checkpoints of the books. */
  ledgerSecrets?: Secrets | undefined
}

/** Combines the parts into the services that the rooms receive. */
export function createServices(given: Parts): Services {
  const { secret, mppSecrets, ledgerSecrets, relay: options, ...parts } = given
  const answerKey = deriveKey(secret, 'stored answers')
  const lanes = createLanes<StoredAnswer>({
    db: parts.db,
    now: () => parts.clock.now(),
    record: (tx, _at, answers) => storeAnswers(tx, answers, answerKey),
    recordStatement: (answers) => storeAnswersStatement(answers, answerKey),
  })
  const sealKey = sealKeyOf(secret)
  const signing = createSigningKeys({ db: parts.db, sealKey })
  const mppKeys = mppKeysOf(mppSecrets ?? [secret])
  const checkpointKeys = checkpointKeysOf(ledgerSecrets ?? [secret])
  const comparison: Services['comparison'] = new Map()
  const treasury = guardedTreasury({ ...parts, comparison })
  const chain = { ...parts.chain, treasury, settler: options?.settler ?? parts.chain.settler }
  const relay = createRelay({ db: parts.db, chain, log: parts.log }, options)
  const keys = { answerKey, sealKey, signing, mppKeys, checkpointKeys }
  const leaving = { isLeaving: false }
  return { ...parts, ...keys, chain, relay, comparison, lanes, leaving }
}

/** A token made with a listed secret stays valid; new ones are made with the first secret. */
export const mppKeysOf = (secrets: Secrets): Services['mppKeys'] => ({
  challenges: eachOf(secrets, 'payment challenges'),
  cardTokens: eachOf(secrets, 'card tokens of payments'),
})

const eachOf = ([current, ...previous]: Secrets, purpose: string): BindingKeys => [
  deriveKey(current, purpose),
  ...previous.map((secret) => deriveKey(secret, purpose)),
]

/** The HTTP server with every operation, not listening yet. Servers of one process may share `schemas`. */
export async function createApp(
  services: Services,
  schemas: Schemas = createSchemas(),
): Promise<FastifyInstance> {
  const app = await createServer({
    log: services.log,
    rateLimitPerMinute: services.settings.rateLimitPerMinute,
    trustedProxies: services.settings.trustedProxies ?? [],
    now: () => services.clock.now(),
    leaving: services.leaving,
    schemas,
  })
  parseForms(app, checkoutFormPaths)
  await mountAssets(app)
  // Without the embedded chain the development operations do not exist.
  const offered =
    services.settings.embeddedRpcUrl === null
      ? routes.filter((route) => route.tag !== 'Development')
      : routes
  mountRoutes(app, offered, services, createAuthenticate(services))
  mountStatus(app, services, offered)
  return app
}
