import type { Settings } from '../src/api/http/settings.ts'
import type { Asset } from '../src/base/kernel/assets.ts'
import type { Secret } from '../src/base/kernel/secrets.ts'
import type { Keyring } from '../src/base/signing-keys/keyring.ts'
import { placeSettler } from '../src/run/embedded/dev/chain.ts'
import { placeVault } from '../src/run/embedded/dev/credentials.ts'
import { until } from './until.ts'
import { openActors } from './world/actors.ts'
import { type OtherChain, openChainSide, testChain } from './world/chain.ts'
import { openDatabase } from './world/database.ts'
import { type Connections, lendDatabase, openConnections, openPatiently } from './world/lent.ts'
import { pathFaults } from './world/paths.ts'
import { copyDatabase, type Database, viaSocket } from './world/postgres.ts'
import {
  type Identity,
  identitySettings,
  newIdentity,
  openService,
  relayerOf,
  vaultOf,
} from './world/service.ts'

export type { Card, User } from './world/actors.ts'
export type { OtherChain } from './world/chain.ts'
export type { Reply } from './world/service.ts'

type Options = {
  settings?: Partial<Settings>
  on?: OtherChain
  /** Another connection to the same database. */
  databaseUrl?: string
  /** Gives the world a BatchSettler of its own, whose operator is its relayer: without it nothing can be pulled. */
  pulls?: boolean
  /** Gives the world a vault of its own, so that cards get identity tokens. */
  identities?: boolean
  /** The operator's own token, which pays memberships too. */
  serviceToken?: Asset
  /** Assets that cards and links may be in, beside USDC. */
  besides?: readonly Asset[]
  /** A wallet that the dashboard signs in as by a button. It has no money. */
  demoKey?: Secret
  /** The secrets that this machine lists. */
  secrets?: Keyring
  /** The roots of link addresses whose secrets were replaced. */
  depositRoots?: readonly Buffer[]
}

/** More processes of the service. Dispose of them before the first. */
type Others = {
  /** A second machine: the same database, keys and time. */
  machine(other?: Options): Promise<World>
  /** A backup of the database as it is now. `restore` starts the service on it, with the same chain. */
  backup(): Promise<{ restore(other?: Options): Promise<World> }>
}
export type World = Awaited<ReturnType<typeof start>> & Others

/**
 * A whole service in four parts: its database, the service, the chain, and its users. Everything is real. The chain is
 * the one of this process, with separate accounts.
 */
export const world = async (options: Options = {}): Promise<World> =>
  open(options, await lendDatabase(), newIdentity())

/** Without connections it opens its own. */
type Data = Database & { connections?: Connections }

async function open(options: Options, data: Data, identity: Identity): Promise<World> {
  const { url } = data
  const others: Others = {
    machine: (other = {}) =>
      open({ ...options, ...other }, { url, drop: async () => {} }, identity),
    backup: async () => {
      const copy = await copyDatabase(url)
      return { restore: (other = {}) => open({ ...options, ...other }, copy, identity) }
    },
  }
  return Object.assign(await start(options, data, identity), others)
}

async function start(options: Options, data: Data, identity: Identity) {
  const { on, databaseUrl, pulls, identities, serviceToken, besides, demoKey, secrets } = options
  const { rpcUrl, chainId } = { ...testChain(), ...on }
  if (pulls)
    await placeSettler({ rpcUrl, operator: relayerOf(identity), address: identity.settler })
  if (identities) await placeVault({ rpcUrl, chainId, ...vaultOf(identity) })
  const settings = identities
    ? { identity: identitySettings(chainId, identity), ...options.settings }
    : options.settings
  const connections =
    databaseUrl === undefined
      ? (data.connections ?? openPatiently(viaSocket(data.url)))
      : openConnections(databaseUrl)
  const database = openDatabase(databaseUrl ?? data.url, connections)
  const service = await openService({
    database,
    identity,
    chainId,
    rpcUrl,
    rpcUrls: on?.rpcUrls ?? [rpcUrl],
    hasOwnChain: on !== undefined,
    settings,
    settler: pulls ? identity.settler : undefined,
    serviceToken,
    besides,
    demoKey,
    secrets,
    depositRoots: options.depositRoots,
  })
  const onChain = openChainSide(service.chain, { rpcUrl, chainId, mine: on?.mine })
  const actors = openActors({ database, service, onChain })
  return {
    ...database,
    ...service,
    ...onChain,
    ...actors,
    /** Contradictions in the books, or in the events of an object; empty if all is in order. */
    faults: async () => [
      ...(await database.faultsOf(service.services)),
      ...(await pathFaults(database.db.reader)).map((fault) => ({ check: 'events', fault })),
    ],
    /** Makes blocks and runs the jobs until what `look` returns is so, and returns it. */
    workUntil: <Seen>(look: () => Promise<Seen>, isSo: (seen: Seen) => unknown): Promise<Seen> =>
      until(async () => {
        await onChain.block()
        await database.hastenJobs()
        await service.runJobs()
        return look()
      }, isSo),
    async [Symbol.asyncDispose]() {
      await service.app.close()
      await database.close()
      await data.drop()
      service.checkDeclared()
    },
  }
}
