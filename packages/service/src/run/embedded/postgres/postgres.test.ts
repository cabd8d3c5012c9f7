import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningPostgres, startPostgres } from './postgres.ts'

let folder: string
let dataDir: string
let servers: RunningPostgres[]

beforeEach(async () => {
  // Mode 0700, and owned by root in a container: PostgreSQL's account cannot enter it without help.
  folder = await mkdtemp(join(tmpdir(), 'purser-postgres-'))
  dataDir = join(folder, 'data')
  servers = []
})

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await rm(folder, { recursive: true, force: true })
})

async function start(port?: number): Promise<RunningPostgres> {
  const server = await startPostgres(port === undefined ? { dataDir } : { dataDir, port })
  servers.push(server)
  return server
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

test('what was written is there after a stop and a second start', async () => {
  const first = await start()
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  await first.stop()
  const second = await start()
  expect(await ask(second.url, 'select answer from kept')).toEqual([42])
})

test('it is durable, UTF-8, in UTC, and reached by password on the loopback interface only', async () => {
  const { url } = await start()
  expect(await ask(url, 'show fsync')).toEqual(['on'])
  expect(await ask(url, 'show server_encoding')).toEqual(['UTF8'])
  expect(await ask(url, 'show timezone')).toEqual(['UTC'])
  expect(await ask(url, 'show listen_addresses')).toEqual(['127.0.0.1'])
  expect(await ask(url, 'show unix_socket_directories')).toEqual([''])
  expect(await ask(url, 'select distinct auth_method from pg_hba_file_rules')).toEqual([
    'scram-sha-256',
  ])
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600)
  const wrong = new URL(url)
  wrong.password = 'wrong'
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('a server killed with -9 starts again over its own data', async () => {
  const first = await start()
  await ask(first.url, 'create table kept as select 42 as answer')
  process.kill(first.pid, 'SIGKILL')
  await first.exited
  const second = await start()
  expect(await ask(second.url, 'select answer from kept')).toEqual([42])
})

test('a lock file whose process id is another program by now is no obstacle', async () => {
  const first = await start()
  const lock = await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')
  await first.stop()
  await writeFile(
    join(dataDir, 'cluster', 'postmaster.pid'),
    lock.replace(String(first.pid), String(process.ppid)),
  )
  const second = await start()
  expect(await ask(second.url, 'select 1')).toEqual([1])
})

test('a folder in use is refused in one sentence, and its server goes on', async () => {
  const first = await start()
  await expect(start()).rejects.toThrow(/in use by a service that is running.*Stop that one first/)
  expect(await ask(first.url, 'select 1')).toEqual([1])
})

test('a port in use is refused in one sentence', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address() as { port: number }
  await expect(start(address.port)).rejects.toThrow(
    `The database cannot listen on port ${address.port}: another program does.`,
  )
  await new Promise((resolve) => other.close(resolve))
})

test('an interrupted first start leaves nothing that stops the next', async () => {
  await mkdir(join(dataDir, 'cluster.new', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'cluster.new', 'PG_VERSION'), '18\n')
  // A full disk leaves an empty file.
  await writeFile(join(dataDir, 'password'), '')
  const server = await start()
  expect(await ask(server.url, 'select 1')).toEqual([1])
})
