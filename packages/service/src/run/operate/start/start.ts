import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { adoptRestored } from '../../../api/events/feed.ts'
import type { Services } from '../../../api/http/services.ts'
import { startDelivering } from '../../../api/webhooks/deliver/deliver.ts'
import { NEWEST_ACTIVE } from '../../../api/webhooks/fan-out/store.ts'
import { withoutPassword } from '../../../base/db/pool/hosts.ts'
import { enqueueFrequent } from '../../../base/jobs/queue.ts'
import { mendTimes } from '../../../base/jobs/set-back.ts'
import { startWorker } from '../../../base/jobs/worker.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { armFault } from '../../../base/kernel/fault-points.ts'
import { testChain } from '../../../chain/client/self-test.ts'
import { SignerError } from '../../../chain/client/signers/signer-error.ts'
import { makeMonths } from '../../../money/settlements/months/store.ts'
import { createApp, tasks, times } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { fundGas, moveTo, placeSettler } from '../../embedded/dev/chain.ts'
import { type DevClock, moveJobs } from '../../embedded/dev/clock.ts'
import { placeVault } from '../../embedded/dev/credentials.ts'
import { type Demo, seedDemo } from '../../embedded/dev/seed.ts'
import { announceMachine } from '../../oversight/machines.ts'
import { listMachines, type Machine } from '../../oversight/store.ts'
import { openProcessMetrics } from '../../status/process-metrics.ts'
import { type DataLock, lockDataDir, logFile, openDataDir } from '../data-dir.ts'
import type { Host } from '../host.ts'
import { type Keys, loadKeys } from '../keys.ts'
import { createLog } from '../log.ts'
import { checkNativeBuild } from '../native-build.ts'
import { startApiProcesses } from '../processes/api-processes.ts'
import { checkBooksApart } from '../processes/check-books.ts'
import { checkSchema, migrateDatabase } from '../processes/database.ts'
import { lossOf } from '../processes/database-faults.ts'
import { checkPort, listen, withinDrainTime } from '../processes/listen.ts'
import { stopOrphans } from '../processes/orphans.ts'
import { checkReplica } from '../processes/replica.ts'
import { readyServer } from '../processes/wait.ts'
import { markOf } from '../secrets/kept.ts'
import { sentenceOf } from '../sentence.ts'
import { StartError } from '../start-error.ts'
import { deleteLoaded, type ServerState } from '../store.ts'
import { startTracing } from '../tracing/start-tracing.ts'
import { checkSettings, settingsHere } from './agreed-settings.ts'
import {
  type Allowance,
  allowanceOf,
  crowdSentence,
  type Shares,
  shareConnections,
} from './connections.ts'
import { readDevFile, writeDevFile } from './dev-file.ts'
import { checkIdentity, readPublicIdentity } from './identity.ts'
import { chainOn, openJobServices, openServices } from './open-services.ts'
import { type Parts, startParts } from './parts.ts'
import { readyBlock } from './ready-block.ts'
import { writeNowOrLater } from './write-now-or-later.ts'

export type RunningService = {
  /** Serves on for the drain time, while /readyz answers that it is leaving. */
  leave(): Promise<void>
  /** Finishes open requests and jobs, and stops all parts. `reason` is shown and logged. */
  stop(reason: string): Promise<void>
  /** Resolves with a sentence when a part that the service needs has ended. */
  lost: Promise<string>
}

const RELAYER_GAS_WEI = 10n ** 20n
/**
 * Starts the whole service. Whatever was started is stopped again if it fails or `signal` aborts. Throws an error whose
 * message is one sentence that says what to do.
 */
export async function startService(
  config: Config,
  host: Host,
  signal: AbortSignal,
): Promise<RunningService> {
  const stack = new AsyncDisposableStack()
  try {
    signal.throwIfAborted()
    return await start(config, { host, signal, stack })
  } catch (error) {
    // Report why the start failed, even if the cleanup fails too.
    await stack.disposeAsync().catch((other) => host.complain(sentenceOf(other)))
    throw error
  }
}

