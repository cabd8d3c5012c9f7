/** Public reads come from a standby, which is lost in four ways while wallets pay, list and read. */
import { outageOf } from '../../packages/service/src/base/db/outage.ts'
import { randomHex } from '../../packages/service/src/base/kernel/secrets.ts'
import { pause, until } from '../../packages/service/test/until.ts'
import { type Act, type Drill, outcomeOf, overGoal, pauseOf } from '../act.ts'
import type { Cluster } from '../cluster.ts'
import { compare, startLoad } from '../load.ts'
import type { Machine } from '../machines.ts'
import { STRANGE_PRICE, startReaders } from '../readers.ts'

type Member = Cluster['members'][number]

/** `PURSER_READ_LAG`: no read may be older. */
const BOUND_SECONDS = 2
const GAP_GOAL_SECONDS = 5
const BEFORE_MS: [number, number] = [2_000, 5_000]
const HELD_MS = 4_000
const BACK_MS = 120_000

type Loss = {
  name: string
  strike(cluster: Cluster, member: Member): unknown
  mend(cluster: Cluster, member: Member): unknown
  heldMs?: number
}

const LOSSES: Loss[] = [
  {
    name: 'killed',
    strike: (cluster, member) => cluster.kill(member),
    mend: (cluster, member) => void cluster.begin(member),
  },
  {
    name: 'frozen',
    strike: (cluster, member) => cluster.freeze(member),
    mend: (cluster, member) => cluster.wake(member),
  },
  {
    name: 'behind',
    strike: (cluster, member) => cluster.sqlOn(member, 'select pg_wal_replay_pause()', 'purser'),
    mend: (cluster, member) => cluster.sqlOn(member, 'select pg_wal_replay_resume()', 'purser'),
  },
  {
    // Patroni demotes it, but `pg_rewind` of PostgreSQL 15 leaves it the rows that it wrote: `patronictl reinit` makes it anew.
    name: 'promoted and made anew',
    strike: promote,
    mend: (cluster, member) => cluster.replace(member),
    heldMs: 20_000,
  },
]

/**
 * It takes writes of its own then, as a second master does that a machine finds. Patroni may demote it before it has written: then
 * it is promoted again.
 */
async function promote(cluster: Cluster, member: Member): Promise<void> {
  const write = `begin; set local session_replication_role = replica; update listings set price = ${STRANGE_PRICE}; commit`
  const isSecond = async () => {
    try {
      await cluster.sqlOn(member, 'select pg_promote()', 'purser')
      await cluster.sqlOn(member, write, 'purser')
      return true
    } catch (error) {
      if (outageOf(error)) return false
      throw error
    }
  }
  await until(isSecond, Boolean, { everyMs: 500, longestMs: BACK_MS })
}

/** Who has answered a machine's public reads, and whether the standby answers them now. */
async function readsOf({ url }: Machine, token: string) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  const metric = (name: string) =>
    Number(new RegExp(`^purser_${name} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    isUp: metric('read_replica_up') === 1,
    replica: metric('public_reads_total{from="replica"}'),
    primary: metric('public_reads_total{from="primary"}'),
  }
}

/** Loses the standby and has it back, which is so once each machine has read from it again. Returns how long the reads were away after it was mended. */
async function lose(
  { cluster, report }: Drill,
  { loss, member, all }: { loss: Loss; member: Member; all: () => ReturnType<typeof readAll> },
): Promise<string> {
  await loss.strike(cluster, member)
  await until(all, (seen) => seen.every(({ isUp }) => !isUp), { everyMs: 250, longestMs: BACK_MS })
  await pause(loss.heldMs ?? HELD_MS)
  const mendedAt = performance.now()
  const before = await all()
  await loss.mend(cluster, member)
  await until(
    all,
    (seen) => seen.every(({ replica }, i) => replica > (before[i]?.replica ?? 0) + 10),
    { everyMs: 250, longestMs: BACK_MS },
  )
  const seconds = Math.round((performance.now() - mendedAt) / 100) / 10
  report(`  ${loss.name}: read again ${seconds} s after it was mended`)
  return `${loss.name} ${seconds} s`
}

type Counts = { replica: number; primary: number }

/** The reads of all machines together, since others were counted. */
function sumOf(machines: readonly Counts[], before: readonly Counts[] = []): Counts {
  const sum = (who: keyof Counts, of: readonly Counts[]) =>
    of.reduce((total, one) => total + one[who], 0)
  return {
    replica: sum('replica', machines) - sum('replica', before),
    primary: sum('primary', machines) - sum('primary', before),
  }
}

const readAll = (machines: readonly Machine[], token: string) =>
  Promise.all(machines.map((machine) => readsOf(machine, token)))

export const REPLICA: Act = {
  name: 'read-replica',
  summary:
    'the standby of PURSER_READ_URL killed, frozen, behind, and promoted by accident and replaced',
  goal: `0 failed public reads, none older than ${BOUND_SECONDS} s, 0 failed payments, reads return by themselves`,
  async play(drill) {
    const member = await drill.cluster.asynchronous()
    const token = randomHex(32)
    const { shop, machines } = await drill.open({
      PURSER_READ_URL: drill.cluster.urlOfMember(member, 'purser'),
      PURSER_READ_LAG: String(BOUND_SECONDS),
      PURSER_METRICS_TOKEN: token,
      PURSER_RATE_LIMIT: '100000',
    })
    const all = () => readAll(machines, token)
    await using load = startLoad(shop)
    await using readers = await startReaders(shop, machines)
    const before = await until(all, (seen) => seen.every(({ replica }) => replica > 10))
    await pauseOf(drill, BEFORE_MS)
    const calm = sumOf(await all(), before)
    const returns: string[] = []
    for (const loss of LOSSES) returns.push(await lose(drill, { loss, member, all }))
    const [measured, read, from] = [await load.stop(), await readers.stop(), await all()]
    const total = sumOf(from)
    const [oldest, longest] = [read.oldestMs, read.longestMs].map((ms) => Math.round(ms) / 1000)
    const compared = await compare(shop)
    return outcomeOf(measured, compared, {
      note: `${read.count} reads of ${read.listings} listings, ${read.faults.length} failed, the oldest ${oldest} s old, the longest ${longest} s; ${total.replica} by the standby, ${total.primary} by the primary; ${calm.primary} of ${calm.replica + calm.primary} by the primary before the first loss; back after it was ${returns.join(', ')}`,
      own: [
        ...new Set(read.faults),
        ...(read.oldestMs > BOUND_SECONDS * 1000 ? [`a read was ${oldest} s old`] : []),
        ...(measured.failed > 0 ? [`${measured.failed} attempts to pay failed`] : []),
        ...overGoal(measured.gapSeconds, GAP_GOAL_SECONDS),
      ],
    })
  },
}
