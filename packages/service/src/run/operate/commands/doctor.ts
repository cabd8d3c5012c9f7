import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { apartSentence, MOST_APART_MS, readDatabaseTime } from '../../../base/db/clock.ts'
import { pendingMigrations, readSchema } from '../../../base/db/migrate.ts'
import { tryWrite } from '../../../base/db/try-write.ts'
import { createEgress } from '../../../base/egress/egress.ts'
import { type Clock, deadlineIn, followedClock } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { readBlock } from '../../../chain/client/reads.ts'
import { type ChainCheck, testChain } from '../../../chain/client/self-test.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { identityOf } from '../../config/credentials.ts'
import { relayOptionsOf } from '../../config/relay-options.ts'
import { modeOf } from '../../config/settings.ts'
import { readClockOffset } from '../../embedded/dev/clock.ts'
import { listMachines } from '../../oversight/store.ts'
import { tryDataDir } from '../data-dir.ts'
import type { Host } from '../host.ts'
import { checkNativeBuild } from '../native-build.ts'
import { schemaSentence } from '../processes/database.ts'
import { lossOf, refusalOf, warningsOf } from '../processes/database-faults.ts'
import { checkReplica } from '../processes/replica.ts'
import { sentenceOf } from '../sentence.ts'
import { type Attached, atRunningPort, attach, withPlaceToTry } from '../start/attach.ts'
import { allowanceOf, crowdSentence, shareConnections } from '../start/connections.ts'
import { readIdentities, readServerState } from '../store.ts'
import { readNamedTokens } from './identities.ts'

/** The result of one check. If it is not `ok`, the sentence says what to do. */
export type DoctorCheck = ChainCheck
type Self = Omit<Host, 'print' | 'complain'> & { nodeVersion: string }

const SERVICE_PATIENCE_MS = 2_000
const LEAST_NODE = 20
const LEAST_POSTGRES = 150_000
const LOW_DISK_BYTES = 2_000_000_000
const FULL_DISK_BYTES = 200_000_000
const SKEW_WARN_MS = 15_000
const SKEW_FAIL_MS = 300_000

const ok = (check: string, sentence: string): DoctorCheck => ({ check, status: 'ok', sentence })
const warn = (check: string, sentence: string): DoctorCheck => ({ check, status: 'warn', sentence })
const fail = (check: string, sentence: string): DoctorCheck => ({ check, status: 'fail', sentence })

/** Checks everything that the service needs. Faults are results, not errors. */
export async function examine(read: () => Config, self: Self): Promise<DoctorCheck[]> {
  const node = checkNode(self.nodeVersion)
  let config: Config
  try {
    config = await atRunningPort(read())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [node, ...error.faults.map((fault) => fail('configuration', fault))]
  }
  const configured = ok('configuration', configurationText(config))
  const usesFolder = config.chain.kind === 'embedded' || config.database.kind === 'embedded'
  const folder = usesFolder
    ? [await checkFolder(config), ...(await attempt('disk', () => checkDisk(config)))]
    : []
  return [
    node,
    checkSignatures(),
    configured,
    ...folder,
    checkEgress(config),
    ...(await checkParts(config, self)),
  ]
}

function checkNode(version: string): DoctorCheck {
  return Number(version.split('.')[0]) >= LEAST_NODE
    ? ok('node', `Node ${version}.`)
    : fail('node', `Node ${version} is too old: install ${LEAST_NODE} or later.`)
}

function checkSignatures(): DoctorCheck {
  try {
    checkNativeBuild()
    return ok('signatures', 'Signatures are checked by the native build of secp256k1.')
  } catch (error) {
    return fail('signatures', sentenceOf(error))
  }
}

const configurationText = ({ asset, chain, database, publicUrl }: Config): string =>
  `${publicUrl} on ${asset.network}, ${chain.kind === 'embedded' ? 'embedded chain' : 'RPC given'}, ` +
  `${database.kind === 'embedded' ? 'embedded database' : 'database given'}.`

async function checkFolder({ dataDir }: Config): Promise<DoctorCheck> {
  const name = 'data_folder'
  try {
    const isThere = existsSync(dataDir)
    await tryDataDir(dataDir)
    return isThere
      ? ok(name, `${dataDir} is its owner's alone.`)
      : warn(name, `${dataDir} does not exist yet: the first start makes it.`)
  } catch (error) {
    return fail(name, sentenceOf(error))
  }
}

