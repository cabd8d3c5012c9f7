import { access, constants, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/base/db/migrate.ts'
import { isAlive } from '../../src/run/embedded/child.ts'
import { startPostgres } from '../../src/run/embedded/postgres/postgres.ts'
import { prepareReuse } from './reuse.ts'

const TEMPLATE = 'purser_template'
const NAME = 'purser-test-'
const LEFT = /^purser-test-(\d+)-/
const MEMORY = '/dev/shm'
/** Four times the space that a run takes, including its databases and those of the programs that it starts. */
const ROOM_BYTES = 4 * 1024 ** 3

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL server, as its administrator. */
    postgresUrl: string
    /** The folder of the server's socket. */
    postgresSocket: string
    /** The migrated database that tests clone. */
    templateDatabase: string
  }
}

/** Starts one PostgreSQL for the whole run. Returns a function that stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = await scratch()
  await removeLeft(place)
  const folder = await mkdtemp(join(place, `${NAME}${process.pid}-`))
  // The workers and their programs put their folders here too, so that everything is removed with the run.
  process.env.TMPDIR = folder
  // Half of a start is compiling the source, so everything that the workers start shares one compile cache. The workers
  // themselves get the setting too late to use it; they would write there while the folder is being removed.
  project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const dataDir = join(folder, 'postgres')
  const postgres = await startPostgres({ dataDir, isThrowaway: true })
  await makeTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresSocket', dataDir)
  project.provide('templateDatabase', TEMPLATE)
  return async () => {
    await postgres.stop()
    await removeWhole(folder)
  }
}

/**
 * The folder that the run writes to: in memory if there is enough room. A database has a thousand files, and on a disk
 * a copy takes 240 ms of CPU instead of 15 (measured).
 */
async function scratch(): Promise<string> {
  const isRoomy = async () => {
    const { bavail, bsize } = await statfs(MEMORY)
    await access(MEMORY, constants.W_OK)
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES
  }
  return (await isRoomy().catch(() => false)) ? MEMORY : tmpdir()
}

/** Removes the folders of our killed runs. */
async function removeLeft(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const [, pid] = LEFT.exec(name) ?? []
    if (!pid || isAlive(Number(pid))) continue
    const path = join(place, name)
    // Another run may have removed it first.
    const info = await stat(path).catch(() => undefined)
    if (info?.uid === process.getuid?.()) await removeWhole(path)
  }
}

/** Removes a folder, even while a program that is ending still writes there. */
const removeWhole = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  const url = new URL(adminUrl)
  // A run makes thousands of connections. Each still checks the password, at half the cost.
  await admin.query(`set scram_iterations = 1`)
  await admin.query(`alter role ${url.username} password '${url.password}'`)
  await admin.end()
  url.pathname = `/${TEMPLATE}`
  await migrate(url.href)
  await prepareReuse(url.href)
}
