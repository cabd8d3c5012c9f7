/** AP2 settle while the follower counts each payment for the figures of its card, in turn with a follower that is held up. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { alternate, type Figures, type How, type Row } from '../alternate.ts'
import { type CpuTimes, cpuBetween, readCpu } from '../load/cpu.ts'
import { type Side, settleMeasure } from '../sides.ts'
import { connect } from '../stage/fill-cards.ts'

type Bench = How & { sides: Side[]; stack: AsyncDisposableStack }

const CONNECTIONS = [64, 256]
const REQUESTS = 8_000
const LOOK_MS = 50

const IS_BEHIND = `select exists (
  select from stats_cursors c join ledger_chains l on l.id = c.chain where l.seq > c.seq) as behind`

async function untilCounted(client: Client): Promise<void> {
  while ((await client.query(IS_BEHIND)).rows[0].behind) await sleep(LOOK_MS)
}

/** Gives each seller a wallet of its own: payments between cards of one wallet are counted without their payers. */
async function parted(client: Client): Promise<void> {
  await client.query('set session_replication_role = replica')
  const wallet = (card: string) => `'0x' || md5(${card}) || substr(md5('w' || ${card}), 1, 8)`
  await client.query(`update cards set wallet_address = ${wallet('id')}
    where id in (select card_id from pay_links)`)
  await client.query(`update pay_links set wallet_address = ${wallet('card_id')}`)
  await client.query('set session_replication_role = origin')
}

/** The processor time is that until all is counted: the follower comes every two seconds. */
async function counted(side: Side, client: Client, run: () => Promise<Figures>): Promise<Figures> {
  await untilCounted(client)
  const before = readCpu(side.service.pid)
  const figures = await run()
  await untilCounted(client)
  return { ...figures, cpuMicros: microsOf(cpuBetween(before, readCpu(side.service.pid)), figures) }
}

/** Without its row a follower counts nothing. A lock would do too, and would keep dead rows of the cards from being pruned. */
async function heldUp(side: Side, client: Client, run: () => Promise<Figures>): Promise<Figures> {
  await untilCounted(client)
  await client.query('create temp table kept as select * from stats_progress')
  await client.query('delete from stats_progress')
  const before = readCpu(side.service.pid)
  const figures = await run()
  const used = cpuBetween(before, readCpu(side.service.pid))
  await client.query('insert into stats_progress select * from kept')
  await client.query('drop table kept')
  return { ...figures, cpuMicros: microsOf(used, figures) }
}

function microsOf(used: CpuTimes, { cpuMicros }: Figures): NonNullable<Figures['cpuMicros']> {
  const micros = (seconds: number) => Math.round((seconds * 1e6) / REQUESTS)
  const { service, database, chain } = used
  return {
    service: micros(service),
    database: micros(database),
    chain: micros(chain),
    client: cpuMicros?.client ?? 0,
  }
}

export async function followerRows({ sides, stack, ...how }: Bench): Promise<Row[]> {
  const [side] = sides
  if (!side) return []
  const client = await connect(side.service.databaseUrl)
  stack.defer(() => client.end())
  await parted(client)
  const measures = CONNECTIONS.flatMap((connections) => {
    const { run } = settleMeasure(side, { connections, count: REQUESTS })
    return [
      { what: 'AP2 settle, counted', connections, run: () => counted(side, client, run) },
      { what: 'AP2 settle, not counted', connections, run: () => heldUp(side, client, run) },
    ]
  })
  return alternate(measures, how)
}
