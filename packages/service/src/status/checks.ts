import { readdir } from 'node:fs/promises'
import { askChain } from '../chain/chain.ts'
import { readBlock } from '../chain/reads.ts'
import { gasLevelOf, readGas } from '../chain/sender-gas.ts'
import { all, one, type Reader, sql } from '../db/sql.ts'
import type { Services } from '../http/services.ts'

/** What one part says of itself. `detail` is for whoever runs the service, and names no secret. */
export type Check = { ok: boolean; detail: string }
export type Readiness = {
  ready: boolean
  /** `relayers` decides nothing: cards pay without gas. */
  checks: Record<'database' | 'migrations' | 'chain' | 'relayers', Check>
}

const PATIENCE_MS = 3_000
const MIGRATIONS = new URL('../db/migrations/', import.meta.url)

/** Asks everything that a request depends on, at once; none may take longer than three seconds. */
export async function readReadiness({ db, chain }: Services): Promise<Readiness> {
  const [database, migrations, onChain, relayers] = await Promise.all([
    check('PostgreSQL', () => checkDatabase(db.reader)),
    check('the schema', () => checkMigrations(db.reader)),
    check('the chain', async () => {
      const id = await chain.rpc.getChainId()
      return id === chain.chainId
        ? { ok: true, detail: `answers as ${chain.network}` }
        : { ok: false, detail: `answers as eip155:${id}, but ${chain.network} is configured` }
    }),
    check('the chain', async () => {
      const { level, sentence } = gasLevelOf(await readGas({ chain }))
      return { ok: level !== 'out', detail: sentence }
    }),
  ])
  const needed = { database, migrations, chain: onChain }
  const ready = Object.values(needed).every(({ ok }) => ok)
  return { ready, checks: { ...needed, relayers } }
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

/** A part that fails or stays silent is not ready; that is the answer, not an error. Its reason is for the log. */
async function check(name: string, ask: () => Promise<Check>): Promise<Check> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<Check>((resolve) => {
    const detail = `${name} did not answer within ${PATIENCE_MS / 1000} s`
    timer = setTimeout(() => resolve({ ok: false, detail }), PATIENCE_MS)
  })
  const answer = ask().catch(() => ({ ok: false, detail: `${name} did not answer` }))
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

export type QueueSizes = { ready: number; waiting: number; running: number; failed: number }

/** How many jobs are due, wait for their time, run now, and have used up their attempts. */
export async function readQueue(on: Reader): Promise<QueueSizes> {
  const row = await one<Record<keyof QueueSizes, bigint>>(
    on,
    sql`select count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now()) as ready,
        count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now()) as waiting,
        count(*) filter (where locked_at is not null) as running,
        count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
      from graphile_worker.jobs`,
  )
  return {
    ready: Number(row?.ready ?? 0n),
    waiting: Number(row?.waiting ?? 0n),
    running: Number(row?.running ?? 0n),
    failed: Number(row?.failed ?? 0n),
  }
}

/** The newest block and how old it is, or nulls where the chain does not answer. */
export async function readHead(
  { chain, log }: Services,
  at: Date,
): Promise<{ head: number | null; lagSeconds: number | null }> {
  try {
    const block = await askChain(() => readBlock(chain, 'latest'))
    const lagMs = Math.max(0, at.getTime() - block.at.getTime())
    return { head: Number(block.number), lagSeconds: Math.round(lagMs / 1000) }
  } catch (error) {
    log.warn({ err: error }, 'the chain did not answer')
    return { head: null, lagSeconds: null }
  }
}
