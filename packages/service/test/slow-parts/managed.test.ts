/** A PostgreSQL as hosts run it, of Debian: TLS alone, an administrator who is no superuser, a pooler. The page for operators is walked on it. */
import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Program } from '../actors/program.ts'
import { openStage, type Stage } from '../crash/stage.ts'
import { fencesFor, ROOT, settingsIn } from '../operate/fences.ts'
import { ownPort } from '../run/own-port.ts'
import { until } from '../until.ts'

const BIN = '/usr/lib/postgresql/15/bin'
/** All machines have the same. */
const PUBLIC_URL = 'http://127.0.0.1:4021'
const page = fencesFor('packages/service/test/slow-parts/managed.test.ts')
const stops: (() => unknown)[] = []
let folder: string
let port: number
let stage: Stage

const asPostgres = (command: string, ...args: string[]) =>
  execFileSync('runuser', ['-u', 'postgres', '--', command, ...args], { cwd: '/', stdio: 'pipe' })
const address = (user: string, tail = '') => `postgres://${user}@localhost:${port}/purser${tail}`
const overTls = () => `?sslmode=verify-full&sslrootcert=${join(folder, 'ca.pem')}`

/** A CA, and a certificate of it for `localhost`. */
function makeCertificates() {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-subj', '/CN=host', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl(
    ...['req', '-x509', ...key, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', 'server.key', '-out', 'server.pem'],
  )
}

