/**
 * `npm run bench:paywall`: requests a second of a route of Express behind `@purser/paywall` and behind `@x402/express`, both settled by
 * one service on one chain, in turn: answers without a payment, and paid ones. Prints one line of JSON last.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import { authorizationTypedData } from '../packages/service/src/base/protocols/evm/eip3009/authorization.ts'
import { alternate, type Figures, type Measure } from './alternate.ts'
import { openSeller, openStage, type Stage } from './facilitator/stage.ts'
import { type CpuTimes, cpuBetween, readCpu } from './load/cpu.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    unpaid: { type: 'string', default: '4000' },
    paid: { type: 'string', default: '1000' },
  },
})
const PRICE = '0.001'
const WARMING = 300
const CONNECTIONS = { unpaid: 32, paid: 32 }
const SIDES = ['@x402/express', '@purser/paywall'] as const
type Side = (typeof SIDES)[number]
type Headers = Record<string, string>
type Opened = { side: Side; port: number; child: ChildProcess; payTo: `0x${string}` }
const print = (line: string) => process.stdout.write(`${line}\n`)

async function open(stage: Stage, side: Side, of: { key: string; payTo: `0x${string}` }) {
  const program = new URL('../packages/paywall/test/seller.ts', import.meta.url).pathname
  const who = side === '@purser/paywall' ? 'ours' : 'theirs'
  const flags = ['--conditions', 'purser-source']
  const args = [...flags, program, who, stage.url, of.key, of.payTo, PRICE]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const port = Number((await lines.next()).value)
  if (!port) throw new Error(`${side} did not start`)
  return { side, port, child, payTo: of.payTo }
}

/** Sends the requests over so many connections. Counts the answers of the status. */
async function send(
  { pids }: Stage,
  { side, port, child }: Opened,
  of: { requests: Headers[]; connections: number; status: number },
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true, maxSockets: of.connections })
  const others: string[] = []
  const one = (headers: Headers): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const at = performance.now()
      const sent = request(
        { port, host: '127.0.0.1', path: '/report', headers, agent },
        (reply) => {
          let text = ''
          reply.on('data', (chunk) => {
            text += chunk
          })
          reply.on('end', () => {
            const isIt = reply.statusCode === of.status
            if (!isIt) others.push(`${reply.statusCode} ${text.slice(0, 200)}`)
            resolve(isIt ? performance.now() - at : undefined)
          })
        },
      )
      sent.on('error', reject)
      sent.end()
    })
  const left = of.requests.toReversed()
  const tookMs: number[] = []
  const read = () => [child.pid ?? 0, ...pids].map(readCpu)
  const [startedAt, before] = [performance.now(), read()]
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const took = await one(next)
      if (took !== undefined) tookMs.push(took)
    }
  }
  await Promise.all(Array.from({ length: of.connections }, work))
  const seconds = (performance.now() - startedAt) / 1000
  const after = read()
  agent.destroy()
  // On a busy machine a settlement may wait too long: such an answer does not count, and is shown.
  if (others.length > 0) print(`${side}: ${others.length} other answers, the first ${others[0]}`)
  if (tookMs.length < of.requests.length / 2) throw new Error('most answers were others')
  const at = (part: number) => {
    const sorted = tookMs.toSorted((a, b) => a - b)
    return Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10
  }
  const micros = (used: number | undefined) => Math.round(((used ?? 0) * 1e6) / of.requests.length)
  const [seller, service, database, chain] = before.map((one, i) =>
    cpuBetween(one, after[i] as CpuTimes),
  )
  return {
    perSecond: Math.round(tookMs.length / seconds),
    ...{ p50Ms: at(0.5), p99Ms: at(0.99) },
    // The seller is the client of all this.
    cpuMicros: {
      ...{ client: micros(seller?.service), service: micros(service?.service) },
      ...{ database: micros(database?.database), chain: micros(chain?.chain) },
    },
  }
}

/** Signed payments for what the seller's own 402 asks. */
async function payments(stage: Stage, { port, payTo }: Opened, count: number): Promise<Headers[]> {
  const asked = await fetch(`http://127.0.0.1:${port}/report`)
  const demand = JSON.parse(atob(asked.headers.get('payment-required') ?? ''))
  const [accepted] = demand.accepts
  const all: Headers[] = []
  for (let i = 0; i < count; i++) {
    const payer = stage.payers[i % stage.payers.length] as Stage['payers'][number]
    const authorization = {
      ...{ from: payer.address, to: payTo, value: BigInt(accepted.amount), validAfter: 0n },
      ...{ validBefore: BigInt(Math.floor(Date.now() / 1000) + 3_600), nonce: randomHex(32) },
    }
    const signature = await payer.signTypedData(authorizationTypedData(stage.asset, authorization))
    const texts = {
      ...{ value: accepted.amount, validAfter: '0' },
      validBefore: String(authorization.validBefore),
    }
    const payload = {
      ...{ x402Version: 2, resource: demand.resource, accepted },
      payload: { signature, authorization: { ...authorization, ...texts } },
      extensions: demand.extensions ?? {},
    }
    all.push({ 'payment-signature': btoa(JSON.stringify(payload)) })
  }
  return all
}

const [unpaid, paid] = [Number(values.unpaid), Number(values.paid)]
await using stage = await openStage({ blockTimeSeconds: 1, minesAtOnce: true })
await stage.start()
const key = await openSeller(stage)
const terms = await fetch(`${stage.url}/api/paywall`, {
  ...{ method: 'POST', body: '{}' },
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
})
const { wallet_address: payTo } = (await terms.json()) as { wallet_address: `0x${string}` }
const opened: Opened[] = []
try {
  for (const side of SIDES) opened.push(await open(stage, side, { key, payTo }))
  for (const one of opened) {
    await send(stage, one, { requests: Array(WARMING * 4).fill({}), connections: 16, status: 402 })
    const requests = await payments(stage, one, WARMING)
    await send(stage, one, { requests, connections: CONNECTIONS.paid, status: 200 })
  }
  const measures = (['unpaid', 'paid'] as const).flatMap((what) =>
    opened.map((one): Measure => {
      const connections = CONNECTIONS[what]
      return {
        ...{ what: `${what}, ${one.side}`, connections },
        run: async () =>
          what === 'unpaid'
            ? send(stage, one, { requests: Array(unpaid).fill({}), connections, status: 402 })
            : send(stage, one, {
                ...{ requests: await payments(stage, one, paid), connections, status: 200 },
              }),
      }
    }),
  )
  const rows = await alternate(measures, { runs: Number(values.runs), print })
  print(JSON.stringify({ rows }))
} finally {
  for (const { child } of opened) child.kill()
}
