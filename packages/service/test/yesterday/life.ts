/** A day of a service with a copy of its database at each of ten points, and the chain as it is in the end. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { all, openDb, sql } from '../../src/base/db/sql.ts'
import { startHeartbeat } from '../../src/base/jobs/heartbeat.ts'
import { maintainSends } from '../../src/chain/relay/maintain.ts'
import { loadRows } from '../../src/run/operate/backup/restore.ts'
import { writeBackup } from '../../src/run/operate/backup/write.ts'
import { type OwnWorld, ownWorld, SAFE_BLOCKS } from '../chain-faults/own-world.ts'
import { until } from '../until.ts'
import { prove, register } from '../webhooks/kit.ts'
import { receiver } from '../webhooks/receiver.ts'
import { freshDatabase, viaSocket } from '../world/postgres.ts'
import type { Reply, World } from '../world.ts'
import { type Company, company, countMinted, gate } from './acts.ts'

export const POINTS = [
  'before anything was asked',
  'all written down, nothing sent',
  'sent, and in no block',
  'in a block that the service has not seen',
  'seen in the newest block',
  'safe, and not looked at',
  'ended, and no event delivered',
  'delivered',
  'a second payout written down, and not sent',
  'after everything',
] as const
export type Point = (typeof POINTS)[number]

/** The acts that end by jobs of the service: each is over once none of these rows is left. */
const OPEN = sql<{ what: string; left: bigint }>`
  select 'withdrawals' as what, count(*) as left from withdrawals where status = 'PROCESSING'
  union all select 'payments', count(*) from outbound_payments where state not in ('captured', 'released', 'final', 'failed')
  union all select 'pulls', count(*) from pulls where not is_safe and state in ('requested', 'sent', 'confirmed')
  union all select 'listings', count(*) from listings where status = 'SETTLING'
  union all select 'transfers', count(*) from watched_transfers where state in ('seen', 'passed_on')
  union all select 'sends', count(*) from chain_sends where not is_safe and state <> 'queued'`

/** A payout, a link, a DIRECT link, another seller, a pull, a mint and a sale each send once. */
const SENDS = 7

