/** PostgreSQL whose log lies on a disk of its own that is full: it stops, payments are refused, and nothing is lost once it is started again. */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare, openShop, type Shop, startLoad } from '../../../../drill/load.ts'
import { openClient } from '../../src/base/db/pool/client.ts'
import { type RunningPostgres, startPostgres } from '../../src/run/embedded/postgres/postgres.ts'
import { ask } from '../crash/client.ts'
import { openStage, type Stage } from '../crash/stage.ts'
import { ownPort } from '../run/own-port.ts'
import { until } from '../until.ts'

const SIZE_MB = 160
let folder: string
let disk: string
let server: RunningPostgres
let startServer: () => Promise<RunningPostgres>
let stage: Stage
let shop: Shop

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-wal-'))
  disk = await mkdtemp(join(tmpdir(), 'purser-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'none', disk])
  const [port, dataDir] = [await ownPort(), join(folder, 'data')]
  startServer = () => startPostgres({ dataDir, port })
  await (await startServer()).stop()
  const log = join(dataDir, 'cluster', 'pg_wal')
  await cp(log, join(disk, 'pg_wal'), { recursive: true })
  execFileSync('chown', ['-R', '--reference', log, join(disk, 'pg_wal')])
  await rm(log, { recursive: true })
  await symlink(join(disk, 'pg_wal'), log)
  server = await startServer()
  const database = { url: server.url, drop: () => server.stop() }
  stage = await openStage({ blockTimeSeconds: 1, processes: 1, database })
  expect(await stage.command(['migrate'])).toMatchObject({ code: 0 })
  await stage.launch('api,worker').ready()
  shop = await openShop(stage, 3)
}, 900_000)

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  execFileSync('umount', ['--lazy', disk])
  for (const each of [disk, folder]) await rm(each, { recursive: true })
})

const filler = () => join(disk, 'filler')
const fill = () => {
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${filler()}`, 'bs=4k'], { stdio: 'ignore' })
  } catch {
    // It ends where the disk does.
  }
}
const payOnce = () => {
  const [payer] = shop.payers
  return ask(stage.baseUrl, {
    ...{ method: 'POST', path: `/api/pay/${payer?.code}/settle` },
    body: { payer_card_id: payer?.card.id, payer_card_token: payer?.card.token },
    headers: { authorization: `Bearer ${payer?.key}`, 'idempotency-key': 'one' },
  })
}

test('payments are refused with 503 while the log has no room, and none that was answered is lost', async () => {
  const load = startLoad(shop)
  await until(() => load.answered().length > 20)
  fill()
  // Each switch needs a new segment of 16 MB.
  await until(
    async () => {
      const client = await openClient(server.url)
      await client
        .query(`select pg_logical_emit_message(false, 'noise', ''), pg_switch_wal()`)
        .finally(() => client.end())
    },
    () => false,
    { everyMs: 50 },
  ).catch(() => undefined)
  const refused = await until(payOnce, (reply) => reply !== undefined && reply.status >= 500, {
    everyMs: 100,
  })
  expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } })
  await server.exited

  await rm(filler())
  server = await startServer()
  const answered = load.answered().length
  await until(() => load.answered().length > answered + 20)
  await load.stop()
  const paid = await payOnce()
  expect(paid).toMatchObject({ status: 200 })
  const settlement = paid?.body.settlement_id
  shop.payments.push({ ...{ key: 'one', payer: 0, settlement }, begunAt: 0, at: 1, failed: 0 })
  expect(await compare(shop)).toEqual({ lost: [], doubled: [], faults: [] })
}, 600_000)
