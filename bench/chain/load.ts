/**
 * Withdrawals and x402 payments of links through HTTP on the real service with its own chain of 1 s blocks, killed with
 * -9 and started again in the middle. Counts the time until everything is final, and compares ledger and chain.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { all, type Db, openDb, sql } from '../../packages/service/src/base/db/sql.ts'
import { USDC } from '../../packages/service/src/base/kernel/assets.ts'
import { amount } from '../../packages/service/src/base/kernel/money.ts'
import { randomHex, Secret } from '../../packages/service/src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../../packages/service/src/base/protocols/evm/eip3009/authorization.ts'
import { paymentRequirements } from '../../packages/service/src/base/protocols/x402/requirements.ts'
import { localSigner } from '../../packages/service/src/chain/client/signers/local.ts'
import type { Signer } from '../../packages/service/src/chain/client/signers/signer.ts'
import { type CpuTimes, cpuBetween, readCpu } from '../load/cpu.ts'
import { compareWithChain } from './compare.ts'
import { ChainService } from './service.ts'

type Hex = `0x${string}`
export type Load = { withdrawals: number; links: number; concurrency: number; folder?: string }
export type Outcome = {
  withdrawals: number
  links: number
  setupSeconds: number
  /** From the first request until everything is final. */
  seconds: number
  downSeconds: number
  requests: number
  retries: number
  transactions: number
  cpu: CpuTimes
  latency: { p50: number; p99: number; max: number }
  faults: string[]
}
type Intent = { path: string; method: string; headers: Record<string, string>; body?: string }

const PAYERS = 50
const CARDS = 10
const LINK_PRICE = 10_000n
const WITHDRAWN = 0.2
const DEADLINE_MS = 600_000
const PAUSE_MS = 250

export async function runChainLoad(load: Load, say: (line: string) => void): Promise<Outcome> {
  const service = new ChainService(load.folder)
  const stack = new AsyncDisposableStack()
  try {
    const begun = performance.now()
    await service.start()
    const { intents, payees } = await prepare(service, load, say)
    const setupSeconds = (performance.now() - begun) / 1000
    say(`ready after ${setupSeconds.toFixed(1)} s`)
    const before = readCpu(service.pid)
    const started = performance.now()
    const driven = await drive(service, intents, load.concurrency, say)
    say(`all answered after ${((performance.now() - started) / 1000).toFixed(1)} s`)
    const db = openDb(service.dev.database_url, 2)
    stack.defer(db.close)
    const open = await untilFinal(db, say)
    const seconds = (performance.now() - started) / 1000
    const cpu = cpuBetween(service.starts > 1 ? ZERO : before, readCpu(service.pid))
    const compared = await compareWithChain(service, db, payees)
    const verified = await service.verify()
    const faults = [...open, ...driven.failures, ...compared.faults]
    if (verified.code !== 0) faults.push(`verify: ${verified.text.slice(0, 2_000)}`)
    return {
      ...{ withdrawals: load.withdrawals, links: load.links, setupSeconds, seconds, cpu, faults },
      ...{ downSeconds: driven.downSeconds, requests: driven.requests, retries: driven.retries },
      transactions: compared.transactions,
      latency: percentiles(driven.latencies),
    }
  } finally {
    await stack.disposeAsync()
    await service.stop()
  }
}

const ZERO: CpuTimes = { service: 0, database: 0, chain: 0 }

