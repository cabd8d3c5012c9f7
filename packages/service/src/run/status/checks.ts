import { perServices, type Services } from '../../api/http/services.ts'
import { apartSentence, MOST_APART_MS } from '../../base/db/clock.ts'
import { APPLIED, compareNewer } from '../../base/db/migrate.ts'
import { readMigrations } from '../../base/db/migrations.ts'
import { outageSentence } from '../../base/db/outage.ts'
import { all, type Db, one, type Reader, sql } from '../../base/db/sql.ts'
import { type Clock, within } from '../../base/kernel/clock.ts'
import { askChain, type Chain } from '../../chain/client/chain.ts'
import { kept, readKeptBlock, readKeptGas, tryKeptWrite } from './kept.ts'
import { noteCheck } from './since.ts'

/** The state of one part. `detail` is for the operator, and contains no secret. */
export type Check = { ok: boolean; detail: string }
type Capability = 'available' | 'unavailable'
export type Readiness = {
  status: 'ready' | 'not_ready' | 'leaving'
  /** Operations that need only the database: cards, balances, pay links by card. */
  cards: Capability
  /** Operations that need the chain: deposits, withdrawals, x402. Cards pay without it. */
  chain: Capability
  /** `since`: from when on this process has seen it fail; null while it does not. */
  checks: Record<
    'database' | 'writes' | 'migrations' | 'clock' | 'chain' | 'relayers',
    Check & { since: string | null }
  >
}

const PATIENCE_MS = 3_000
/** Shorter than a load balancer's timeout. */
const CHAIN_PATIENCE_MS = 500

const asked = perServices((): { answer?: Promise<Readiness> } => ({}))

/** Checks everything that a request depends on. Concurrent callers share an answer. */
export function readReadiness(services: Services): Promise<Readiness> {
  const shared = asked(services)
  shared.answer ??= ask(services).finally(() => {
    delete shared.answer
  })
  return shared.answer
}

async function ask(services: Services): Promise<Readiness> {
  const { db, chain, clock: own, leaving } = services
  const [database, writes, migrations, onChain, relayers] = await Promise.all([
    check('PostgreSQL', PATIENCE_MS, () => checkDatabase(db.reader)),
    check('PostgreSQL', PATIENCE_MS, () => checkWrites(db)),
    check('the schema', PATIENCE_MS, () => checkMigrations(db.reader)),
    check('the chain', CHAIN_PATIENCE_MS, () => checkChain(chain)),
    check('the chain', CHAIN_PATIENCE_MS, () => checkGas(chain)),
  ])
  const clock = checkClock(own)
  const at = own.now()
  const dated = (name: string, found: Check) => ({
    ...found,
    since: noteCheck(services, { name, ok: found.ok, at })?.toISOString() ?? null,
  })
  const cards = database.ok && writes.ok && migrations.ok
  const stays = cards && clock.ok ? 'ready' : 'not_ready'
  return {
    status: leaving.isLeaving ? 'leaving' : stays,
    cards: cards ? 'available' : 'unavailable',
    chain: onChain.ok ? 'available' : 'unavailable',
    checks: {
      database: dated('database', database),
      writes: dated('writes', writes),
      migrations: dated('migrations', migrations),
      clock: dated('clock', clock),
      chain: dated('chain', onChain),
      relayers: dated('relayers', relayers),
    },
  }
}

const checkChain = kept(async ({ rpc, chainId, network }: Chain): Promise<Check> => {
  const id = await rpc.getChainId()
  return id === chainId
    ? { ok: true, detail: `answers as ${network}` }
    : { ok: false, detail: `answers as eip155:${id}, but ${network} is configured` }
})

const checkGas = async (chain: Chain): Promise<Check> => {
  const { level, sentence } = await readKeptGas(chain)
  return { ok: level !== 'out', detail: sentence }
}

/** Everything is due by the database's clock. A machine's own shows in TLS, and in what its libraries sign. */
function checkClock(clock: Clock): Check {
  const ok = Math.abs(clock.aheadMs()) <= MOST_APART_MS
  return { ok, detail: ok ? 'agrees with the database’s' : apartSentence(clock.aheadMs()) }
}

async function checkDatabase(on: Reader): Promise<Check> {
  await one(on, sql`select 1`)
  return { ok: true, detail: 'answers' }
}

async function checkWrites(db: Db): Promise<Check> {
  await tryKeptWrite(db)
  return { ok: true, detail: 'takes writes' }
}

async function checkMigrations(on: Reader): Promise<Check> {
  const rows = await all(on, sql.raw<{ name: string; oldest: string | null }>(APPLIED))
  const applied = new Set(rows.map((row) => row.name))
  const files = await ownFiles()
  const own = files.map(({ name }) => name)
  const lacking = files.filter(({ name }) => !applied.has(name))
  const pending = lacking.filter(({ isContract }) => !isContract).map(({ name }) => name)
  const waiting = lacking.length - pending.length
  if (pending.length > 0) return { ok: false, detail: `not applied yet: ${pending.join(', ')}` }
  const { newer, tooNew } = compareNewer(rows, own)
  // This process runs on: what a newer version added is no fault for it. It may not be started again.
  const beside = tooNew.length > 0 ? ', on which this version cannot start again' : ''
  const others =
    newer.length > 0 ? `, ${newer.length} of a newer version (${newer.join(', ')})` : ''
  const later = waiting > 0 ? `, ${waiting} wait for purser migrate --contract` : ''
  return { ok: true, detail: `${applied.size} applied${later}${others}${beside}` }
}

let files: ReturnType<typeof readMigrations> | undefined
/** They are read once: a process keeps the program that it was started with. A read that failed is made again. */
const ownFiles = () => {
  files ??= readMigrations().catch((error) => {
    files = undefined
    throw error
  })
  return files
}

/** A part that fails or times out is not ready: an answer, not an error. */
function check(name: string, patienceMs: number, ask: () => Promise<Check>): Promise<Check> {
  const detail = `${name} did not answer within ${patienceMs / 1000} s`
  const answer = ask().catch((error) => ({
    ok: false,
    detail: outageSentence(error) ?? `${name} did not answer`,
  }))
  return within(answer, patienceMs, () => ({ ok: false, detail }))
}

/** The newest block, at most two seconds old, and its age; nulls if the chain does not answer. */
export async function readHead(
  { chain, log }: Services,
  at: Date,
): Promise<{ head: number | null; lagSeconds: number | null }> {
  try {
    const block = await askChain(() => readKeptBlock(chain))
    const lagMs = Math.max(0, at.getTime() - block.at.getTime())
    return { head: Number(block.number), lagSeconds: Math.round(lagMs / 1000) }
  } catch (error) {
    log.warn({ err: error }, 'the chain did not answer')
    return { head: null, lagSeconds: null }
  }
}
