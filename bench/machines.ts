/**
 * `npm run bench:machines [-- --runs 5 --loads 64,192]`: what a payment costs at one machine and at three, on one PostgreSQL.
 * `--help` says what it prints.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { openWallet as openChainWallet } from '../packages/service/test/crash/chain-wallet.ts'
import { until } from '../packages/service/test/until.ts'
import { openWallet } from '../packages/service/test/webhooks/http-wallet.ts'
import { alternate, type Figures, type Measure, type Row, rowOf } from './alternate.ts'
import { openStage, type Stage } from './facilitator/stage.ts'
import { type Fired, fire } from './load/fire.ts'
import { connect } from './stage/fill-cards.ts'
import { cardRequests, openShop, type Shop, settleRequests } from './stage/shop.ts'
import { openTree } from './stage/tree.ts'

const HELP = `npm run bench:machines [-- --runs 5 --loads 64,192 --requests 5000 --machines 3 --rail ap2]

  --runs      turns of each row; the medians are compared
  --loads     callers in total, the same for each row: 64 callers that ask again at once, or 64@1000 at most 1,000 a second
  --requests  payments of a turn
  --machines  how many are compared with one
  --rail      ap2 or card
  --tree      the folder or git ref of another version to measure

Each machine is a process of the service; all are on one PostgreSQL, and payments go to them as a proxy sends them: all to
one, to each in turn, always to the same for each card that pays, or to the first that has room. Prints CPU µs a payment of the machines that serve and of the
database, payments a transaction, transactions undone and bytes of log a payment, and how often each costs what one machine
does, with as many callers in all and with as many callers a machine. The target is 1.2. Ends with one line of JSON.
`
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    loads: { type: 'string', default: '64,192' },
    requests: { type: 'string', default: '5000' },
    machines: { type: 'string', default: '3' },
    rail: { type: 'string', default: 'ap2' },
    tree: { type: 'string', default: '.' },
    help: { type: 'boolean', default: false },
  },
})
const [runs, requests, count] = [values.runs, values.requests, values.machines].map(Number) as [
  number,
  number,
  number,
]
const SIZE = { payers: 1_000, links: 200, cardLimit: 1 }
const FUNDS = 2_000_000_000n
/** As in `sides.ts`: the first thousands of requests of a process compile it. */
const WARMING = { connections: 64, requests: 6_000 }
const TARGET = 1.2
/** Callers that a machine serves at once before the next one gets any. */
const ROOM = 256
const print = (line: string) => process.stdout.write(`${line}\n`)

type Machine = { port: number; pid: number }
type Load = { connections: number; perSecond?: number }
type Bench = {
  stage: Stage
  apiKey: string
  shop: Shop
  machines: Machine[]
  client: Client
}
/** The machine of each request. */
type Spread = (requests: readonly string[], shop: Shop, load: Load) => number[]

const loads = values.loads.split(',').map((text): Load => {
  const [connections = 0, perSecond] = text.split('@').map(Number)
  return { connections, ...(perSecond ? { perSecond } : {}) }
})

const inTurn: Spread = (all) => all.map((_, i) => i % count)

const byCard: Spread = (all, { payers }) => {
  const places = new Map(payers.map(({ token }, i) => [token, i % count]))
  return all.map((request) => {
    const body = JSON.parse(request.slice(request.indexOf('{')))
    return places.get(body.card_token ?? body.payer_card_token) ?? 0
  })
}

/** As `balance first` of haproxy: the next machine gets only what the ones before have no room for. */
const byRoom: Spread = (all, _, { connections }) => {
  const machineOf = (caller: number) => Math.min(Math.floor(caller / ROOM), count - 1)
  return all.map((_request, i) => machineOf(i % connections))
}

async function openBench(stack: AsyncDisposableStack): Promise<Bench> {
  const tree = openTree(values.tree)
  stack.defer(() => tree.remove())
  const stage = await openStage({
    ...{ blockTimeSeconds: 1, slotsInAnEpoch: 1, processes: 1, folder: tree.folder },
  })
  stack.defer(() => stage[Symbol.asyncDispose]())
  await stage.start()
  const wallet = await openChainWallet(stage.rpcUrl, FUNDS)
  const { apiKey, ask } = await openWallet(stage.url, wallet.account)
  const { treasury } = await ask('GET', '/api/config')
  const tx_hash = await wallet.transfer(treasury.evm, FUNDS)
  await until(
    () => ask('POST', '/api/fund/verify', { tx_hash }),
    ({ status }) => status === 'confirmed',
  )
  const shop = await openShop({ ask }, SIZE)
  const machines = [{ port: stage.port, pid: stage.pid }]
  while (machines.length < count) machines.push(await stage.startBeside())
  const client = await connect(stage.databaseUrl)
  stack.defer(() => client.end())
  return { stage, apiKey, shop, machines, client }
}

