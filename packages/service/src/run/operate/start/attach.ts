import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDb } from '../../../base/db/sql.ts'
import type { Secret } from '../../../base/kernel/secrets.ts'
import {
  type CheckpointKeys,
  checkpointKeysOf,
} from '../../../base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { type Chain, openChain } from '../../../chain/client/chain.ts'
import type { Config } from '../../config/config.ts'
import { relayOptionsOf } from '../../config/relay-options.ts'
import { findAnvil } from '../../embedded/anvil/anvil.ts'
import { findPostgres } from '../../embedded/postgres/postgres.ts'
import {
  chainStateFile,
  type Holder,
  lockDataDir,
  openDataDir,
  postgresDir,
  readHolder,
} from '../data-dir.ts'
import type { Host } from '../host.ts'
import { keysFile, loadKeys } from '../keys.ts'
import { checkReadable } from '../processes/database.ts'
import { stopOrphans } from '../processes/orphans.ts'
import { reachDatabase } from '../processes/pooler.ts'
import { findSecretFault } from '../secrets/check.ts'
import { fitKeys } from '../secrets/kept.ts'
import { StartError } from '../start-error.ts'
import { startParts } from './parts.ts'

/** The service's database and chain, whether the service is running or not. */
export type Attached = {
  db: Db
  /** Keeps a session, where DATABASE_URL leads through a pooler. */
  databaseUrl: string
  chain: Chain
  secrets: Keyring
  /** The secret that is to seal: the first that is configured. */
  wantedSecret: Secret
  checkpointKeys: CheckpointKeys
  /** The process that runs the service on this data folder, and the address of its API. */
  service: Holder | undefined
}
/** Opened as they are used. `verify --parallel` takes most of them. */
export const CONNECTIONS = 18
type Self = Pick<Host, 'env' | 'pid' | 'program'>

/**
 * Finds the database and the chain for a command: those of the running service, or the embedded
 * ones, started for as long as `stack` lives. Throws a sentence if there is nothing yet, or if the secrets here are not those
 * of the database: a command must not seal what the machines cannot open.
 */
export async function attach(
  config: Config,
  self: Self,
  stack: AsyncDisposableStack,
): Promise<Attached> {
  const attached = await attachAnyhow(config, self, stack)
  const fault = await findSecretFault(attached.db.reader, attached.secrets)
  if (fault) throw new StartError(fault)
  return attached
}

/** The same, where the database has all that the command may ask for. */
export async function attachMigrated(
  config: Config,
  self: Self,
  stack: AsyncDisposableStack,
): Promise<Attached> {
  const attached = await attach(config, self, stack)
  await checkReadable(attached.databaseUrl, config)
  return attached
}

/** The same with any secrets. */
export async function attachAnyhow(
  config: Config,
  self: Self,
  stack: AsyncDisposableStack,
): Promise<Attached> {
  const isOutside = config.chain.kind === 'rpc' && config.database.kind === 'url'
  const holder = isOutside ? undefined : await readHolder(config.dataDir)
  if (holder && holder.port === undefined)
    throw new StartError('The service is just starting: try again in a few seconds.')
  if (!isOutside && !holder && !existsSync(config.dataDir))
    throw new StartError(
      `There is no data folder ${config.dataDir} yet: start the service once, or set PURSER_DATA_DIR.`,
    )
  const urls = holder ? await findRunning(config) : await startAlone(config, self, stack)
  const loaded = await loadKeys(config, self)
  const wantedSecret = loaded.secrets.current
  const db = openDb(urls.sessionUrl, CONNECTIONS, 'verify')
  stack.defer(db.close)
  const keys = await fitKeys(config, loaded, db.reader)
  const { secrets } = keys
  return {
    db,
    databaseUrl: urls.sessionUrl,
    chain: openChain({
      asset: config.asset,
      rpcUrls: urls.rpcUrls,
      creditLevels: config.creditLevels,
      settler: relayOptionsOf(config).settler,
      serviceToken: config.serviceToken,
      ...keys,
    }),
    secrets,
    wantedSecret,
    checkpointKeys: checkpointKeysOf(
      config.ledgerSecrets ? new Keyring(config.ledgerSecrets) : secrets,
    ),
    service: holder,
  }
}

/** The addresses of the running service's parts. */
async function findRunning({ chain, database, dataDir }: Config) {
  const rpcUrls =
    chain.kind === 'rpc'
      ? chain.urls.map((url) => url.reveal())
      : [await findAnvil(chainStateFile(dataDir))]
  if (database.kind === 'url') return { ...(await reachDatabase(database)), rpcUrls }
  const databaseUrl = await findPostgres(postgresDir(dataDir))
  return { databaseUrl, sessionUrl: databaseUrl, rpcUrls }
}

async function startAlone(config: Config, self: Self, stack: AsyncDisposableStack) {
  const { chain, database } = config
  if (chain.kind === 'rpc' && database.kind === 'url')
    return {
      ...(await reachDatabase(database)),
      rpcUrls: chain.urls.map((url) => url.reveal()),
    }
  await openDataDir(config.dataDir)
  const lock = await lockDataDir(config.dataDir, self)
  stack.defer(lock.release)
  await stopOrphans(config.dataDir)
  // Before the parts: a database without keys is one whose keys were lost.
  await loadKeys(config, self)
  return startParts(config, stack, () => undefined)
}

/**
 * The configuration with the port of the service that runs on the data folder: it may have been started with another
 * PORT than this command, and an address that only follows from the port follows that one.
 */
export async function atRunningPort(config: Config): Promise<Config> {
  if (config.chain.kind === 'rpc' && config.database.kind === 'url') return config
  const port = (await readHolder(config.dataDir))?.port
  if (!port || port === config.port) return config
  const url = new URL(config.publicUrl)
  if (!isLoopback(url.hostname) || url.port !== String(config.port)) return { ...config, port }
  url.port = String(port)
  return { ...config, port, publicUrl: url.href.replace(/\/$/, '') }
}

const isLoopback = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(host)

/** A temporary folder to try the embedded parts in if the service has never been started. Removed with `stack`. */
export async function withPlaceToTry(config: Config, stack: AsyncDisposableStack): Promise<Config> {
  const isUsed = [keysFile(config.dataDir), postgresDir(config.dataDir)].some(existsSync)
  if (isUsed) return config
  const dataDir = await mkdtemp(join(tmpdir(), 'purser-doctor-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  return { ...config, dataDir }
}
