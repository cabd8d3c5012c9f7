/**
 * `npm run bench:growth [-- --settlements 1000000 --months 12]`: what a service with many settlements, spread over so many months,
 * stores and takes. `--help` says what it prints. Settlements are written by SQL past HTTP, through every trigger and into the hash
 * chains: `verify` finds no fault in them.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { Secret } from '../packages/service/src/base/kernel/secrets.ts'
import { checkpointKeysOf } from '../packages/service/src/base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../packages/service/src/base/signing-keys/keyring.ts'
import { checkBooksApart } from '../packages/service/src/run/operate/processes/check-books.ts'
import { readMemory } from './load/cpu.ts'
import { fire } from './load/fire.ts'
import { fillSettlements } from './stage/fill.ts'
import { connect } from './stage/fill-cards.ts'
import { type BenchService, HERE, MAIN, nodeFlagsOf, startService } from './stage/service.ts'
import { openShop, type Shop, settleRequests } from './stage/shop.ts'

const { values } = parseArgs({
  options: {
    settlements: { type: 'string', default: '200000' },
    months: { type: 'string', default: '12' },
    batch: { type: 'string', default: '500' },
    runs: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
})
const HELP = `npm run bench:growth [-- --settlements 200000 --months 12 --batch 500 --runs 3]

  --settlements  how many are in the books (10000000 take an hour or two, and 20 GB)
  --months       the months that they are spread over, the last of which ends now
  --batch        how many share a batch of the ledger
  --runs         turns of payments beside verify and without, and looks at each page

Prints bytes a settlement by table and index; time and memory of verify, whole and from its last state; payments a
second beside verify and without; the time of pages of a card's history, first and deep. Ends with one line of JSON.
`
const [settlements, months, batch, runs] = [
  values.settlements,
  values.months,
  values.batch,
  values.runs,
].map(Number) as [number, number, number, number]
const SIZE = { payers: 2_000, links: 200, cardLimit: Math.max(0.1, settlements / 25_000_000) }
const REQUESTS = 6_000
const WALK_PAGES = 40
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Bytes of each table and index; partitions count as what they are part of. */
async function readBytes(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `select concat_ws(' ', case c.relkind when 'i' then 'index' else 'table' end,
        coalesce(pg_partition_root(c.oid), c.oid)::regclass) as name,
      sum(case c.relkind when 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end)::float8 as bytes
     from pg_class c where c.relkind in ('r', 'i') and c.relnamespace = 'public'::regnamespace group by 1`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, bytes]))
}

type Kept = { name: string; bytes: number }

const grown = (before: Map<string, number>, after: Map<string, number>): Kept[] =>
  [...after]
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before.get(name) ?? 0)) / settlements }))
    .filter(({ bytes }) => bytes >= 0.5)
    .sort((a, b) => b.bytes - a.bytes)

/** Waits until a checkpoint has sealed all batches and the figures count them: a check then leaves a state of them. */
async function untilSealed(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_done: boolean }>(
      `select coalesce((select sum(s) from unnest(k.seqs) as s) = c.batches, false)
          and not exists (select from stats_cursors f join ledger_chains l on l.id = f.chain and l.seq > f.seq) as is_done
        from (select sum(seq) as batches from ledger_chains) c
          left join (select seqs from ledger_checkpoints order by seq desc limit 1) k on true`,
    )
    if (rows[0]?.is_done) return
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

type Verified = {
  seconds: number
  peakMb: number
  faults: number
  transfers: number
  /** The transfers that were walked, of a check from a state. */
  since?: number
}

/** `verify` as a person runs it. */
async function verify({ env }: BenchService, args: string[]): Promise<Verified> {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    [...nodeFlagsOf(), `${HERE}/${MAIN}`, 'verify', '--json', ...args],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  let peakMb = 0
  const look = setInterval(() => {
    try {
      peakMb = Math.max(peakMb, readMemory(child.pid as number).peakMb)
    } catch {
      // It ended.
    }
  }, 100)
  await new Promise((resolve) => child.once('close', resolve))
  clearInterval(look)
  const { faults, transfers, since } = JSON.parse(text)
  for (const { check, fault } of faults.slice(0, 5)) print(`  ${check}: ${fault}`)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  return {
    ...{ seconds, peakMb, faults: faults.length, transfers },
    ...(since ? { since: since.transfers } : {}),
  }
}

type Turn = { alone: number; beside: number; aloneMicros: number; besideMicros: number }

