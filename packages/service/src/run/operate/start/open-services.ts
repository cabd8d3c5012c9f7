import type { Logger } from 'pino'
import type { Services } from '../../../api/http/services.ts'
import { openClock } from '../../../base/db/clock.ts'
import { openReplica, type Replica } from '../../../base/db/replica/replica.ts'
import { type Db, openDb } from '../../../base/db/sql.ts'
import { createEgress } from '../../../base/egress/egress.ts'
import { type Chain, openChain } from '../../../chain/client/chain.ts'
import { localSigner } from '../../../chain/client/signers/local.ts'
import { createServices } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { relayOptionsOf } from '../../config/relay-options.ts'
import { settingsOf } from '../../config/settings.ts'
import { createDevClock, readClockOffset } from '../../embedded/dev/clock.ts'
import type { Keys } from '../keys.ts'
import type { Handed } from '../processes/api-processes.ts'
import { type Following, followSecret } from '../secrets/follow.ts'
import { fitKeys } from '../secrets/kept.ts'

/** The chain of this configuration at these addresses. */
export const chainOn = (config: Config, keys: Keys, rpcUrls: string[]): Chain =>
  openChain({
    asset: config.asset,
    rpcUrls,
    creditLevels: config.creditLevels,
    settler: relayOptionsOf(config).settler,
    serviceToken: config.serviceToken,
    ...keys,
  })

type Opening = {
  keys: Keys
  parts: Omit<Handed, 'connections'>
  /** The size of its pool. */
  connections: number
  log: Logger
  stack: AsyncDisposableStack
}

/**
 * The services that the rooms need to serve requests, with the keys as the database needs them. Follows the secret that
 * seals. All of it ends with `stack`.
 */
export async function openServices(
  config: Config,
  opening: Opening,
): Promise<{ services: Services; keys: Keys; following: Following }> {
  const { connections, parts, log, stack } = opening
  const db = openDb(parts.databaseUrl, connections, 'requests', parts.isPooled)
  stack.defer(db.close)
  const clock = await openClock(db, log)
  stack.defer(clock.stop)
  const keys = await fitKeys(config, opening.keys, db.reader)
  const demoKey = parts.embeddedRpcUrl ? keys.demo : undefined
  const services = createServices({
    db,
    replica: replicaOf(config, { db, connections }, opening),
    chain: chainOn(config, keys, parts.rpcUrls),
    clock: parts.embeddedRpcUrl ? createDevClock(clock, await readClockOffset(db.reader)) : clock,
    log,
    secrets: keys.secrets,
    relay: relayOptionsOf(config),
    mppSecrets: config.mppSecrets,
    ledgerSecrets: config.ledgerSecrets,
    egress: createEgress({ allow: config.egressAllow }),
    settings: settingsOf(config, parts.embeddedRpcUrl, demoKey && localSigner(demoKey).address),
    demoKey,
  })
  const following = followSecret(services, keys.secrets)
  stack.defer(following.stop)
  return { services, keys, following }
}

/** The standby that serves public reads, if one is set. */
function replicaOf(
  { database }: Config,
  { db, connections }: { db: Db; connections: number },
  { parts, log, stack }: Opening,
): Replica | undefined {
  if (database.kind !== 'url' || !database.replica) return undefined
  const { url, lagSeconds } = database.replica
  const replica = openReplica(db, {
    url: url.reveal(),
    primary: { url: parts.databaseUrl, isPooled: parts.isPooled },
    connections,
    mostSeconds: lagSeconds,
    changed: (fault) =>
      fault
        ? log.warn({ fault }, 'the read replica is left alone')
        : log.info('the read replica is read'),
  })
  stack.defer(replica.close)
  return replica
}

/**
 * The same services for jobs, with separate connections and a longer statement timeout: long jobs and many requests
 * must not wait for each other.
 */
export function openJobServices(
  config: Config,
  { services, opening }: { services: Services; opening: Opening },
): Services {
  const { connections, keys, parts, stack } = opening
  const db = openDb(parts.databaseUrl, connections, 'jobs', parts.isPooled)
  stack.defer(db.close)
  const { clock, log, egress, settings, measured } = services
  const chain = chainOn(config, keys, parts.rpcUrls)
  const { mppSecrets, ledgerSecrets } = config
  return createServices({
    db,
    chain,
    clock,
    log,
    egress,
    settings,
    measured,
    secrets: keys.secrets,
    relay: relayOptionsOf(config),
    mppSecrets,
    ledgerSecrets,
  })
}