export async function life() {
  await using stack = new AsyncDisposableStack()
  const own = stack.use(await ownWorld({ pulls: true, identities: true, nodes: 1 }))
  const { w } = own
  const hook = stack.use(await receiver())
  const folder = await mkdtemp(join(tmpdir(), 'purser-yesterday-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const till = gate()
  const all = await own.during(company(own, till), { always: true })
  for (const user of [all.user, all.purse, all.seller, all.minted.seller, all.buyer])
    await register(user, { url: hook.url })
  await prove(w)
  await w.deliver()
  const copies = new Map<Point, { file: string; at: Date }>()
  const copy = async (point: Point) => {
    const [file, at] = [join(folder, `${copies.size}.backup`), w.now()]
    await writeBackup(file, { databaseUrl: w.databaseUrl, secret: w.secret, chainFile: null, at })
    copies.set(point, { file, at })
  }
  const replies = await firstDay(own, { all, till, copy })
  await w.deliver()
  await copy('delivered')
  const second = await secondPayout(own, all, copy)
  await w.deliver()
  await copy('after everything')
  const state = { snapshot: await own.call('evm_snapshot') }
  const kept = stack.move()
  return {
    ...{ own, all, replies: [...replies, second], hook },
    delivered: hook.taken.map(({ event }) => event),
    inTheEnd: await balances(own, all),
    owed: await owed(w, all),
    minted: await countMinted(own),
    /** The chain as it is in the end, and a service on the database as it was at the point. */
    async restore(point: Point) {
      await own.call('evm_revert', state.snapshot)
      state.snapshot = await own.call('evm_snapshot')
      const { file, at } = copies.get(point)!
      const { url, drop } = await freshDatabase()
      const db = openDb(url, 1, 'verify')
      await loadRows(db, { path: file, keys: [] }).finally(db.close)
      const restored = await w.machine({ databaseUrl: viaSocket(url) })
      // As a worker does: jobs that ran while the copy was made are nobody's.
      const beating = startHeartbeat(restored.jobs, {
        workerIds: new Set(['restored']),
        log: restored.services.log,
      })
      hook.taken.length = 0
      return {
        ...{ restored, at },
        async [Symbol.asyncDispose]() {
          await beating.stop()
          await restored[Symbol.asyncDispose]()
          await drop()
        },
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
export type Life = Awaited<ReturnType<typeof life>>

type Day = { all: Company; till: ReturnType<typeof gate>; copy(point: Point): Promise<void> }

/** Everything is asked at once, and goes through each of its steps together. */
async function firstDay(own: OwnWorld, { all: { acts, user }, till, copy }: Day): Promise<Reply[]> {
  const { w } = own
  const [node] = own.nodes
  await copy('before anything was asked')
  node?.fault(({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'busy' } } : undefined,
  )
  const asked = acts.map((act) => act.ask(w))
  for (const one of asked) one.catch(() => undefined)
  const work = working(own)
  await until(
    () => sendsOf(w),
    (sends) => sends.length >= SENDS,
  )
  await copy('all written down, nothing sent')
  till.open()
  node?.fault(undefined)
  // A send that was signed since the last block is left to the process that signed it.
  await own.blocks(1)
  await until(async () => {
    await maintainSends(w.services.relay, w.now())
    return areAllOnTheirWay(own)
  })
  await own.deposit(user.account, 2_000_000n)
  await copy('sent, and in no block')
  node?.fault(() => ({ error: { code: -32_000, message: 'gone' } }))
  await own.blocks(1)
  await copy('in a block that the service has not seen')
  node?.fault(undefined)
  const replies = await own.during(Promise.all(asked))
  await own.during(work[Symbol.asyncDispose]())
  await copy('seen in the newest block')
  await own.blocks(SAFE_BLOCKS + 2)
  await copy('safe, and not looked at')
  await untilOver(own, w)
  await copy('ended, and no event delivered')
  return replies
}

async function secondPayout(own: OwnWorld, { withdraw, acts }: Company, copy: Day['copy']) {
  const { w } = own
  const act = withdraw('two')
  acts.push(act)
  own.nodes[0]?.fault(({ method }) =>
    method === 'eth_sendRawTransaction' ? { error: { code: -32_000, message: 'busy' } } : undefined,
  )
  const reply = await act.ask(w)
  await copy('a second payout written down, and not sent')
  own.nodes[0]?.fault(undefined)
  await untilOver(own, w)
  return reply
}

type SendRow = { ref: string; state: string; hash: string | null }
const sendsOf = (w: World) =>
  all<SendRow>(w.db.reader, sql`select ref, state, hash from chain_sends where state <> 'mined'`)

/** Whether the node has the transaction of each send that has one of its own. */
async function areAllOnTheirWay(own: OwnWorld): Promise<boolean> {
  const rows = await all<{ hash: string | null }>(
    own.w.db.reader,
    sql`select hash from chain_sends where state <> 'mined' and batch_id is null`,
  )
  const found = await Promise.all(
    rows.map(({ hash }) => hash !== null && own.call('eth_getTransactionByHash', hash)),
  )
  return found.every(Boolean)
}

/** Runs the jobs all the time: they wait for blocks that nobody makes. */
function working({ w }: OwnWorld) {
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      await w.hastenJobs()
      await w.runJobs()
    }
  })()
  done.catch(() => undefined)
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      await done
    },
  }
}

/** Makes blocks and runs the jobs of a service until nothing is on its way. */
export async function untilOver(own: OwnWorld, w: World): Promise<void> {
  await until(
    async () => {
      await own.blocks(2)
      await w.hastenJobs()
      await own.during(w.runJobs())
      const rows = await all(w.db.reader, OPEN)
      return rows.filter(({ left }) => left > 0n)
    },
    (left) => left.length === 0,
    { longestMs: 120_000 },
  )
}

/** USDC on chain of everybody who was paid or pays, in base units. */
export async function balances(own: OwnWorld, { paid }: Company): Promise<Record<string, bigint>> {
  const addresses = [...new Set([...paid, own.w.chain.treasury.address])]
  const found = await Promise.all(addresses.map(async (one) => [one, await own.usdcOf(one)]))
  return Object.fromEntries(found)
}

/** The state of each wallet in the books: its balance, and those of its cards. */
export async function owed(w: World, people: Company) {
  const wallets = [people.user, people.purse, people.seller, people.minted.seller, people.buyer]
  return Promise.all(
    wallets.map(async (one) => {
      const [balance, cards] = [
        (await w.as(one).get('/api/balance')).body.balances[0].available,
        (await w.as(one).get('/api/cards')).body.cards,
      ]
      return { balance, cards: cards.map((card: any) => [card.id, card.balance, card.spent]) }
    }),
  )
}
