/**
 * `npm run bench:webhooks [-- rate dead settle]`: deliveries a second to a local receiver, with one endpoint and with a
 * hundred; what one dead endpoint costs the ninety-nine others; what webhooks cost AP2 settle. Each is measured `--runs`
 * times (3), in turn with what it is compared with. Prints one line of JSON last.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openWallet } from '../packages/service/test/webhooks/http-wallet.ts'
import { cpuBetween, readCpu } from './load/cpu.ts'
import { fire } from './load/fire.ts'
import { openSide } from './sides.ts'
import { type BenchService, startService } from './stage/service.ts'
import { settleRequests } from './stage/shop.ts'
import { type Receiver, recordEvents, startReceiver } from './webhooks/stage.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' } },
})
const runs = Number(values.runs)
const isAsked = (part: string): boolean => positionals.length === 0 || positionals.includes(part)
const print = (line: string) => process.stdout.write(`${line}\n`)
const medianOf = (all: number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0

const WALLETS = 20
const EACH = 5
const BURST = 20_000
const SETTLEMENTS = 4_000
type Row = { what: string; perSecond: number; runs: number[]; cpuMicros?: object }

type Stage = { service: BenchService; there: Receiver; stack: AsyncDisposableStack }

/** Delivers `count` events to each of the paths that answer; returns the rate and the CPU time of a delivery. */
async function drain(
  { service, there }: Stage,
  of: { wallets: string[]; each: number; paths: string[]; dead?: string[] },
) {
  const { wallets, each, paths, dead = [] } = of
  const living = paths.filter((path) => !dead.includes(path))
  await there.reset(dead)
  const [before, usedBefore] = [readCpu(service.pid), (await there.read()).cpuSeconds]
  await recordEvents(service.databaseUrl, { wallets, each })
  const wanted = living.length * each
  for (let waited = 0; ; waited += 50) {
    const { counts, firstAt, lastAt, cpuSeconds } = await there.read()
    const count = living.reduce((sum, path) => sum + (counts[path] ?? 0), 0)
    if (waited > 60_000) throw new Error(`${count} of ${wanted} came within a minute`)
    if (count >= wanted) {
      const used = cpuBetween(before, readCpu(service.pid))
      const micros = (seconds: number) => Math.round((seconds * 1e6) / count)
      return {
        perSecond: Math.round(count / ((lastAt - firstAt) / 1000)),
        cpuMicros: {
          ...{ service: micros(used.service), database: micros(used.database) },
          receiver: micros(cpuSeconds - usedBefore),
        },
      }
    }
    await sleep(50)
  }
}

async function hundred(stage: Stage) {
  const paths: string[] = []
  const wallets: string[] = []
  for (let i = 0; i < WALLETS; i++) {
    const { wallet, ask } = await openWallet(`http://127.0.0.1:${stage.service.port}`)
    wallets.push(wallet)
    for (let n = 0; n < EACH; n++) {
      const path = `/w${i}-${n}`
      await ask('POST', '/api/webhooks', { url: stage.there.url + path, events: ['card.updated'] })
      paths.push(path)
    }
  }
  return { paths, wallets, each: BURST / paths.length }
}

async function rateRows(stage: Stage): Promise<Row[]> {
  const { wallet, ask } = await openWallet(`http://127.0.0.1:${stage.service.port}`)
  await ask('POST', '/api/webhooks', { url: `${stage.there.url}/one`, events: ['card.updated'] })
  const one = { wallets: [wallet], each: BURST / 2, paths: ['/one'] }
  const many = await hundred(stage)
  // The first request proves the host; the first thousands compile the code.
  await drain(stage, { ...one, each: 200 })
  await drain(stage, { ...many, each: 30 })
  const rows: Row[] = []
  const measure = async (what: string, of: Parameters<typeof drain>[1]) => {
    const { perSecond, cpuMicros } = await drain(stage, of)
    print(`${what.padEnd(48)} ${perSecond}/s  CPU µs ${JSON.stringify(cpuMicros)}`)
    const row = rows.find((one) => one.what === what)
    if (row) row.runs.push(perSecond)
    else rows.push({ what, perSecond, runs: [perSecond], cpuMicros })
  }
  for (let run = 0; run < runs; run++) {
    if (isAsked('rate')) await measure('one endpoint', one)
    if (isAsked('rate')) await measure('a hundred endpoints', many)
  }
  // One that was dead has much to catch up with, so from now on the others alone are counted.
  const [first = '', ...others] = many.paths
  for (let run = 0; run < runs && isAsked('dead'); run++) {
    await measure('ninety-nine endpoints, beside a dead one', {
      ...many,
      paths: others,
      dead: [first],
    })
    await measure('ninety-nine endpoints, beside one more', { ...many, paths: others })
  }
  return rows.map((row) => ({ ...row, perSecond: medianOf(row.runs) }))
}

/** AP2 settle without a webhook, with one whose deliveries wait, and with one that takes each event. */
async function settleRows(stack: AsyncDisposableStack, there: Receiver): Promise<Row[]> {
  const side = await openSide({ who: 'this tree' }, 300, stack)
  const { ask } = side.service
  const { id } = await ask<{ id: string }>('POST', '/api/webhooks', { url: `${there.url}/settle` })
  const setUp = {
    'settle, no webhook': { status: 'DISABLED' },
    'settle, events made into deliveries': { status: 'ACTIVE', url: 'http://127.0.0.1:9/closed' },
    'settle, events delivered': { status: 'ACTIVE', url: `${there.url}/settle` },
  }
  const rows = new Map<string, number[]>()
  for (let run = 0; run <= runs; run++)
    for (const [what, change] of Object.entries(setUp)) {
      await ask('PATCH', `/api/webhooks/${id}`, { status: 'DISABLED' })
      await ask('PATCH', `/api/webhooks/${id}`, change)
      const requests = await settleRequests(side.shop, SETTLEMENTS, 0)
      const { perSecond, cpuMicros } = await fire(side.target, { connections: 64, requests })
      // The first round compiles the code.
      if (run === 0) continue
      print(`${what.padEnd(48)} ${perSecond}/s  CPU µs ${JSON.stringify(cpuMicros)}`)
      rows.set(what, [...(rows.get(what) ?? []), perSecond])
    }
  return [...rows].map(([what, all]) => ({ what, perSecond: medianOf(all), runs: all }))
}

await using stack = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const there = await startReceiver(stack)
const rows: Row[] = []
if (isAsked('rate') || isAsked('dead')) {
  await using own = new AsyncDisposableStack()
  const service = await startService({ PURSER_PROCESSES: '1', PURSER_WEBHOOK_HOST_RATE: '100000' })
  own.defer(() => service.stop())
  rows.push(...(await rateRows({ service, there, stack })))
}
if (isAsked('settle')) rows.push(...(await settleRows(stack, there)))
print('')
for (const { what, perSecond } of rows) print(`${what.padEnd(48)} ${perSecond}/s`)
print(JSON.stringify({ cores: availableParallelism(), node: process.version, runs, rows }))
