import { afterEach, expect, test } from 'vitest'
import { place, run, start, stopPrograms } from '../../../../test/actors/program.ts'
import { until } from '../../../../test/until.ts'
import { primaryAndStandby } from '../../../../test/world/standby.ts'

afterEach(stopPrograms)

const nothing = async () => undefined
const PATHS = [
  '/api/listings',
  '/api/x402/discovery/resources',
  '/api/x402/discovery/search?query=x',
]

test('public reads come from the replica, and from the primary while it is dead', async () => {
  await using servers = await primaryAndStandby(nothing)
  const env = {
    ...(await place()),
    DATABASE_URL: servers.primary.url,
    PURSER_READ_URL: servers.standby.url,
  }
  const { program, dev } = await start(env)
  const ask = async (path: string, headers = {}) => {
    const answer = await fetch(`${dev.base_url}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const readsFrom = async () => {
    const { text } = await ask('/metrics')
    const of = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    return {
      replica: of('purser_public_reads_total{from="replica"}'),
      primary: of('purser_public_reads_total{from="primary"}'),
      up: of('purser_read_replica_up'),
      lag: of('purser_read_replica_lag_seconds'),
    }
  }
  const askAll = async (headers = {}) => {
    for (const path of PATHS) expect(await ask(path, headers)).toMatchObject({ status: 200 })
    return readsFrom()
  }
  const then = await until(askAll, ({ replica }) => replica >= PATHS.length)
  expect(then.lag).toBeGreaterThanOrEqual(0)
  // A caller with a wallet sees what it did a moment ago.
  const { replica, primary } = await askAll({ authorization: `Bearer ${dev.demo.api_key}` })
  expect({ replica, primary }).toEqual({ replica: then.replica, primary: then.primary })

  const doctor = run(['doctor'], env)
  await doctor.exited
  expect(doctor.out).toMatch(/ok {4}replica .* is a standby of this database, and keeps up\./)

  await servers.standby.kill()
  await until(askAll, ({ up, primary }) => up === 0 && primary > then.primary)
  const other = run(['doctor'], env)
  await other.exited
  expect(other.out).toMatch(/warn {2}replica .* does not answer/)
  expect(await program.stop()).toBe(0)
})

test('a replica of another database is refused in one sentence, and a dead one does not keep the service from its start', async () => {
  await using servers = await primaryAndStandby(nothing)
  await servers.primary.run('create database other')
  const url = new URL(servers.primary.url)
  url.pathname = '/other'
  const env = {
    ...(await place()),
    DATABASE_URL: servers.primary.url,
    PURSER_READ_URL: url.href,
  }
  const refused = run(['start'], env)
  expect(await refused.exited).toBe(1)
  expect(refused.complaint).toMatch(
    /^The replica at 127\.0\.0\.1:\d+ is no copy of the database of DATABASE_URL: set PURSER_READ_URL to one of its standbys .*\.$/,
  )
  await servers.standby.kill()
  const { program } = await start({ ...env, PURSER_READ_URL: servers.standby.url })
  expect(program.out).toMatch(/The replica at .* does not answer/)
  expect(await program.stop()).toBe(0)
})

const startOn = async ({ primary }: { primary: { url: string } }) => {
  const env = { ...(await place()), DATABASE_URL: primary.url }
  return { env, ...(await start(env)) }
}

test('verify says why it does not run on a standby, and finds on a promoted copy what it finds on the primary', async () => {
  await using servers = await primaryAndStandby(nothing)
  const { env, program } = await startOn(servers)
  expect(await program.stop()).toBe(0)
  const verify = async (server: { url: string }, ...words: string[]) => {
    const command = run(['verify', ...words], { ...env, DATABASE_URL: server.url })
    const code = await command.exited
    return { code, out: command.out, complaint: command.complaint }
  }
  const refused = await verify(servers.standby)
  expect([refused.code, refused.complaint]).toEqual([
    1,
    expect.stringMatching(/^DATABASE_URL leads to a standby, .* a copy of the standby/),
  ])

  await servers.primary.run('alter table ledger_accounts disable trigger user')
  const changed = await servers.primary.run(
    `update ledger_accounts set owner = 'somebody' where kind = 'treasury' returning id`,
  )
  expect(changed.length).toBeGreaterThan(0)
  await until(
    () => servers.standby.run(`select 1 from ledger_accounts where owner = 'somebody'`),
    (rows) => rows.length > 0,
  )
  await servers.standby.run('select pg_promote()')
  const faultsOf = async (server: { url: string }) => {
    const { code, out } = await verify(server, '--json')
    expect(code).toBe(1)
    return JSON.parse(out).faults as { fault: string }[]
  }
  const found = await faultsOf(servers.primary)
  expect(found.map(({ fault }) => fault).join('\n')).toMatch(
    /somebody[\s\S]*trigger .* is not as the migrations/,
  )
  expect(await faultsOf(servers.standby)).toEqual(found)
})
