import { closeSync, existsSync, openSync } from 'node:fs'
import { readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomToken } from '../../../base/kernel/secrets.ts'
import { type Child, freePort, startChild, waitUntil } from '../child.ts'
import { makeFolder } from '../make-folder.ts'
import { findHost, giveTo, type Host } from './host.ts'
import { inUse, readLockFile, waitForFolder } from './lock.ts'

export type PostgresOptions = {
  /** Created with mode 0700 if missing. */
  dataDir: string
  /** Default: a free port. */
  port?: number
  /** For tests: faster, but a power cut may corrupt the data. Listens on a socket in `dataDir` as well. */
  isThrowaway?: boolean
  /** For tests: settings of the server in place of ours. */
  settings?: Readonly<Record<string, string>>
}

export type RunningPostgres = {
  /** Includes the password. */
  readonly url: string
  readonly pid: number
  /** Resolves when the server has ended, for any reason. */
  readonly exited: Promise<void>
  /** Closes connections, writes all data to disk and waits. May be called again. */
  stop(): Promise<void>
}

const USER = 'purser'
const READY_MS = 30_000
const STOP_MS = 30_000
/** How long the processes of a killed server may take to notice. */
const LEAVE_MS = 5_000
const PORT_ATTEMPTS = 3
const LOG_LIMIT = 4_000_000

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  // The first write to a page after a checkpoint logs the whole page. Compressing it costs three times as much as not
  // compressing it, so compression is off and checkpoints are rare.
  wal_compression: 'off',
  checkpoint_timeout: '15min',
  // It has no replicas, so the log omits what only a replica reads.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The caller reports errors of statements. The log file has only messages about the server.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}
const THROWAWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Its databases live for seconds.
  autovacuum: 'off',
  // Many services share it, and those that wait to be lent keep their connections. It may stand in memory.
  max_connections: '1000',
  max_wal_size: '512MB',
}

/**
 * Starts the PostgreSQL that npm installed, on the loopback interface, with the cluster in `dataDir`; creates the
 * cluster on first use. Takes 0.9 s the first time, then 0.1 s. Throws an error whose one sentence says what to do.
 */
export async function startPostgres(given: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(given.dataDir)
  const options = { ...given, dataDir }
  await makeFolder(dataDir)
  const host = await findHost(dataDir)
  const password = await readPassword(dataDir)
  if (host.owner) await giveTo(host.owner, dataDir)
  if (!existsSync(join(dataDir, 'cluster'))) await makeCluster(host, dataDir)
  await waitForFolder(dataDir, LEAVE_MS)

  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    const outcome = await launch(host, options, port)
    if (typeof outcome !== 'string')
      return {
        url: urlOf(password, port),
        pid: outcome.pid,
        exited: outcome.exited.then(() => undefined),
        stop: () => outcome.stop('SIGINT', STOP_MS),
      }
    if (outcome.includes('lock file "postmaster.pid" already exists')) throw inUse(dataDir)
    if (outcome.includes('could not bind')) {
      if (options.port === undefined && attempt < PORT_ATTEMPTS) continue
      throw new Error(`The database cannot listen on port ${port}: another program does.`)
    }
    // Processes of a server that was killed with -9 notice within moments; until then its memory is in use.
    if (outcome.includes('shared memory block') && attempt * 100 < LEAVE_MS) {
      await sleep(100)
      continue
    }
    throw notStarted(outcome, dataDir)
  }
}

/** The address of the server that runs on `dataDir`. Throws a sentence if none does. */
export async function findPostgres(dataDir: string): Promise<string> {
  const lock = await readLockFile(join(dataDir, 'cluster'))
  if (!lock?.isReady) throw new Error(`The database in ${dataDir} does not run: try again.`)
  return urlOf(await readPassword(dataDir), lock.port)
}

const urlOf = (password: string, port: number): string =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`

/** Starts the server and waits until it accepts connections; otherwise returns its log output. */
async function launch(host: Host, options: PostgresOptions, port: number): Promise<Child | string> {
  const cluster = join(options.dataDir, 'cluster')
  const log = join(options.dataDir, 'postgres.log')
  const logStart = await trimLog(log)
  const faster = { ...THROWAWAY, unix_socket_directories: options.dataDir }
  const usual = { ...SETTINGS, ...(options.isThrowaway ? faster : {}) }
  const settings = { ...usual, ...options.settings, port: String(port) }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = await startProgram(host, options.dataDir, [
    host.binaries.postgres,
    '-D',
    cluster,
    ...flags,
  ])
  const isReady = async () => {
    const lock = await readLockFile(cluster)
    return lock?.pid === child.pid && lock.isReady
  }
  if (await waitUntil(isReady, child, READY_MS)) return child
  return (await readFile(log)).subarray(logStart).toString('utf8')
}

async function startProgram(host: Host, dataDir: string, command: string[]): Promise<Child> {
  const output = openSync(join(dataDir, 'postgres.log'), 'a', 0o600)
  try {
    return await startChild({
      command: [...host.prefix, ...command],
      output,
      onParentExit: 'SIGINT',
      cwd: dataDir,
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
      ...(host.uid === undefined ? {} : { uid: host.uid }),
      ...(host.gid === undefined ? {} : { gid: host.gid }),
    })
  } finally {
    closeSync(output)
  }
}

/** Creates the cluster in a temporary folder, then renames it: an interrupted first start leaves no half cluster. */
async function makeCluster(host: Host, dataDir: string): Promise<void> {
  const unfinished = join(dataDir, 'cluster.new')
  const log = join(dataDir, 'postgres.log')
  await rm(unfinished, { recursive: true, force: true })
  const logStart = await trimLog(log)
  const child = await startProgram(host, dataDir, [
    host.binaries.initdb,
    '--pgdata',
    unfinished,
    '--username',
    USER,
    '--pwfile',
    join(dataDir, 'password'),
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ])
  if ((await child.exited) !== 0)
    throw notStarted((await readFile(log)).subarray(logStart).toString('utf8'), dataDir)
  await rename(unfinished, join(dataDir, 'cluster'))
}

async function readPassword(dataDir: string): Promise<string> {
  const path = join(dataDir, 'password')
  try {
    const password = (await readFile(path, 'utf8')).trim()
    if (password) return password
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(
        `The database folder ${dataDir} belongs to another user. Start the service as that user, or give the ` +
          'folder to yourself with chown -R.',
        { cause: error },
      )
    if (code !== 'ENOENT') throw error
  }
  const password = randomToken()
  await writeFile(`${path}.new`, `${password}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
  return password
}

/** Empties a log that has grown large; returns the offset of the next line. */
async function trimLog(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size < LOG_LIMIT) return size
  await truncate(path)
  return 0
}

function notStarted(log: string, dataDir: string): Error {
  const said = log
    .split('\n')
    .map((line) => /(?:FATAL|PANIC|DETAIL|error): +(.*)/.exec(line)?.[1])
    .filter((line) => line !== undefined)
  const reason = said.length > 0 ? said.join(' ') : log.trim().split('\n').at(-1)
  return new Error(`PostgreSQL did not start: ${reason} (log: ${join(dataDir, 'postgres.log')})`)
}