async function prepare(service: ChainService, load: Load, say: (line: string) => void) {
  const key = {
    authorization: `Bearer ${service.dev.demo.api_key}`,
    'content-type': 'application/json',
  }
  const post = async (path: string, body: unknown): Promise<any> => {
    const reply = await fetch(service.url + path, {
      ...{ method: 'POST', headers: key, body: JSON.stringify(body) },
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    return JSON.parse(text)
  }
  const payers = Array.from({ length: PAYERS }, () => localSigner(new Secret(randomHex(32))))
  for (const { address } of payers)
    await post('/api/dev/faucet', { wallet_address: address, amount: 1_000 })
  const cards: string[] = []
  for (let i = 0; i < CARDS; i++)
    cards.push((await post('/api/issue', { purpose: 'shop', limit_amount: 1 })).card.id)
  const codes: string[] = []
  await inParallel(
    Array.from({ length: load.links }, (_, i) => i),
    32,
    async (i) => {
      codes.push((await post('/api/paylinks', { card_id: cards[i % CARDS], amount: 0.01 })).code)
    },
  )
  say(`${codes.length} links made`)
  const db = openDb(service.dev.database_url, 1)
  const rows = await all<{ code: string; depositAddress: Hex }>(
    db.reader,
    sql`select code, deposit_address from pay_links where code = any(${codes})`,
  )
  await db.close()
  const paid: Intent[] = []
  for (const [i, { code, depositAddress }] of rows.entries())
    paid.push(await payment(payers[i % PAYERS] as Signer, code, depositAddress))
  const payees = Array.from({ length: load.withdrawals }, () => randomHex(20))
  const withdrawn = payees.map((to_address) => ({
    ...{ path: '/api/withdraw', method: 'POST' },
    headers: { ...key, 'idempotency-key': randomHex(16) },
    body: JSON.stringify({ amount: WITHDRAWN, to_address }),
  }))
  return { intents: mix(paid, withdrawn), payees }
}

/** An x402 v2 payment header for the link, signed by the payer. */
async function payment(payer: Signer, code: string, payTo: Hex): Promise<Intent> {
  const asset = USDC[84_532]
  if (!asset) throw new Error('no USDC')
  const authorization = {
    ...{ from: payer.address, to: payTo, value: LINK_PRICE, validAfter: 0n, nonce: randomHex(32) },
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 24 * 3600),
  }
  const signature = await payer.signTypedData(authorizationTypedData(asset, authorization))
  const accepted = paymentRequirements({
    ...{ asset, amount: amount(LINK_PRICE), payTo, maxTimeoutSeconds: 120 },
  })
  const wire = {
    ...authorization,
    ...{
      value: String(LINK_PRICE),
      validAfter: '0',
      validBefore: String(authorization.validBefore),
    },
  }
  const payload = { x402Version: 2, accepted, payload: { signature, authorization: wire } }
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  return { path: `/pay/${code}`, method: 'GET', headers: { 'payment-signature': header } }
}

/** Spreads both kinds evenly over the run. */
function mix(many: Intent[], few: Intent[]): Intent[] {
  const all = [
    ...many.map((intent, i) => ({ intent, place: i / many.length })),
    ...few.map((intent, i) => ({ intent, place: i / few.length })),
  ]
  return all.sort((a, b) => a.place - b.place).map(({ intent }) => intent)
}

async function drive(
  service: ChainService,
  intents: Intent[],
  concurrency: number,
  say: (line: string) => void,
) {
  const answered = { requests: 0, retries: 0, done: 0, downSeconds: 0, latencies: [] as number[] }
  const failures: string[] = []
  let restarting: Promise<void> | undefined
  const restart = async () => {
    const from = performance.now()
    await service.kill()
    say(`killed with -9 after ${answered.done} answers`)
    await service.start()
    answered.downSeconds = (performance.now() - from) / 1000
    say(`up again after ${answered.downSeconds.toFixed(1)} s`)
  }
  await inParallel(intents, concurrency, async (intent) => {
    const from = performance.now()
    for (;;) {
      answered.requests++
      const answer = await ask(service.url, intent)
      if (answer.ok) break
      if (answer.isFinal || performance.now() - from > DEADLINE_MS) {
        failures.push(`${intent.path}: ${answer.text}`)
        break
      }
      answered.retries++
      await sleep(PAUSE_MS)
    }
    answered.latencies.push(performance.now() - from)
    if (++answered.done === Math.floor(intents.length / 2)) restarting = restart()
    if (answered.done % 1_000 === 0) say(`${answered.done} of ${intents.length} answered`)
  })
  await restarting
  return { ...answered, failures }
}

const AGAIN = new Set([408, 409, 429, 500, 502, 503, 504])

async function ask(url: string, { path, ...init }: Intent) {
  try {
    const reply = await fetch(url + path, init)
    const text = await reply.text()
    return {
      ok: reply.ok,
      isFinal: !AGAIN.has(reply.status),
      text: `${reply.status} ${text.slice(0, 300)}`,
    }
  } catch (error) {
    // The service is down: send the same request again.
    return { ok: false, isFinal: false, text: String(error) }
  }
}

const OPEN = sql<
  Record<string, number>
>`select (select count(*) from withdrawals where status = 'PROCESSING')::int as withdrawals,
  (select count(*) from settlements where state = 'settling')::int as settling,
  (select count(*) from settlement_confirmations c join settlements s on s.id = c.settlement_id
    where c.state <> 'final' and s.state = 'settled')::int as unconfirmed,
  (select count(*) from chain_sends where state <> 'mined' or not is_safe)::int as sends`

/** Waits until nothing is on its way. Returns what is still unfinished after the deadline. */
async function untilFinal(db: Db, say: (line: string) => void): Promise<string[]> {
  const until = performance.now() + DEADLINE_MS / 2
  for (let looks = 0; ; looks++) {
    const rows = await all(db.reader, OPEN)
    const open = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0)
    if (open.length === 0) return []
    if (looks % 12 === 0) say(`open: ${open.map(([what, count]) => `${count} ${what}`).join(', ')}`)
    if (performance.now() > until)
      return open.map(([what, count]) => `${count} ${what} never ended`)
    await sleep(PAUSE_MS)
  }
}

async function inParallel<T>(items: T[], width: number, work: (item: T) => Promise<void>) {
  const left = [...items].reverse()
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

function percentiles(latencies: number[]) {
  const sorted = [...latencies].sort((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
