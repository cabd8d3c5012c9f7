/**
 * Verify and settle by the protocol's own facilitator in this process, compared with ours over HTTP with its database:
 * on the same chain, in turn. The SDK's facilitator has one key, counts nonces in memory and takes a fixed gas limit.
 */
import { sdkFacilitator } from '../../packages/service/test/sellers/sdk-facilitator.ts'
import { alternate, type Figures, type How, type Measure, type Row, rowOf } from '../alternate.ts'
import { CHAIN_ID, openSeller, openStage, type Stage, signPayments } from '../facilitator/stage.ts'
import { fire } from '../load/fire.ts'

/** One chain mines each transaction at once, without waiting; the other mines by the clock, as public chains do. */
export const CHAINS = {
  'at once': { blockTimeSeconds: 1, minesAtOnce: true },
  'every 50 ms': { blockTimeSeconds: 0.05 },
}
export type Mining = keyof typeof CHAINS
const OPERATIONS = ['verify', 'settle'] as const
type Operation = (typeof OPERATIONS)[number]
const CONCURRENCY = [16, 64]
const COUNTS = { verify: { sdk: 200, ours: 2_000 }, settle: { sdk: 200, ours: 1_000 } }
const WARMING = { sdk: 60, ours: 600 }
const TARGETS = { verify: 8, settle: 4 }
const SDK_POLLING_MS = 20

type Load = { operation: Operation; concurrency: number; count: number }
/** A service that is measured; `folder` is the tree that it runs from, this one if not given. */
type Side = { who: string; folder?: string }
type Opened = Side & { stage: Stage; key: string }
type FacilitatorHow = How & { mining?: Mining; against?: string | undefined }

/** Each run has new chains: anvil takes longer for a block the more payments it holds. The SDK's is that of this tree. */
export async function facilitatorRows({
  mining = 'at once',
  against,
  ...how
}: FacilitatorHow): Promise<Row[]> {
  const sides: Side[] = [{ who: 'ours' }]
  if (against !== undefined) sides.push({ who: 'other', folder: against })
  let opened: Opened[] = []
  const begin = async () => {
    const stack = new AsyncDisposableStack()
    opened = []
    for (const side of sides) opened.push(stack.use(await openWarmStage(side, mining)))
    return stack
  }
  const on = (who: string, measure: (opened: Opened) => Promise<Figures>) => async () => {
    const side = opened.find((one) => one.who === who)
    if (!side) throw new Error('no chain is open')
    return measure(side)
  }
  const measures = OPERATIONS.flatMap((operation) =>
    CONCURRENCY.flatMap((concurrency): Measure[] => {
      const load = (count: number) => ({ operation, concurrency, count })
      const row = (who: string) => ({ what: `${operation}, ${who}`, connections: concurrency })
      const { sdk, ours } = COUNTS[operation]
      return [
        { ...row('SDK'), run: on('ours', ({ stage }) => measureSdk(stage, load(sdk))) },
        ...sides.map(({ who }) => ({
          ...row(who),
          run: on(who, (side) => measureOurs(side, load(ours))),
        })),
      ]
    }),
  )
  how.print(`facilitator, blocks ${mining}`)
  const rows = await alternate(measures, { ...how, begin })
  for (const { who } of sides) for (const line of verdicts(rows, who)) how.print(line)
  return rows
}

const verdicts = (rows: Row[], who: string): string[] =>
  OPERATIONS.flatMap((operation) =>
    CONCURRENCY.map((concurrency) => {
      const [sdk, own] = ['SDK', who].map(
        (side) => rowOf(rows, `${operation}, ${side}`, concurrency).perSecond,
      )
      const times = ((own ?? 0) / (sdk ?? 1)).toFixed(1)
      return `${operation} at ${concurrency}, ${who}: ${times} times the SDK's (target ${TARGETS[operation]})`
    }),
  )

/**
 * A chain and a service on it. Both facilitators have settled some payments, since the first requests compile the code.
 */
async function openWarmStage(side: Side, mining: Mining): Promise<Opened & AsyncDisposable> {
  const stack = new AsyncDisposableStack()
  const { folder } = side
  // With two processes, each would put half as many payments in a batch.
  const options = { ...CHAINS[mining], processes: 1, ...(folder ? { folder } : {}) }
  const stage = stack.use(await openStage(options))
  await stage.start()
  const opened = { ...side, stage, key: await openSeller(stage) }
  const warming = { operation: 'settle', concurrency: 16 } as const
  await measureOurs(opened, { ...warming, count: WARMING.ours })
  await measureSdk(stage, { ...warming, count: WARMING.sdk })
  return { ...opened, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function measureSdk(stage: Stage, load: Load): Promise<Figures> {
  const { operation, concurrency, count } = load
  const facilitator = await sdkFacilitator({
    ...{ rpcUrl: stage.rpcUrl, chainId: CHAIN_ID, pollingIntervalMs: SDK_POLLING_MS },
  })
  const left = await signPayments(stage, count)
  const latencies: number[] = []
  const work = async () => {
    for (let payment = left.pop(); payment; payment = left.pop()) {
      const { paymentPayload, paymentRequirements } = payment.body
      const from = performance.now()
      const outcome = await facilitator[operation](
        paymentPayload as never,
        paymentRequirements as never,
      )
      latencies.push(performance.now() - from)
      const isGood = 'isValid' in outcome ? outcome.isValid : outcome.success
      if (!isGood) throw new Error(`the SDK refused: ${JSON.stringify(outcome).slice(0, 300)}`)
    }
  }
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, work))
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const sorted = latencies.sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return {
    ...{ perSecond: Math.round(count / seconds), p50Ms: at(0.5), p99Ms: at(0.99) },
    cpuMicros: { service: Math.round((user + system) / count), database: 0, chain: 0, client: 0 },
  }
}

async function measureOurs({ stage, key }: Opened, load: Load): Promise<Figures> {
  const { operation, concurrency, count } = load
  const payments = await signPayments(stage, count)
  const requests = payments.map(({ body }) => `POST /api/x402/${operation} ${JSON.stringify(body)}`)
  const target = { port: stage.port, apiKey: key, pids: stage.pids }
  return fire(target, { connections: concurrency, requests })
}
