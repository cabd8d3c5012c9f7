/**
 * Many settlements while the service is killed with -9: every payment is made once and reported once, and no nonce is
 * lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { all, openDb, sql } from '../../packages/service/src/base/db/sql.ts'
import { openSeller, openStage, type Payment, type Stage, signPayments } from './stage.ts'

type Hex = `0x${string}`
type Log = { topics: [Hex, Hex, Hex]; data: Hex }
type Reported = { payment: Payment; id: string; transaction: string }

const COUNT = 5_000
const CONCURRENCY = 64
const KILLED_AFTER = COUNT / 2
const DEADLINE_MS = 600_000
const PAUSE_MS = 250
/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Runs the soak and prints its counts. Answers 0 if nothing was lost or done twice. */
export async function soak(print: (line: string) => void): Promise<number> {
  await using stage = await openStage({ blockTimeSeconds: 1 })
  await stage.start()
  const key = await openSeller(stage)
  const payments = await signPayments(stage, COUNT)
  print(`${COUNT} payments signed`)
  const startedAt = performance.now()
  const reported = await settleAll(stage, key, { payments, print })
  const seconds = (performance.now() - startedAt) / 1000
  print(`${reported.length} reported as settled after ${seconds.toFixed(1)} s`)
  const faults = await untilFinal(stage)
  faults.push(...(await compare(stage, payments, reported)))
  for (const fault of faults.slice(0, 10)) print(`FAULT ${fault}`)
  print(
    JSON.stringify({ payments: COUNT, reported: reported.length, seconds, faults: faults.length }),
  )
  return faults.length > 0 || reported.length !== COUNT ? 1 : 0
}

async function settleAll(
  stage: Stage,
  key: string,
  { payments, print }: { payments: Payment[]; print(line: string): void },
): Promise<Reported[]> {
  const reported: Reported[] = []
  const left = [...payments]
  let restarting: Promise<void> | undefined
  const restart = async () => {
    await stage.kill('SIGKILL')
    print(`killed with -9 after ${reported.length}`)
    await stage.start()
    print('up again')
  }
  const work = async () => {
    for (let payment = left.pop(); payment; payment = left.pop()) {
      reported.push(await insist(stage, key, payment))
      if (reported.length === KILLED_AFTER) restarting = restart()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await restarting
  return reported
}

/** Repeats the request under its name until a success is reported. */
async function insist({ url }: Stage, key: string, payment: Payment): Promise<Reported> {
  const until = performance.now() + DEADLINE_MS
  const headers = {
    ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    'idempotency-key': payment.nonce,
  }
  const request = { method: 'POST', headers, body: JSON.stringify(payment.body) }
  let last = ''
  while (performance.now() < until) {
    const reply = await fetch(`${url}/api/x402/settle`, request).catch(() => undefined)
    last = reply ? await reply.text().catch(() => '') : 'no answer'
    if (reply?.ok && last) {
      const body = JSON.parse(last)
      if (body.success)
        return { payment, id: body.extra.settlement_id, transaction: body.transaction }
    }
    await sleep(PAUSE_MS)
  }
  throw new Error(`never settled: ${last}`)
}

const OPEN = sql<Record<string, number>>`select
  (select count(*) from x402_settlements where state = 'settling')::int as settling,
  (select count(*) from x402_settlements where state = 'settled' and finality = 'waiting')::int as waiting,
  (select count(*) from chain_sends where state <> 'mined' or not is_safe)::int as sends`

async function untilFinal(stage: Stage): Promise<string[]> {
  const db = openDb(stage.databaseUrl, 1)
  const until = performance.now() + DEADLINE_MS
  try {
    for (;;) {
      const [row = {}] = await all(db.reader, OPEN)
      const open = Object.entries(row).filter(([, count]) => count > 0)
      if (open.length === 0) return []
      if (performance.now() > until) return open.map(([what, n]) => `${n} ${what} never ended`)
      await sleep(PAUSE_MS)
    }
  } finally {
    await db.close()
  }
}

/** Each payee was paid once by its payer, every reported settlement is stored, and every nonce was used. */
async function compare(stage: Stage, payments: Payment[], reported: Reported[]): Promise<string[]> {
  const faults: string[] = []
  const filter = {
    ...{ address: stage.asset.contract, topics: [TRANSFER], fromBlock: '0x0', toBlock: 'latest' },
  }
  const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
  const counts = new Map<string, number>()
  for (const { topics } of await ask<Log[]>(stage, 'eth_getLogs', [filter])) {
    const pair = `${topics[1]} ${topics[2]}`
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  for (const { payer, payTo } of payments) {
    const times = counts.get(`${word(payer)} ${word(payTo)}`) ?? 0
    if (times !== 1) faults.push(`${payTo} was paid ${times} times`)
  }
  if (new Set(reported.map(({ id }) => id)).size !== reported.length)
    faults.push('one was reported twice')
  const db = openDb(stage.databaseUrl, 1)
  const rows = await all<{ id: string; nonce: string; txHash: string; finality: string }>(
    db.reader,
    sql`select id, nonce, tx_hash, finality from x402_settlements where state = 'settled'`,
  )
  const byNonce = new Map(rows.map((row) => [row.nonce, row]))
  if (rows.length !== payments.length) faults.push(`${rows.length} settlements are written down`)
  for (const { payment, id, transaction } of reported) {
    const row = byNonce.get(payment.nonce)
    if (row?.id !== id || row.txHash !== transaction || row.finality !== 'final')
      faults.push(`reported ${id} ${transaction}, written ${JSON.stringify(row)}`)
  }
  const relayers = await all<{ address: Hex; nextNonce: bigint }>(
    db.reader,
    sql`select address, next_nonce from chain_relayers`,
  )
  await db.close()
  for (const { address, nextNonce } of relayers) {
    const count = Number(await ask<Hex>(stage, 'eth_getTransactionCount', [address, 'latest']))
    if (count !== Number(nextNonce)) faults.push(`${address}: nonce ${nextNonce}, chain ${count}`)
  }
  return faults
}

async function ask<T>({ rpcUrl }: Stage, method: string, params: unknown[]): Promise<T> {
  const reply = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await reply.json()) as { result: T }).result
}
