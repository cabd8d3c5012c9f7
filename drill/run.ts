/**
 * `npm run drill`: three machines on a database of three under Patroni, real payments, and everything that may go wrong. Prints
 * a table and JSON, and ends with 1 if a goal was missed.
 */
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { randomOf } from '../packages/service/test/crash/rounds.ts'
import { openStage, ownDatabase, type Stage } from '../packages/service/test/crash/stage.ts'
import { ownPort } from '../packages/service/test/run/own-port.ts'
import type { Act, Drill, Outcome } from './act.ts'
import { APART_ACTS } from './acts/apart.ts'
import { CHAIN_MONEY } from './acts/chain-money.ts'
import { FULL_DISK } from './acts/full-disk.ts'
import { LIMITS } from './acts/limits.ts'
import { MACHINE_ACTS } from './acts/machines.ts'
import { OWN_WRITES } from './acts/own-writes.ts'
import { POOLER } from './acts/pooler.ts'
import { PRIMARY_ACTS } from './acts/primary.ts'
import { RANDOM } from './acts/random.ts'
import { READ_ONLY } from './acts/read-only.ts'
import { REPLICA } from './acts/replica.ts'
import { RESTORE } from './acts/restore.ts'
import { STANDBY } from './acts/standby.ts'
import { SWITCHOVERS } from './acts/switchovers.ts'
import { UPGRADE } from './acts/upgrade.ts'
import { openCluster } from './cluster.ts'
import { fromNow, openShop } from './load.ts'
import { type Machine, migrated, startMachine, stopMachine, untilServed } from './machines.ts'
import { install } from './packages.ts'
import { atEnd, cleanUp, hide, masked, ownFolder, removeFolder } from './programs.ts'

export const ACTS: Act[] = [
  ...PRIMARY_ACTS,
  STANDBY,
  SWITCHOVERS,
  READ_ONLY,
  REPLICA,
  OWN_WRITES,
  ...MACHINE_ACTS,
  LIMITS,
  ...APART_ACTS,
  RANDOM,
  CHAIN_MONEY,
  FULL_DISK,
  POOLER,
  UPGRADE,
  RESTORE,
]
/** An outcome, how long the act took, and how many programs wanted a core at its end. */
export type Played = Outcome & { seconds: number; load: number }

const PAYERS = 6
const MACHINES = 3
const SEEDS = 1_000_000

const HELP = `npm run drill -- [--only <act>] [--seed <number>] [--before <commit>] [--json <file>] [--list]

Needs root (network namespaces, the account postgres), and installs patroni, etcd, haproxy, pgbouncer and postgresql by apt-get
where they are missing. Everything it starts ends with it.

  --only <act>    plays this act alone; may be given again
  --seed <number> chooses the same moments, members and faults again as in the run that printed it
  --before <commit>
                  the version to upgrade from, on the PostgreSQL that the service brings along: an old one may not run on
                  Debian's. Without it the last one before the newest migration, on the cluster
  --json <file>   writes the outcome there too
  --list          names the acts

${ACTS.map(({ name, summary, goal }) => `  ${name.padEnd(18)}${summary}\n${' '.repeat(20)}goal: ${goal}`).join('\n')}`

