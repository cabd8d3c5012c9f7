/** PostgreSQL on a disk that is full: payments are refused with a code and nothing is lost, and they go on once there is room. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare, openShop, type Shop, startLoad } from '../../../../drill/load.ts'
import { startPostgres } from '../../src/run/embedded/postgres/postgres.ts'
import { ask } from '../crash/client.ts'
import { openStage, type Process, type Stage } from '../crash/stage.ts'
import { ownPort } from '../run/own-port.ts'
import { pause, until } from '../until.ts'

const SIZE_MB = 320
let disk: string
let stage: Stage
let shop: Shop
let process: Process

beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'purser-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'none', disk])
  const server = await startPostgres({ dataDir: join(disk, 'data'), port: await ownPort() })
  const database = { url: server.url, drop: () => server.stop() }
  stage = await openStage({ blockTimeSeconds: 1, processes: 1, database })
  expect(await stage.command(['migrate'])).toMatchObject({ code: 0 })
  process = await stage.launch('api,worker').ready()
  shop = await openShop(stage, 3)
}, 900_000)

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  execFileSync('umount', ['--lazy', disk])
  await rm(disk, { recursive: true })
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

test('payments are refused with 503 while the disk is full, and go on by themselves', async () => {
  const load = startLoad(shop)
  await until(() => load.answered().length > 20)
  fill()
  const refused = await until(payOnce, (reply) => reply !== undefined && reply.status >= 500, {
    everyMs: 100,
  })
  expect(refused).toMatchObject({ status: 503, body: { code: 'overloaded' } })
  expect(refused?.body.error).not.toMatch(/No space left|53100|postgres/i)

  // It is said wherever an operator looks, and a service that is started now says so too.
  const readyz = (): Promise<any> =>
    fetch(`${stage.baseUrl}/readyz`).then(
      (answer) => answer.json(),
      () => undefined,
    )
  const saysFull = (seen: any) =>
    expect(seen?.checks?.writes?.detail).toMatch(/^The disk of the database is full/)
  await until(readyz, saysFull)
  const doctor = await stage.command(['doctor'])
  expect(doctor.output).toMatch(/FAIL .*The disk of the database is full/)
  await process.kill()
  // PostgreSQL may have no room for a new session: then the start waits, and says for what.
  process = stage.launch('api,worker')
  await until(
    () => process.output,
    (said) => expect(said).toMatch(/Waiting: .* full|takes no writes|disk of the database is full/),
  )
  // Jobs fail, and their ends are not to be stored.
  await pause(10_000)
  expect(process.isRunning).toBe(true)

  // A backup that finds no room leaves no file behind.
  await mkdir(join(disk, 'copies'), { recursive: true }).catch(() => undefined)
  const file = join(disk, 'copies', 'day.backup')
  const backup = await stage.command(['backup', file])
  expect(backup.code).toBe(1)
  expect(backup.output).toMatch(/disk .*is full|cannot be/)
  await expect(stat(file)).rejects.toThrow('ENOENT')

  await rm(filler())
  const answered = load.answered().length
  await until(() => load.answered().length > answered + 20)
  await load.stop()
  await until(readyz, ({ status }) => expect(status).toBe('ready'))
  await until(
    () => stage.command(['alarms']),
    ({ output }) => expect(output).toMatch(/the database took nothing from .* is full/),
    { everyMs: 5_000 },
  )
  expect(process.isRunning).toBe(true)
  const paid = await payOnce()
  expect(paid).toMatchObject({ status: 200 })
  const settlement = paid?.body.settlement_id
  shop.payments.push({ ...{ key: 'one', payer: 0, settlement }, begunAt: 0, at: 1, failed: 0 })
  const written = await stage.command(['backup', file])
  expect(written, written.output).toMatchObject({ code: 0 })
  expect(await compare(shop)).toEqual({ lost: [], doubled: [], faults: [] })
}, 600_000)
