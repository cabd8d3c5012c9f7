import { readdir } from 'node:fs/promises'
import { perServices, type Services } from '../../api/http/services.ts'
import { all, one, type Reader, sql } from '../../base/db/sql.ts'
import { within } from '../../base/kernel/clock.ts'
import { askChain, type Chain } from '../../chain/client/chain.ts'
import { PACKAGE } from '../../places.ts'
import { kept, readKeptBlock, readKeptGas } from './kept.ts'

/** The state of one part. `detail` is for the operator, and contains no secret. */
export type Check = { ok: boolean; detail: string }
type Capability = 'available' | 'unavailable'
export type Readiness = {
  status: 'ready' | 'not_ready' | 'leaving'
  /** Operations that need only the database: cards, balances, pay links by card. */
  cards: Capability
  /** Operations that need the chain: deposits, withdrawals, x402. Cards pay without it. */
  chain: Capability
  checks: Record<'database' | 'migrations' | 'chain' | 'relayers', Check>
}

const PATIENCE_MS = 3_000
/** Shorter than a load balancer's timeout. */
const CHAIN_PATIENCE_MS = 500
const MIGRATIONS = new URL('src/base/db/migrations/', PACKAGE)

const asked = perServices((): { answer?: Promise<Readiness> } => ({}))

/** Checks everything that a request depends on. Concurrent callers share an answer. */
export function readReadiness(services: Services): Promise<Readiness> {
  const shared = asked(services)
  shared.answer ??= ask(services).finally(() => {
    delete shared.answer
  })
  return shared.answer
}

async function ask({ db, chain, leaving }: Services): Promise<Readiness> {
  const [database, migrations, onChain, relayers] = await Promise.all([
    check('PostgreSQL', PATIENCE_MS, () => checkDatabase(db.reader)),
    check('the schema', PATIENCE_MS, () => checkMigrations(db.reader)),
    check('the chain', CHAIN_PATIENCE_MS, () => checkChain(chain)),
    check('the chain', CHAIN_PATIENCE_MS, () => checkGas(chain)),
  ])
  const cards = database.ok && migrations.ok
  const stays = cards ? 'ready' : 'not_ready'
  return {
    status: leaving.isLeaving ? 'leaving' : stays,
    cards: cards ? 'available' : 'unavailable',
    chain: onChain.ok ? 'available' : 'unavailable',
    checks: { database, migrations, chain: onChain, relayers },
  }
}

const checkChain = kept(async ({ rpc, chainId, network }) => {
  const id = await rpc.getChainId()
  return id === chainId
    ? { ok: true, detail: `answers as ${network}` }
    : { ok: false, detail: `answers as eip155:${id}, but ${network} is configured` }
})

const checkGas = async (chain: Chain): Promise<Check> => {
  const { level, sentence } = await readKeptGas(chain)
  return { ok: level !== 'out', detail: sentence }
}

async function checkDatabase(on: Reader): Promise<Check> {
  await one(on, sql`select 1`)
  return { ok: true, detail: 'answers' }
}

async function checkMigrations(on: Reader): Promise<Check> {
  const rows = await all<{ name: string }>(on, sql`select name from schema_migrations`)
  const applied = new Set(rows.map((row) => row.name))
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql'))
  const pending = files.filter((name) => !applied.has(name)).sort()
  return pending.length === 0
    ? { ok: true, detail: `${applied.size} applied` }
    : { ok: false, detail: `not applied yet: ${pending.join(', ')}` }
}

/** A part that fails or times out is not ready: an answer, not an error. The reason is logged. */
function check(name: string, patienceMs: number, ask: () => Promise<Check>): Promise<Check> {
  const detail = `${name} did not answer within ${patienceMs / 1000} s`
  const answer = ask().catch(() => ({ ok: false, detail: `${name} did not answer` }))
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