async function checkDisk({ dataDir }: Config): Promise<DoctorCheck[]> {
  const { bavail, bsize } = await statfs(await existingPart(dataDir))
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB are free where ${dataDir} lies`
  if (free < FULL_DISK_BYTES) return [fail('disk', `Only ${text}: free some space.`)]
  return free < LOW_DISK_BYTES
    ? [warn('disk', `Only ${text}: free some space soon.`)]
    : [ok('disk', `${text}.`)]
}

async function existingPart(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found || dirname(path) === path ? path : existingPart(dirname(path))
}

/** The guard must refuse a cloud's metadata address, unless the operator has allowed it. */
function checkEgress({ chain, egressAllow }: Config): DoctorCheck {
  const list = egressAllow.join(', ')
  try {
    createEgress({ allow: egressAllow }).check('http://169.254.169.254/')
    return fail(
      'egress',
      'PURSER_EGRESS_ALLOW lets calls reach 169.254.169.254, where clouds keep credentials: narrow it.',
    )
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  if (egressAllow.length === 0)
    return ok('egress', 'Outgoing calls reach public https addresses only.')
  return chain.kind === 'embedded'
    ? ok('egress', `Outgoing calls reach public https addresses, and ${list}.`)
    : warn(
        'egress',
        `Outgoing calls may also reach ${list}: anyone with a key can make them, so keep PURSER_EGRESS_ALLOW short.`,
      )
}

async function checkParts(config: Config, self: Self): Promise<DoctorCheck[]> {
  await using stack = new AsyncDisposableStack()
  let attached: Attached
  try {
    const isOutside = config.chain.kind === 'rpc' && config.database.kind === 'url'
    attached = await attach(isOutside ? config : await withPlaceToTry(config, stack), self, stack)
  } catch (error) {
    return [fail('parts', sentenceOf(error))]
  }
  const { chain } = attached
  return [
    await checkService(config, attached, self),
    ...(await attempt('database', () => checkDatabase(config, attached))),
    ...(await attempt('database writes', () => checkWrites(config, attached))),
    ...(await attempt('connections', () => checkConnections(config, attached))),
    ...(await attempt('replica', () => examineReplica(config, attached))),
    ...(await testChain(chain, {
      settler: relayOptionsOf(config).settler,
      // The embedded chain gets its vault when the service starts.
      identity: config.chain.kind === 'rpc' ? identityOf(config) : null,
      market: config.onChainSales.market,
    })),
    ...(await attempt('database clock', async () => [await checkDatabaseClock(attached)])),
    ...(await attempt('clock', async () => [await checkClock(attached, self.clock)])),
  ]
}

/** Whether the service answers: one found by its lock file, or a process of another account. */
async function checkService(
  { host, port, publicUrl }: Config,
  { service }: Attached,
  self: Self,
): Promise<DoctorCheck> {
  const name = /^(0\.0\.0\.0|::)$/.test(host) ? '127.0.0.1' : host
  const at = service?.port ?? port
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${at}`
  const who = service ? `The service runs as process ${service.pid}` : 'A service runs'
  using deadline = deadlineIn(SERVICE_PATIENCE_MS)
  const answers = await self
    .fetch(`${address}/healthz`, { signal: deadline.signal })
    .then(({ ok: isOk }) => isOk)
    .catch(() => false)
  if (answers) return ok('service', `${who} at ${address}; its public address is ${publicUrl}.`)
  if (service?.port)
    return fail('service', `${who} and does not answer at ${address}: see its log.`)
  return service
    ? ok('service', `${who}, and serves no API.`)
    : ok('service', 'The service is not running; its parts were tried without it.')
}

async function attempt(check: string, ask: () => Promise<DoctorCheck[]>): Promise<DoctorCheck[]> {
  try {
    return await ask()
  } catch (error) {
    return [fail(check, sentenceOf(error))]
  }
}

async function checkDatabase(config: Config, attached: Attached): Promise<DoctorCheck[]> {
  const state = await readServerState(attached.db.reader)
  const { version } = state
  const refused = refusalOf(state) ?? lossOf(state, modeOf(config))
  const settings = refused
    ? [fail('database settings', refused)]
    : warningsOf(state).map((sentence) => warn('database settings', sentence))
  const major = Math.floor(version / 10_000)
  const server =
    version >= LEAST_POSTGRES
      ? ok('database', `PostgreSQL ${major}.${version % 10_000}.`)
      : fail('database', `PostgreSQL ${major} is too old: 15 or later is needed.`)
  const migrations = await checkMigrations(config, attached)
  return migrations.status === 'ok'
    ? [
        server,
        ...settings,
        migrations,
        await checkIdentity(attached),
        ...(await checkTokenNames(config, attached)),
      ]
    : [server, ...settings, migrations]
}

/** Not before the migrations: the row that is written is theirs. */
async function checkWrites(config: Config, attached: Attached): Promise<DoctorCheck[]> {
  if ((await checkMigrations(config, attached)).status !== 'ok') return []
  await tryWrite(attached.db)
  return [ok('database writes', 'The database takes writes.')]
}

