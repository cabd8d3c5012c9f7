import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { place, run, stopPrograms } from '../../../../test/actors/program.ts'
import { until } from '../../../../test/until.ts'
import { testChain } from '../../../../test/world/chain.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { MIGRATION_LOCK } from '../../../base/db/migrate.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import { lockDataDir, openDataDir, tryDataDir } from '../data-dir.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-first-'))
})
afterAll(async () => {
  await stopPrograms()
  await rm(folder, { recursive: true, force: true })
})

test('a folder that cannot be made or used is refused in one sentence', async () => {
  await writeFile(join(folder, 'file'), '')
  await symlink('nowhere', join(folder, 'dangling'))
  await symlink('circle', join(folder, 'circle'))
  const places: [string, string][] = [
    [join(folder, 'file'), 'is not a folder'],
    [join(folder, 'file', 'below'), 'is not a folder'],
    [join(folder, 'dangling'), 'it cannot be made there'],
    [join(folder, 'dangling', 'below'), 'it cannot be made there'],
    [join(folder, 'circle'), 'its links lead in a circle'],
    [join(folder, 'a', 'x'.repeat(300)), 'its name is too long'],
  ]
  // Both refuse folders to root too: one as if the parent were missing.
  if (process.platform === 'linux')
    places.push(['/proc/nope/a', 'it cannot be made there'], ['/sys/nope', 'this account may not'])
  for (const [dir, sentence] of places) {
    const before = (await readdir(folder)).sort()
    await expect(tryDataDir(dir), dir).rejects.toThrow(sentence)
    expect((await readdir(folder)).sort()).toEqual(before)
    await expect(openDataDir(dir), dir).rejects.toThrow(/^The data folder .* PURSER_DATA_DIR\.$/)
  }
})

test('a try leaves nothing behind, and a lock that is a folder is a sentence', async () => {
  await tryDataDir(join(folder, 'b', 'c'))
  expect(await readdir(folder)).not.toContain('b')
  const dir = join(folder, 'd')
  await mkdir(join(dir, 'service.lock'), { recursive: true, mode: 0o700 })
  await expect(lockDataDir(dir, { pid: process.pid, program: 'x' })).rejects.toThrow('EISDIR')
})

test('start and doctor say that there can be no folder below /proc', async () => {
  if (process.platform !== 'linux') return
  const env = { ...(await place()), PURSER_DATA_DIR: '/proc/nope' }
  const [start, doctor] = [run(['start'], env), run(['doctor', '--json'], env)]
  expect(await start.exited).toBe(1)
  const sentence =
    'The data folder /proc/nope cannot be used: it cannot be made there. Choose another with PURSER_DATA_DIR.'
  expect(start.complaint).toBe(sentence)
  expect(await doctor.exited).toBe(1)
  const { checks } = JSON.parse(doctor.out) as { checks: { check: string; status: string }[] }
  expect(checks).toContainEqual({ check: 'data_folder', status: 'fail', sentence })
  // The parts are tried in a folder that is removed again.
  expect(checks.filter(({ check }) => check === 'parts')).toEqual([])
  expect(checks).toContainEqual(expect.objectContaining({ check: 'usdc_domain', status: 'ok' }))
})

/** A start that waits for another one to migrate the database: the one whose connection `ask` uses. One file is left to apply. */
async function waitingStart() {
  const stack = new AsyncDisposableStack()
  const database = await freshDatabase()
  stack.defer(database.drop)
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  stack.defer(() => other.end())
  const ask = async (text: string) => (await other.query(text)).rows
  await ask(`alter table sessions drop column device`)
  await ask(`delete from schema_migrations where name = '091-session-devices.sql'`)
  await ask(`select pg_advisory_lock(${MIGRATION_LOCK})`)
  const program = run(['start'], {
    ...(await place()),
    DATABASE_URL: database.url,
    PURSER_RPC_URL: testChain().rpcUrl,
    PURSER_OPERATOR_KEY: randomHex(32),
    PURSER_RELAYER_KEYS: randomHex(32),
    PURSER_SECRET: randomHex(32).slice(2),
  })
  const waiting = 'select pid from pg_locks where database = (select oid from pg_database'
  await until(
    () => ask(`${waiting} where datname = current_database()) and not granted`),
    (seen) => expect(seen).toHaveLength(1),
  )
  return { program, ask, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('SIGTERM ends a start that waits for another one to migrate the database', async () => {
  await using start = await waitingStart()
  expect(await start.program.stop('SIGTERM')).toBe(1)
  expect(start.program.complaint).toMatch(/^The start was cut off: .* after SIGTERM\. .*\.$/)
})

test('a start that a signal stops says so, since it ends with the code of one that ran', async () => {
  await using start = await waitingStart()
  const ended = start.program.stop('SIGINT')
  await start.ask(`select pg_advisory_unlock(${MIGRATION_LOCK})`)
  expect(await ended).toBe(0)
  expect(start.program.complaint).toBe(
    'The start was stopped by SIGINT before the service was ready.',
  )
})