type Opened = { services: Services; keys: Keys; parts: Parts; shares: Shares }
type Starting = { host: Host; signal: AbortSignal; stack: AsyncDisposableStack }

async function start(config: Config, starting: Starting): Promise<RunningService> {
  const { host, signal, stack } = starting
  const isEmbedded = config.chain.kind === 'embedded'
  checkNativeBuild()
  if (config.roles.includes('api')) await checkPort(config)
  const lock = await takeDataDir(config, starting)
  const { log, flush } = createLog({
    level: config.logLevel,
    file: isEmbedded ? logFile(config.dataDir) : undefined,
    complain: host.complain,
  })
  stack.defer(flush)
  const report = (line: string) => {
    log.info(line)
    if (isEmbedded) host.print(`  ${line}`)
  }
  if (isEmbedded) host.print(`Purser ${config.version} is starting in ${config.dataDir}`)

  try {
    await startTracing(config, { log, stack })
    const loaded = await loadKeys(config, host)
    const server = await readyServer(config, { log, clock: host.clock, signal, report })
    const state = server?.state
    const parts = await startParts(config, stack, report)
    // A pooler in transaction mode has limits of its own.
    const allowed = parts.isPooled || !state ? undefined : allowanceOf(state)
    const shares = shareConnections(config, allowed)
    signal.throwIfAborted()
    await lock?.announce(config.roles.includes('api') ? config.port : null)
    await readySchema(parts.databaseUrl, config, report)
    await reportReplica(config, parts, report)
    signal.throwIfAborted()
    const { services, keys, following } = await openServices(config, {
      ...{ keys: loaded, parts, log, stack },
      connections: shares.parent || shares.requests,
    })
    const opened = { services, keys, parts, shares }
    await checkWorld(config, opened)
    if (state) refuseLoss(state, services.settings)
    await checkAgreed(config, opened, report)
    await readyRows(services, stack, report)
    const demo = await readyDevelopment(config, opened)
    if (demo) report('Demo wallet ready')
    signal.throwIfAborted()
    if (config.fault) armFault(config.fault)
    await showMachine(config, opened, { host, stack, allowed, refused: server?.refused ?? null })
    const sayLeaving = await startWork(config, { ...opened, stack, env: host.env })
    if (demo) await showDevelopment(config, opened, { demo, host })
    else void logFaults(services)
    log.info({ url: config.publicUrl, roles: config.roles }, 'ready')
    return {
      lost: Promise.race([parts.lost, following.lost]),
      async leave() {
        if (!config.roles.includes('api') || config.drainSeconds === 0) return
        report(`Leaving: /readyz says so for ${config.drainSeconds} s`)
        await sayLeaving()
        await sleep(config.drainSeconds * 1000)
      },
      async stop(reason) {
        report(reason)
        await stack.disposeAsync()
        if (isEmbedded) host.print('  Stopped')
      },
    }
  } catch (error) {
    const known = signal.aborted || error instanceof StartError || error instanceof SignerError
    log.fatal(known ? {} : { err: error }, signal.aborted ? 'stopped' : sentenceOf(error))
    throw error
  }
}

function refuseLoss(state: ServerState, { mode }: Services['settings']): void {
  const loss = lossOf(state, mode)
  if (loss) throw new StartError(loss)
}

/** Shows the operators that this machine runs, and says so if all that run may open more connections than there are. */
async function showMachine(
  { version, roles }: Config,
  { services, keys, shares: { processes, all: connections } }: Opened,
  {
    host,
    stack,
    allowed,
    refused,
  }: Pick<Starting, 'host' | 'stack'> & {
    allowed: Allowance | undefined
    refused: Machine['refused']
  },
): Promise<void> {
  const shown = await announceMachine(services, {
    ...{ host: hostname(), pid: host.pid },
    ...{ version, roles, processes, connections, refused },
    marks: () => keys.secrets.all.map(markOf),
  })
  stack.defer(shown.stop)
  const crowd = allowed && crowdSentence(await listMachines(services.db.reader), allowed)
  if (crowd) services.log.warn(crowd)
}