beforeAll(async () => {
  folder = await mkdtemp('/var/tmp/purser-managed-')
  await chmod(folder, 0o755)
  port = await ownPort()
  makeCertificates()
  const cluster = join(folder, 'cluster')
  await mkdir(cluster)
  await writeFile(join(folder, 'password'), 'root')
  execFileSync('chown', ['-R', 'postgres', folder])
  asPostgres(
    `${BIN}/initdb`,
    '-D',
    cluster,
    '-E',
    'UTF8',
    '--locale=C',
    '-A',
    'scram-sha-256',
    `--pwfile=${folder}/password`,
  )
  await writeFile(
    join(cluster, 'pg_hba.conf'),
    'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
  )
  const settings = {
    ...{
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      max_connections: 20,
    },
    ...{
      ssl: 'on',
      ssl_cert_file: join(folder, 'server.pem'),
      ssl_key_file: join(folder, 'server.key'),
    },
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(
    'runuser',
    ['-u', 'postgres', '--', `${BIN}/postgres`, '-D', cluster, ...flags],
    { cwd: '/', stdio: 'ignore' },
  )
  stops.push(() => asPostgres(`${BIN}/pg_ctl`, 'stop', '-m', 'immediate', '-D', cluster))
  await until(() => {
    if (server.exitCode !== null) throw new Error('PostgreSQL did not start')
    try {
      return asPostgres('psql', '-h', folder, '-p', String(port), '-c', 'select 1')
    } catch {
      return false
    }
  })
  for (const statement of [
    "create role admin login createrole createdb password 'admin'",
    'create database purser owner admin',
  ])
    asPostgres('psql', '-h', folder, '-p', String(port), '-v', 'ON_ERROR_STOP=1', '-c', statement)
  stage = await openStage({
    ...{ blockTimeSeconds: 1, processes: 2 },
    database: { url: address('admin:admin', overTls()), drop: async () => undefined },
  })
}, 600_000)

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
  for (const stop of stops.toReversed()) await stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the commands of a fence as a person does in the folder of the program, with these variables. */
async function shell(text: string, env: Record<string, string>): Promise<string> {
  const shims = join(folder, 'shims')
  await mkdir(shims, { recursive: true })
  await writeFile(
    join(shims, 'purser'),
    `#!/bin/sh\nexec ${process.execPath} ${ROOT}/packages/service/src/main.ts "$@"\n`,
    { mode: 0o755 },
  )
  const PATH = `${shims}:${process.env.PATH}`
  return execFileSync('sh', ['-euc', text], {
    cwd: ROOT,
    env: { PATH, ...env },
    stdio: 'pipe',
  }).toString()
}

const complaintOf = async (args: string[], env: Record<string, string>) => {
  const program = new Program(args, env)
  await program.exited
  return program.complaint
}

test('each way in which TLS is not right has its sentence', async () => {
  const migrate = (url: string) => complaintOf(['migrate', '--dry-run'], { DATABASE_URL: url })
  const admin = 'admin:admin'
  expect(await migrate(address(admin))).toMatch(/takes no connection without TLS: add \?sslmode=/)
  expect(await migrate(address(admin, '?sslmode=verify-full'))).toMatch(
    /has a certificate of a CA that is not known here/,
  )
  expect(await migrate(address(admin, overTls()).replace('localhost', '127.0.0.1'))).toMatch(
    /has a certificate for another name/,
  )
  expect(await migrate(address('admin:wrong', overTls()))).toMatch(/refuses this user or password/)
  expect(await migrate(address(admin, '?sslrootcert=/nowhere/ca.pem'))).toMatch(
    /\/nowhere\/ca\.pem cannot be used/,
  )
}, 120_000)

test('the page leads to a service that runs on it, with twenty connections for two machines', async () => {
  const [settings = {}] = page.take('managed-postgres.md', 'TLS').map(settingsIn)
  const [sizes = {}] = page.take('managed-postgres.md', 'Connections').map(settingsIn)
  const url = (user: string) =>
    `${settings.DATABASE_URL}`
      .replace('purser:password', user)
      .replace('db.example.com:5432', `localhost:${port}`)
      .replace('/etc/purser/database-ca.pem', join(folder, 'ca.pem'))
  const passwords = { OWNER_PASSWORD: 'o', SERVICE_PASSWORD: 's' }
  const urls = { ADMIN_URL: url('admin:admin'), OWNER_URL: url('purser_owner:o') }
  for (const { text } of page.take('managed-postgres.md', 'Roles'))
    expect(await shell(text, { ...passwords, ...urls })).toContain('The database is migrated.')

  const serving = { ...stage.env, ...settings, PUBLIC_URL, DATABASE_URL: url('purser:s') }
  const compose = await readFile(join(ROOT, 'deploy/compose-managed.yaml'), 'utf8')
  for (const name of ['PURSER_SCHEMA', 'PURSER_MIGRATE'])
    expect(compose).toContain(`${name}: ${settings[name]}`)
  // Two machines, which find 17 connections for both.
  const ports = [await ownPort(), await ownPort()]
  const machines = ports.map((at) => new Program([], { ...serving, PORT: String(at) }))
  for (const machine of machines) await machine.says('"msg":"ready"')
  const answers = async (path: string) =>
    Promise.all(
      ports.map((at) => fetch(`http://127.0.0.1:${at}${path}`).then(({ status }) => status)),
    )
  await until(
    () => answers('/readyz'),
    (statuses) => expect(statuses).toEqual([200, 200]),
  )
  const many = await Promise.all(Array.from({ length: 100 }, () => answers('/api/status')))
  expect(new Set(many.flat())).toEqual(new Set([200]))
  for (const { text } of page.take('managed-postgres.md', 'Start')) {
    const said = await shell(text.replace('/var/lib/purser', folder), serving)
    expect(said).toContain('opens 8 at most, and the database allows 17')
    expect(said).not.toContain('FAIL')
  }
  await Promise.all(machines.map((machine) => machine.stop('SIGTERM')))

  const set = new Program([], { ...serving, ...sizes, PORT: String(ports[0]) })
  await set.says('"msg":"ready"')
  await set.stop()
  const crowded = await complaintOf([], { ...serving, PURSER_DATABASE_CONNECTIONS: '40' })
  expect(crowded).toMatch(/^PURSER_DATABASE_CONNECTIONS is 40, and must be from 8, .* to 17/)
  asPostgres('psql', '-h', folder, '-p', String(port), '-c', 'alter role purser connection limit 5')
  expect(await complaintOf([], serving)).toMatch(
    /^The database gives this service 5 connections \(the limit of the role purser\), and it needs 8/,
  )
  asPostgres(
    'psql',
    '-h',
    folder,
    '-p',
    String(port),
    '-c',
    'alter role purser connection limit -1',
  )
}, 600_000)

test('a pooler in session mode does, and one in transaction mode is refused in one sentence', async () => {
  const at = await ownPort()
  const conf = (mode: string) => `[databases]
purser = host=localhost port=${port} dbname=purser user=purser password=s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${at}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 16
server_tls_sslmode = verify-full
server_tls_ca_file = ${folder}/ca.pem
ignore_startup_parameters = extra_float_digits
`
  const pooled = async (mode: string, work: (url: string) => Promise<void>) => {
    await writeFile(join(folder, 'pgbouncer.ini'), conf(mode))
    const pooler = spawn(
      'runuser',
      ['-u', 'postgres', '--', 'pgbouncer', join(folder, 'pgbouncer.ini')],
      { stdio: 'ignore' },
    )
    try {
      await until(() => isListening(at))
      await work(`postgres://purser:s@127.0.0.1:${at}/purser`)
    } finally {
      pooler.kill('SIGTERM')
    }
  }
  const env = {
    ...stage.env,
    PUBLIC_URL,
    PURSER_SCHEMA: 'purser',
    PURSER_MIGRATE: 'never',
    PORT: String(await ownPort()),
  }
  await pooled('session', async (url) => {
    const service = new Program([], {
      ...env,
      DATABASE_URL: url,
      PURSER_DATABASE_CONNECTIONS: '12',
    })
    await service.says('"msg":"ready"')
    expect((await fetch(`http://127.0.0.1:${env.PORT}/readyz`)).status).toBe(200)
    await service.stop()
  })
  await pooled('transaction', async (url) => {
    expect(await complaintOf([], { ...env, DATABASE_URL: url })).toMatch(
      /^DATABASE_URL leads through a pooler in transaction mode/,
    )
  })
  expect(page.left()).toEqual([])
}, 300_000)

const isListening = (at: number): boolean => {
  try {
    execFileSync('bash', ['-c', `</dev/tcp/127.0.0.1/${at}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