type Counted = { batches: number; undone: number; bytes: number }

async function readCounts(client: Client): Promise<Counted> {
  const { rows } = await client.query<Counted>(
    `select (select sum(seq) from ledger_chains)::float8 as batches,
      (select xact_rollback from pg_stat_database where datname = current_database())::float8 as undone,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  )
  return rows[0] as Counted
}

/** Payments at some of the machines. What the database does for machines that nobody asks counts too. */
async function pay(
  { stage, apiKey, shop, machines, client }: Bench,
  { load, spread, of = requests }: { load: Load; spread?: Spread | undefined; of?: number },
): Promise<Figures & Fired> {
  const serving = spread ? machines : machines.slice(0, 1)
  const [, postgres = 0, chain = 0] = stage.pids
  const target = {
    ...{ port: serving[0]?.port ?? 0, apiKey },
    pids: [...serving.map(({ pid }) => pid), postgres, chain],
  }
  const asked = values.rail === 'card' ? cardRequests(shop, of) : await settleRequests(shop, of, 0)
  const before = await readCounts(client)
  const fired = await fire(target, {
    ...load,
    requests: asked,
    ...(spread && {
      spread: { ports: machines.map(({ port }) => port), turns: spread(asked, shop, load) },
    }),
  })
  const after = await readCounts(client)
  const batches = after.batches - before.batches
  return {
    ...fired,
    counts: {
      'a batch': Math.round((of / batches) * 10) / 10,
      undone: after.undone - before.undone,
      'bytes of log': Math.round((after.bytes - before.bytes) / of),
    },
  }
}

const WAYS: { what: string; spread?: Spread }[] = [
  { what: 'one machine' },
  { what: `${count} machines in turn`, spread: inTurn },
  { what: `${count} machines by card`, spread: byCard },
  { what: `${count} machines, full ones first`, spread: byRoom },
]
const nameOf = (what: string, { perSecond }: Load) =>
  perSecond ? `${what}, ${perSecond} a second` : what

const costOf = ({ cpuMicros }: Row): number =>
  (cpuMicros?.service ?? 0) + (cpuMicros?.database ?? 0)

type Verdict = { what: string; callers: number; times: number; timesByMachine?: number }

/** How often each way costs what one machine costs, for as many callers in all and, if that was measured, as many a machine. */
function verdicts(rows: Row[]): Verdict[] {
  const alone = (load: Load) => {
    const isMeasured = loads.some(
      (one) => one.connections === load.connections && one.perSecond === load.perSecond,
    )
    return isMeasured ? rowOf(rows, nameOf('one machine', load), load.connections) : undefined
  }
  const timesOf = (row: Row, one: Row) => Math.round((costOf(row) / costOf(one)) * 100) / 100
  return loads.flatMap((load) => {
    const { connections, perSecond } = load
    const one = alone(load)
    const share = alone({
      connections: connections / count,
      ...(perSecond && { perSecond: perSecond / count }),
    })
    return WAYS.slice(1).flatMap(({ what }): Verdict[] => {
      const row = rowOf(rows, nameOf(what, load), connections)
      if (!one) return []
      return [
        {
          ...{ what: row.what, callers: connections, times: timesOf(row, one) },
          ...(share && { timesByMachine: timesOf(row, share) }),
        },
      ]
    })
  })
}

async function bench(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const opened = await openBench(stack)
  for (const machine of opened.machines)
    await pay({ ...opened, machines: [machine] }, { load: WARMING, of: WARMING.requests })
  const measures = loads.flatMap((load) =>
    WAYS.map(
      ({ what, spread }): Measure => ({
        what: nameOf(what, load),
        connections: load.connections,
        run: () => pay(opened, { load, spread }),
      }),
    ),
  )
  const rows = await alternate(measures, { runs, print })
  const compared = verdicts(rows)
  for (const { what, callers, times, timesByMachine } of compared)
    print(
      `${what}, ${callers} callers: ${times} times the cost of one machine` +
        `${timesByMachine ? `, ${timesByMachine} times that of one with its share of them` : ''} (target ${TARGET})`,
    )
  print(
    JSON.stringify({ cores: availableParallelism(), node: process.version, runs, compared, rows }),
  )
}

if (values.help) print(HELP)
else {
  // An interrupted benchmark stops its services.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await bench()
}