/** Migrates the database, or only checks that it is migrated. */
async function readySchema(
  url: string,
  config: Config,
  report: (line: string) => void,
): Promise<void> {
  if (config.migrate === 'never') return checkSchema(url, config)
  const applied = await migrateDatabase(url, config)
  report(`Database migrated${applied.length > 0 ? `: ${applied.length} applied` : ''}`)
}

/** Refuses a replica of another database. The primary stands in for one that is dead. */
async function reportReplica(
  config: Config,
  { databaseUrl: url, isPooled }: Parts,
  report: (line: string) => void,
): Promise<void> {
  const state = await checkReplica(config, { url, isPooled })
  if (state && !state.isFit) report(state.sentence)
}

/** Fits restored events to this database, and makes the months of settlements that are missing. */
async function readyRows(
  services: Services,
  stack: AsyncDisposableStack,
  report: (line: string) => void,
): Promise<void> {
  const { db, clock, log, settings } = services
  await writeNowOrLater({ log, stack }, async () => {
    const isRestored = await db.write(async (tx) => {
      await deleteLoaded(tx)
      return adoptRestored(tx, [NEWEST_ACTIVE])
    })
    if (!isRestored) return
    report(
      `Restored events fitted to this database.${settings.onChainSales ? ' Sales on chain since the backup are found by purser sales find' : ''}`,
    )
  })
  // The job does it later where it fails now, because others use the tables.
  await db
    .write((tx) => makeMonths(tx, clock.now()))
    .catch((error) => log.warn({ err: error }, 'the months of settlements were not made'))
}

/** Refuses settings and secrets that are not those of the other machines. */
async function checkAgreed(
  config: Config,
  { services: { db, clock }, keys }: Opened,
  report: (line: string) => void,
): Promise<void> {
  const { secrets } = keys
  await checkSettings(db, clock.now(), { here: settingsHere(config, keys), secrets })
  const [first] = config.chain.secrets ?? []
  if (first && markOf(first) !== markOf(secrets.current))
    report(
      'The first secret of PURSER_SECRET does not seal yet: run "npx purser secret rotate" once every machine lists it',
    )
}

/** Writes `dev.json` and says what is ready. */
async function showDevelopment(
  config: Config,
  { services, parts }: Opened,
  { demo, host }: { demo: Demo; host: Host },
): Promise<void> {
  const { databaseUrl, embeddedRpcUrl: rpcUrl } = parts
  assert(rpcUrl, 'a demo wallet is on the embedded chain')
  await writeDevFile(config.dataDir, {
    baseUrl: config.publicUrl,
    rpcUrl,
    // No other file may hold the password of the operator's own database.
    databaseUrl: config.database.kind === 'url' ? withoutPassword(databaseUrl) : databaseUrl,
    chain: services.chain,
    demo,
    pid: host.pid,
  })
  host.print(await readyBlock(config, { services, demo, rpcUrl }))
}

/** Logs chain faults but starts anyway: most operations need no chain. */
async function logFaults({ chain, relay, log, settings }: Services): Promise<void> {
  for (const { check, status, sentence } of await testChain(chain, {
    settler: relay.settler.address,
    identity: settings.identity,
    market: settings.onChainSales?.market,
  }))
    if (status !== 'ok') log[status === 'fail' ? 'error' : 'warn']({ check }, sentence)
}

/** The folder is needed only if the database or the chain is embedded. */
async function takeDataDir(
  config: Config,
  { host, signal, stack }: Starting,
): Promise<DataLock | undefined> {
  if (config.chain.kind === 'rpc' && config.database.kind === 'url') return undefined
  await openDataDir(config.dataDir)
  const lock = await lockDataDir(config.dataDir, host)
  stack.defer(lock.release)
  await stopOrphans(config.dataDir)
  signal.throwIfAborted()
  return lock
}

