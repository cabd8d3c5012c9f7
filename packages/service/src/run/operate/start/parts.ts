import type { Config } from '../../config/config.ts'
import { startAnvil } from '../../embedded/anvil/anvil.ts'
import { prepareDevChain } from '../../embedded/dev/chain.ts'
import { startPostgres } from '../../embedded/postgres/postgres.ts'
import { chainStateFile, postgresDir } from '../data-dir.ts'
import { reachDatabase } from '../processes/pooler.ts'

/** The addresses of the database and the chain, embedded or not. */
export type Parts = {
  databaseUrl: string
  /** A pooler lends its connections to the database for one transaction each. */
  isPooled: boolean
  /** Reaches the same database and keeps a session. */
  sessionUrl: string
  rpcUrls: string[]
  embeddedRpcUrl: string | null
  /** The embedded chain's own mark. */
  worldId: string | undefined
  /** Resolves with a sentence when an embedded part has ended unexpectedly. */
  lost: Promise<string>
}
type Part = {
  answers: string
  isPooled?: boolean
  sessionUrl?: string
  worldId?: string
  lost: Promise<string>
}

const BLOCK_TIME_SECONDS = 1
const SLOTS_IN_AN_EPOCH = 4
const NEVER = new Promise<never>(() => undefined)

/** Starts the embedded parts, all at once; `stack` stops them. Calls `report` for each part once it is ready. */
export async function startParts(
  config: Config,
  stack: AsyncDisposableStack,
  report: (line: string) => void,
): Promise<Parts> {
  const outcomes = await Promise.allSettled([
    startDatabase(config, stack, report),
    startChain(config, stack, report),
  ])
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  const [database, chain] = outcomes.map((o) => (o.status === 'fulfilled' ? o.value : undefined))
  if (!database || !chain) throw new Error('a part started without a result')
  return {
    databaseUrl: database.answers,
    isPooled: database.isPooled ?? false,
    sessionUrl: database.sessionUrl ?? database.answers,
    rpcUrls:
      config.chain.kind === 'rpc' ? config.chain.urls.map((url) => url.reveal()) : [chain.answers],
    embeddedRpcUrl: config.chain.kind === 'rpc' ? null : chain.answers,
    worldId: chain.worldId,
    lost: Promise.race([database.lost, chain.lost]),
  }
}

async function startDatabase(
  { database, dataDir }: Config,
  stack: AsyncDisposableStack,
  report: (line: string) => void,
): Promise<Part> {
  if (database.kind === 'url') {
    const { databaseUrl, ...ways } = await reachDatabase(database)
    return { answers: databaseUrl, ...ways, lost: NEVER }
  }
  const folder = database.folder ?? postgresDir(dataDir)
  const postgres = await startPostgres({ dataDir: folder })
  stack.defer(postgres.stop)
  report(`PostgreSQL started (process ${postgres.pid})`)
  return {
    answers: postgres.url,
    lost: postgres.exited.then(
      () => `The embedded PostgreSQL has ended: see ${folder}/postgres.log.`,
    ),
  }
}

async function startChain(
  { chain, asset, dataDir }: Config,
  stack: AsyncDisposableStack,
  report: (line: string) => void,
): Promise<Part> {
  if (chain.kind === 'rpc') return { answers: '', lost: NEVER }
  const anvil = await startAnvil({
    stateFile: chainStateFile(dataDir),
    blockTimeSeconds: BLOCK_TIME_SECONDS,
    slotsInAnEpoch: SLOTS_IN_AN_EPOCH,
    chainId: asset.chainId,
  })
  stack.defer(anvil.stop)
  const { worldId } = await prepareDevChain({ rpcUrl: anvil.rpcUrl, chainId: asset.chainId })
  report(`Development chain started (process ${anvil.pid})`)
  return {
    answers: anvil.rpcUrl,
    worldId,
    lost: anvil.exited.then(() => 'The embedded chain has ended unexpectedly.'),
  }
}
