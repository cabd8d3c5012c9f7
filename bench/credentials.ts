/**
 * `npm run bench:credentials [-- --cards 100000 --transactions 10000000 --follow 200000 --leaves 200000]`: pages of
 * listings, lookups and registrations of credentials under load, the rate of the follower, and a proof of one card. The figures
 * of the listed cards are written straight into their rows, as many payments would have left them; the payments of
 * `--follow` go through settlements, ledger and follower; those of `--leaves` are settlements alone. Prints one line of
 * JSON last.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { verifyFile } from '../packages/cli/src/proof/verify.ts'
import { openDb } from '../packages/service/src/base/db/sql.ts'
import { USDC } from '../packages/service/src/base/kernel/assets.ts'
import { followOnce } from '../packages/service/src/business/stats/follow.ts'
import { alternate, type Row } from './alternate.ts'
import { readMemory } from './load/cpu.ts'
import { fire } from './load/fire.ts'
import { connect, fillCards, fillFigures, fillPayments, fund } from './stage/fill-cards.ts'
import { type BenchService, startService } from './stage/service.ts'

const { values } = parseArgs({
  options: {
    cards: { type: 'string', default: '100000' },
    transactions: { type: 'string', default: '10000000' },
    follow: { type: 'string', default: '200000' },
    leaves: { type: 'string', default: '200000' },
    runs: { type: 'string', default: '3' },
  },
})
const [cards, transactions, follow, leaves, runs] = [
  Number(values.cards),
  Number(values.transactions),
  Number(values.follow),
  Number(values.leaves),
  Number(values.runs),
]
const print = (line: string) => process.stdout.write(`${line}\n`)
const REQUESTS = 4_000
const CONNECTIONS = [4, 16]
/** Payments in one batch of the ledger, as a busy lane makes them. */
const BATCH = 60
const PAYERS = { from: 1, count: 5_000 }
const SELLERS = { from: 5_001, count: 2_000 }
const STAR = 7_001

const idOf = (n: number): string => `card_${String(n).padStart(26, '0')}`
const randomCard = (): string => idOf(1 + Math.floor(Math.random() * cards))
const seconds = (since: number): number => Math.round((performance.now() - since) / 100) / 10

async function fill(client: Client): Promise<void> {
  const startedAt = performance.now()
  await fillCards(client, cards)
  await fillFigures(client, { cards, each: Math.round(transactions / cards) })
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  print(
    `${cards} listed cards with the figures of ${transactions} payments, in ${seconds(startedAt)} s`,
  )
}

/** Requests as callers make them: pages by revenue, the first ones most often, and any credential. */
function measureReads(service: BenchService): Promise<Row[]> {
  const target = { ...service, pids: [service.pid] }
  const page = () => 1 + Math.floor(Math.random() ** 4 * 100)
  const asked = {
    'listings by revenue, 50 a page': () =>
      `GET /api/listings?sort=revenue_desc&limit=50&page=${page()}`,
    'listings, newest first, 50 a page': () => `GET /api/listings?limit=50&page=${page()}`,
    'lookup of a credential': () => `GET /api/v1/credentials/${randomCard()}`,
    'registration of a credential': () => `GET /api/v1/credentials/${randomCard()}/registration`,
    'root of the credential API': () => 'GET /api/v1',
  }
  const measures = Object.entries(asked).flatMap(([what, request]) =>
    CONNECTIONS.map((connections) => ({
      ...{ what, connections },
      run: () => fire(target, { connections, requests: Array.from({ length: REQUESTS }, request) }),
    })),
  )
  return alternate(measures, { runs, print })
}

/** Payments between cards, counted by this process and the service's worker, whichever comes first. */
async function measureFollower(service: BenchService, client: Client): Promise<number> {
  await fund(client, PAYERS, 1_000_000_000)
  const filling = performance.now()
  await client.query(`update stats_progress set at = now()`)
  const db = openDb(service.databaseUrl, 2, 'jobs')
  const counting = { db, chain: { asset: USDC[84532] } } as never
  const isLeft = async () =>
    (
      await client.query(
        `select exists (select from stats_cursors c join ledger_chains l on l.id = c.chain where l.seq > c.seq) as left`,
      )
    ).rows[0].left as boolean
  while (await isLeft()) await followOnce(counting, new Date())
  // While it is locked no other process counts.
  await client.query('begin')
  await client.query('select 1 from stats_progress for update')
  const writer = await connect(service.databaseUrl)
  await fillPayments(writer, {
    payers: PAYERS,
    sellers: SELLERS,
    count: follow,
    series: 1,
    batch: BATCH,
  })
  await writer.end()
  await client.query('commit')
  print(`${follow} payments written in ${seconds(filling)} s`)
  const startedAt = performance.now()
  while (await isLeft()) await followOnce(counting, new Date())
  const rate = Math.round(follow / ((performance.now() - startedAt) / 1000))
  print(`the follower counts ${rate} payments a second`)
  await db.close()
  return rate
}

/** A proof of a card, its export and the check of that, and the memory that the service took for them. */
async function measureProof(service: BenchService, client: Client) {
  const sellers = { from: STAR, count: 1 }
  await fillPayments(client, { payers: PAYERS, sellers, count: leaves, series: 2, batch: null })
  await client.query('analyze settlements')
  const path = `/api/v1/credentials/${idOf(STAR)}/proof`
  const proving = performance.now()
  await service.ask('GET', path)
  const proof = seconds(proving)
  const exporting = performance.now()
  const response = await fetch(`http://127.0.0.1:${service.port}${path}?leaves=all`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  })
  const folder = mkdtempSync(join(tmpdir(), 'purser-proof-'))
  const file = join(folder, 'proof.ndjson')
  await writeFile(file, response.body ?? '')
  const exported = seconds(exporting)
  const bytes = statSync(file).size
  const { peakMb } = readMemory(service.pid)
  const checking = performance.now()
  const jwks = join(folder, 'jwks.json')
  const known = await fetch(`http://127.0.0.1:${service.port}/.well-known/jwks.json`)
  await writeFile(jwks, known.body ?? '')
  const { ok, faults } = await verifyFile(file, { jwks })
  const verified = seconds(checking)
  rmSync(folder, { recursive: true })
  print(
    `a proof of ${leaves} payments takes ${proof} s, their export of ${Math.round(bytes / 1e6)} MB ${exported} s; the service took at most ${peakMb} MB; checked in ${verified} s: ${ok ? 'holds' : `DOES NOT HOLD: ${faults}`}`,
  )
  return { proof, exported, bytes, peakMb, verified, ok }
}

const service = await startService({
  PURSER_CREDENTIAL_LOOKUPS: '100000000',
  PURSER_RATE_LIMIT: '100000000',
})
try {
  const client = await connect(service.databaseUrl)
  await fill(client)
  const rows = cards > 0 && runs > 0 ? await measureReads(service) : []
  const rate = follow > 0 ? await measureFollower(service, client) : 0
  const proof = leaves > 0 ? await measureProof(service, client) : undefined
  await client.end()
  print(JSON.stringify({ cards, transactions, rows, follow, rate, leaves, proof }))
} finally {
  await service.stop()
}