/** Refuses a database that belongs to another chain than the one at hand. */
async function checkWorld(config: Config, { services, keys, parts }: Opened): Promise<void> {
  const { rpcUrls, worldId } = parts
  await checkIdentity(
    services,
    worldId
      ? { identity: `world ${worldId}`, remedy: remedyFor(config) }
      : {
          identity: await readPublicIdentity(rpcUrls.map((url) => chainOn(config, keys, [url]))),
          remedy: 'set PURSER_RPC_URL as it was, or use another database.',
        },
  )
}

const remedyFor = ({ dataDir, database }: Config): string =>
  database.kind === 'embedded'
    ? `restore ${dataDir} whole from one backup, or move it away to start afresh.`
    : `give the data folder ${dataDir} a database of its own, or PURSER_DATA_DIR the folder that belongs to this one.`

/** Funds the relayers, sets the chain's clock to ours, and seeds the demo wallet. Embedded chain only. */
async function readyDevelopment(
  config: Config,
  { services, keys, parts }: Opened,
): Promise<Demo | undefined> {
  const rpcUrl = parts.embeddedRpcUrl
  if (!rpcUrl) return undefined
  const { chain, clock } = services
  const [first] = chain.relayers
  await Promise.all([
    first ? placeSettler({ rpcUrl, operator: first.address }) : undefined,
    placeVault({ rpcUrl, chainId: chain.chainId, custodian: chain.treasury.address }),
    ...chain.relayers.map(({ address }) => fundGas({ rpcUrl, address, wei: RELAYER_GAS_WEI })),
    catchUp(services, rpcUrl),
  ])
  const before = await readDevFile(config.dataDir)
  return seedDemo(services, clock.now(), {
    rpcUrl,
    privateKey: keys.demo.reveal() as Hex,
    apiKey: before?.demo?.api_key,
  })
}

/** Moves the chain's clock and the jobs to where the service's clock is, if a crash kept them from it. */
async function catchUp({ db, clock }: Services, rpcUrl: string): Promise<void> {
  await moveTo({ rpcUrl, offset: (clock as DevClock).offsetMs / 1000 })
  await moveJobs(db)
}

type Work = Opened & { stack: AsyncDisposableStack; env: Host['env'] }

/**
 * Starts the worker, then the server. Returns a function that makes /readyz report that they are leaving. They stop in
 * reverse order: first no new requests, then no new jobs.
 */
async function startWork(config: Config, work: Work): Promise<() => Promise<void>> {
  const { services, keys, parts, shares, stack, env } = work
  const { clock, log } = services
  if (config.roles.includes('worker')) {
    const ending = new AbortController()
    stack.defer(() => ending.abort())
    const jobServices = openJobServices(config, {
      services,
      opening: { keys, parts, log, stack, connections: shares.jobs },
    })
    jobServices.checkBooks = (from) =>
      checkBooksApart({
        from,
        databaseUrl: parts.sessionUrl,
        keys: services.checkpointKeys,
        env,
        signal: ending.signal,
      })
    await writeNowOrLater({ log, stack }, () =>
      services.db.write((tx) => enqueueFrequent(tx, tasks)),
    )
    const worker = await startWorker({
      databaseUrl: parts.databaseUrl,
      isPooled: parts.isPooled,
      connections: shares.queue,
      // Few jobs need two connections, and webhooks have one or two.
      atOnce: Math.max(1, shares.jobs - 2),
      tasks: [...tasks],
      services: jobServices,
      now: () => clock.now(),
      mend: () => mendTimes(jobServices.db, times),
      log,
    })
    stack.defer(() => withinDrainTime(worker.stop()))
    const delivering = startDelivering(jobServices)
    stack.defer(() => withinDrainTime(delivering.stop()))
  }
  const sayLeaving = async () => {
    services.leaving.isLeaving = true
  }
  if (!config.roles.includes('api')) return sayLeaving
  if (shares.processes > 1)
    return startApiProcesses(shares.processes, {
      ...{ handed: { ...parts, connections: shares.requests }, clock, log, stack },
      readOwn: openProcessMetrics(services.measured).read,
    })
  const app = await createApp(services)
  stack.defer(() => withinDrainTime(app.close()))
  await listen(app, config)
  return sayLeaving
}