/** Compares the connections that this machine opens with those that the database allows. Nobody shares the embedded one. */
async function checkConnections(config: Config, attached: Attached): Promise<DoctorCheck[]> {
  const name = 'connections'
  const { reader } = attached.db
  const isMigrated = (await checkMigrations(config, attached)).status === 'ok'
  if (config.database.kind === 'embedded' || !isMigrated) return []
  const allowed = allowanceOf(await readServerState(reader))
  const { all } = shareConnections(config, allowed)
  const crowd = crowdSentence(await listMachines(reader), allowed)
  return [
    crowd
      ? warn(name, crowd)
      : ok(
          name,
          `This machine opens ${all} at most, and the database allows ${allowed.most} (${allowed.by}).`,
        ),
  ]
}

async function examineReplica(
  config: Config,
  { databaseUrl: url }: Attached,
): Promise<DoctorCheck[]> {
  // Asked by one statement each, which a pooler may lend any connection for.
  const state = await checkReplica(config, { url, isPooled: true })
  return state ? [(state.isFit ? ok : warn)('replica', state.sentence)] : []
}

/** After a change of PUBLIC_URL tokens lead to the old address until somebody says that they should not. */
async function checkTokenNames({ publicUrl }: Config, books: Attached): Promise<DoctorCheck[]> {
  const old = (await readNamedTokens(books)).filter(({ baseUrl }) => baseUrl !== publicUrl)
  return old.map(({ baseUrl, tokens }) =>
    warn(
      'identity_names',
      `${tokens} identity tokens are to name ${baseUrl}, not ${publicUrl}: purser identities rename has them name it.`,
    ),
  )
}

async function checkMigrations(config: Config, { databaseUrl }: Attached): Promise<DoctorCheck> {
  const name = 'migrations'
  try {
    const { pending, waiting } = await readSchema(databaseUrl)
    if (pending.length === 0 && waiting.length > 0)
      return ok(
        name,
        `All are applied but ${waiting.length}, which wait for "purser migrate --contract": run it when no machine runs an older version.`,
      )
    return pending.length === 0
      ? ok(name, 'All are applied.')
      : warn(
          name,
          `${pending.length} are to be applied, the first ${pending[0]}: the next start does it, or purser migrate.`,
        )
  } catch (error) {
    const sentence = schemaSentence(error, config)
    if (sentence) return fail(name, sentence)
    throw error
  }
}

async function checkIdentity({ db, chain }: Attached): Promise<DoctorCheck> {
  const name = 'chain_identity'
  const identities = await readIdentities(db.reader)
  const other = identities.find(({ network }) => network !== chain.network)
  if (other)
    return fail(
      name,
      `The database belongs to ${other.network}, not ${chain.network}: set PURSER_NETWORK as it was.`,
    )
  return ok(
    name,
    identities.length > 0
      ? `The database belongs to ${chain.network}.`
      : 'The database has not been used yet.',
  )
}

/** By the database's clock everything is due, on all machines. */
async function checkDatabaseClock({ db }: Attached): Promise<DoctorCheck> {
  const clock = followedClock()
  await clock.compare(async () => (await readDatabaseTime(db.reader)).getTime())
  const text = apartSentence(clock.aheadMs())
  return Math.abs(clock.aheadMs()) > MOST_APART_MS
    ? fail('database clock', `${text}, which decides: set it by NTP.`)
    : ok('database clock', `${text}.`)
}

async function checkClock(
  { db, databaseUrl, chain }: Attached,
  clock: Clock,
): Promise<DoctorCheck> {
  const isMigrated = (await pendingMigrations(databaseUrl)).length === 0
  const offsetMs = isMigrated ? await readClockOffset(db.reader) : 0
  const { at } = await readBlock(chain, 'latest')
  const aheadMs = clock.now().getTime() + offsetMs - at.getTime()
  const seconds = Math.round(aheadMs / 1000)
  const text = `This machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the chain's newest block`
  if (Math.abs(aheadMs) <= SKEW_WARN_MS) return ok('clock', `${text}.`)
  const advice = `${text}: set the clock by NTP, or use an RPC that keeps up.`
  return Math.abs(aheadMs) > SKEW_FAIL_MS ? fail('clock', advice) : warn('clock', advice)
}

/** The findings for a person. */
export function doctorText(checks: readonly DoctorCheck[]): string {
  const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const
  const width = Math.max(...checks.map(({ check }) => check.length))
  const lines = checks.map(
    ({ check, status, sentence }) => `  ${marks[status]}  ${check.padEnd(width)}  ${sentence}`,
  )
  const count = (status: DoctorCheck['status']) => checks.filter((c) => c.status === status).length
  return [
    ...lines,
    '',
    `${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} to fix.`,
  ].join('\n')
}

/** The findings for a program. */
export const doctorJson = (checks: readonly DoctorCheck[]): string =>
  JSON.stringify({ ok: checks.every(({ status }) => status !== 'fail'), checks }, null, 2)