/** Makes what the acts share, and plays them in order. */
export async function drill(
  acts: readonly Act[],
  print: (line: string) => void,
  { before, seed = randomInt(SEEDS) }: { before?: string | undefined; seed?: number } = {},
): Promise<Record<string, Played>> {
  const report = (line: string) => print(masked(line))
  install(report)
  const folder = ownFolder()
  const ports = await Promise.all(Array.from({ length: MACHINES + 1 }, ownPort))
  const door = await ownPort()
  report('Starting etcd, three members under Patroni, haproxy')
  const cluster = await openCluster(folder, ports.slice(0, MACHINES), door)
  await using stack = new AsyncDisposableStack()

  const databaseOf = async (name: string) => {
    await cluster.sql(`create database ${name}`)
    return { url: cluster.urlOf(name), drop: async () => undefined }
  }
  const ownStage: Drill['ownStage'] = async (name, server = 'cluster') => {
    const database = await (server === 'cluster' ? databaseOf(name) : ownDatabase(server.folder))
    const stage = await openStage({ blockTimeSeconds: 0.5, database })
    stack.defer(() => stage[Symbol.asyncDispose]())
    atEnd(() => removeFolder(stage.folder))
    const { PURSER_OPERATOR_KEY, PURSER_RELAYER_KEYS, PURSER_SECRET } = stage.env
    hide([PURSER_OPERATOR_KEY, ...PURSER_RELAYER_KEYS.split(','), PURSER_SECRET])
    return Object.assign(stage, { baseUrl: `http://127.0.0.1:${door}` })
  }
  let opened: Awaited<ReturnType<Drill['open']>> | undefined
  const machines: Machine[] = []
  let given: Record<string, string> = {}
  const shared: Omit<Drill, 'random'> = {
    ...{ folder, cluster, ports, ownStage, report, before },
    async open(env = {}) {
      if (!isDeepStrictEqual(env, given)) await shared.close()
      given = env
      const stage = opened?.stage ?? (await migrated(await ownStage('purser')))
      if (machines.length === 0) await startMachines(stage)
      const shop = await (opened ? fromNow(opened.shop) : openShop(stage, PAYERS))
      opened = { stage, machines, shop }
      return opened
    },
    async close() {
      await Promise.all(machines.splice(0).map(stopMachine))
    },
  }
  /** The last one finds the primary by itself, in place of haproxy. */
  async function startMachines(stage: Stage): Promise<void> {
    for (const [i, port] of ports.slice(0, MACHINES).entries()) {
      const isLast = i === MACHINES - 1
      const env = isLast ? { DATABASE_URL: cluster.hostsUrlOf('purser') } : {}
      machines.push(await startMachine(stage, port, { env: { ...given, ...env } }))
    }
    await untilServed(stage)
  }
  /** Puts right what an act that broke off has left behind, for the acts after it. */
  async function recover(): Promise<string[]> {
    const faults: string[] = []
    for (const mend of [cluster.recover, shared.close])
      await mend().catch((error: Error) => faults.push(`it left behind: ${error.message}`))
    return faults
  }

  const outcomes: Record<string, Played> = {}
  report(`${availableParallelism()} cores, load ${load()}, seed ${seed}`)
  report(HEAD)
  for (const act of acts) {
    const startedAt = performance.now()
    const outcome = await act
      .play({ ...shared, random: randomOf(seed + ACTS.indexOf(act)) })
      .catch(async (error: Error) => ({
        note: 'it broke off',
        faults: [error.stack ?? error.message, ...(await recover())],
      }))
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const known = outcome as Outcome
    const unkept = [
      ...(known.lost ? [`${known.lost} answered payments are not in the books`] : []),
      ...(known.doubled ? [`${known.doubled} payments in the books were answered to nobody`] : []),
    ]
    const faults = [...known.faults, ...unkept].map(masked)
    outcomes[act.name] = { ...known, seconds, load: load(), faults }
    report(lineOf(act.name, outcomes[act.name] as Played))
  }
  await shared.close()
  return outcomes
}

const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

const HEAD =
  'act                 answered   lost  doubled  failed  longest gap  longest wait   took   load  result'
const lineOf = (name: string, of: Played): string => {
  const cell = (value: unknown, width: number) => String(value ?? '-').padStart(width)
  const gap = of.gapSeconds === undefined ? undefined : `${of.gapSeconds} s`
  const wait = of.waitSeconds === undefined ? undefined : `${of.waitSeconds} s`
  const result = of.skipped ? 'skipped' : of.faults.length === 0 ? 'ok' : 'MISSED'
  const head = `${name.padEnd(19)}${cell(of.answered, 9)}${cell(of.lost, 7)}${cell(of.doubled, 9)}${cell(of.failed, 8)}${cell(gap, 13)}${cell(wait, 14)}${cell(`${of.seconds} s`, 7)}${cell(of.load, 7)}  ${result}: ${of.note}`
  return [head, ...of.faults.map((fault) => `    ${fault}`)].join('\n')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      before: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const unknown = values.only.filter((name) => !ACTS.some((act) => act.name === name))
  if (values.help || values.list || unknown.length > 0) {
    if (unknown.length > 0) print(`There is no act ${unknown.join(', ')}.\n`)
    print(values.list ? ACTS.map(({ name }) => name).join('\n') : HELP)
    process.exit(unknown.length > 0 ? 2 : 0)
  }
  try {
    const { before, seed } = values
    const only = ACTS.filter(({ name }) => values.only.includes(name))
    const outcomes = await drill(only.length > 0 ? only : ACTS, print, {
      before,
      ...(seed !== undefined && { seed: Number(seed) }),
    })
    const json = JSON.stringify(outcomes, null, 2)
    print(json)
    if (values.json) writeFileSync(values.json, `${json}\n`)
    process.exitCode = Object.values(outcomes).some(({ faults }) => faults.length > 0) ? 1 : 0
  } catch (error) {
    process.stderr.write(`${masked((error as Error).message)}\n`)
    process.exitCode = 1
  }
  cleanUp()
  process.exit()
}