/** Payments a second without the check of the books and beside it, in turn. */
async function payBeside(service: BenchService, shop: Shop, secret: string): Promise<Turn[]> {
  const keys = checkpointKeysOf(new Keyring([new Secret(secret)]))
  const pay = async () => {
    const requests = await settleRequests(shop, REQUESTS, 0)
    const { perSecond, cpuMicros } = await fire(
      { ...service, pids: [service.pid] },
      { connections: 64, requests },
    )
    return { perSecond, micros: cpuMicros.service + cpuMicros.database }
  }
  await pay()
  const turns: Turn[] = []
  for (let run = 0; run < runs; run++) {
    const alone = await pay()
    const stopping = new AbortController()
    const checking = checkBooksApart({
      ...{ databaseUrl: service.databaseUrl, keys, env: process.env, signal: stopping.signal },
    }).catch(() => undefined)
    const beside = await pay()
    stopping.abort()
    await checking
    turns.push({
      ...{ alone: alone.perSecond, beside: beside.perSecond },
      ...{ aloneMicros: alone.micros, besideMicros: beside.micros },
    })
  }
  return turns
}

type Page = { what: string; ms: number }

/** Pages of a payer's and a receiver's history, the first and one far behind it, and the first of the whole wallet's. */
async function readPages(service: BenchService, shop: Shop): Promise<Page[]> {
  const pages: Page[] = []
  const { links } = await service.ask<{ links: { card_id: string }[] }>('GET', '/api/paylinks')
  const seller = links[0]?.card_id
  for (const [who, id] of [
    ['payer', shop.payers[0]?.id],
    ['receiver', seller],
  ]) {
    const path = `/api/cards/${id}/transactions?limit=50`
    pages.push(await look(service, `${who}, first page`, path))
    let after = ''
    for (let page = 0; page < WALK_PAGES; page++) {
      const { transactions } = await service.ask<{ transactions: { id: string }[] }>(
        'GET',
        after === '' ? path : `${path}&after=${after}`,
      )
      const last = transactions.at(-1)?.id
      if (last === undefined || transactions.length < 50) break
      after = last
    }
    if (after !== '') pages.push(await look(service, `${who}, deep page`, `${path}&after=${after}`))
  }
  pages.push(await look(service, 'wallet, first page', '/api/payments?limit=50'))
  return pages
}

/** The middle time of so many looks at one page. */
async function look(service: BenchService, what: string, url: string): Promise<Page> {
  const times: number[] = []
  for (let run = 0; run < Math.max(runs, 5); run++) {
    const startedAt = performance.now()
    await service.ask('GET', url)
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { what, ms: Math.round((times[times.length >> 1] ?? 0) * 10) / 10 }
}

async function bench(): Promise<void> {
  const secret = 'ab'.repeat(32)
  const service = await startService({ PURSER_SECRET: secret })
  try {
    const shop = await openShop(service, SIZE)
    // The first settlement opens the account of the fees.
    await fire(
      { ...service, pids: [service.pid] },
      { connections: 16, requests: await settleRequests(shop, 200, 0) },
    )
    const client = await connect(service.databaseUrl)
    await client.query('vacuum analyze')
    const before = await readBytes(client)
    const perSecond = await fillSettlements(service.databaseUrl, shop, settlements, {
      months,
      batch,
    })
    print(`${settlements} settlements over ${months} months, ${perSecond}/s written by SQL\n`)
    const kept = grown(before, await readBytes(client))
    const all = kept.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { name, bytes } of kept)
      print(`${name.padEnd(60)} ${bytes.toFixed(0).padStart(8)} bytes`)
    print(`${'all'.padEnd(60)} ${all.toFixed(0).padStart(8)} bytes a settlement\n`)
    const pages = await readPages(service, shop)
    for (const { what, ms } of pages) print(`${what.padEnd(60)} ${String(ms).padStart(8)} ms`)
    await untilSealed(client)
    const serial = await verify(service, ['--parallel', '1'])
    print(`verify, whole, one connection: ${JSON.stringify(serial)}`)
    const whole = await verify(service, ['--parallel', '2'])
    print(`verify, whole, two connections: ${JSON.stringify(whole)}`)
    const turns = await payBeside(service, shop, secret)
    for (const turn of turns) print(`payments a second: ${JSON.stringify(turn)}`)
    const incremental = await verify(service, ['--incremental'])
    print(`verify, incremental: ${JSON.stringify(incremental)}`)
    await client.end()
    print(
      JSON.stringify({
        settlements,
        months,
        batch,
        perSecond,
        bytes: all,
        kept,
        pages,
        ...{ serial, whole, incremental },
        turns,
      }),
    )
  } finally {
    await service.stop()
  }
}

if (values.help) print(HELP)
else await bench()
