import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect } from 'vitest'
import type { DevFile } from '../../src/run/operate/start/dev-file.ts'
import { ownPort } from '../run/own-port.ts'
import { until } from '../until.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
/**
 * The environment that a program gets from the run: paths of commands, the folder to write in, and the compile cache.
 */
export const PASSED_ON = { PATH, TMPDIR, NODE_COMPILE_CACHE }
const started: Program[] = []
const folders: string[] = []

/** The program as a person runs it: `node main.ts …` with its own environment. */
export class Program {
  readonly child: ChildProcess
  readonly exited: Promise<number | null>
  out = ''
  err = ''

  constructor(args: string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, [MAIN, ...args], {
      // Not the clone, which may have a developer's .env.
      cwd: tmpdir(),
      env: { ...PASSED_ON, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', (text) => {
      this.out += text
    })
    this.child.stderr?.on('data', (text) => {
      this.err += text
    })
    this.exited = new Promise((resolve) => this.child.once('close', resolve))
    started.push(this)
  }

  /** Its standard error, without Node's own warnings. */
  get complaint(): string {
    return this.err.replace(/^\(.*\n?/gm, '').trim()
  }

  async says(text: string): Promise<void> {
    await until(
      () => ({ out: this.out, err: this.err, hasEnded: this.#hasEnded() }),
      ({ out, err, hasEnded }) => {
        if (out.includes(text)) return true
        if (hasEnded) throw new Error(`it ended and did not say "${text}" but:\n${out}\n${err}`)
        return false
      },
    )
  }

  #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    this.child.kill(signal)
    return this.exited
  }
}

export const run = (args: string[], env: Record<string, string>) => new Program(args, env)

/** A data folder that does not exist yet, and a free port, for one process. */
export async function place(): Promise<{
  PURSER_DATA_DIR: string
  PORT: string
  PURSER_PROCESSES: string
  PURSER_DRAIN_SECONDS: string
}> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-start-'))
  folders.push(folder)
  return {
    PURSER_DATA_DIR: join(folder, 'data'),
    PORT: String(await ownPort()),
    PURSER_PROCESSES: '1',
    PURSER_DRAIN_SECONDS: '0',
  }
}

/** A place where the service has started and stopped before. */
export async function livedPlace(): ReturnType<typeof place> {
  const env = await place()
  // Keeps the owner, which is another account if the tests run as root.
  await promisify(execFile)('cp', ['-a', await livedIn(), env.PURSER_DATA_DIR])
  return env
}

/** A first start takes twice the time of the next one, so it happens once in a run: other workers wait for it. */
async function livedIn(): Promise<string> {
  const dataDir = join(tmpdir(), 'purser-lived')
  const lock = `${dataDir}.lock`
  await until(async () => {
    if (existsSync(dataDir)) return true
    if (await mkdir(lock).then(() => true, unlessTaken))
      await liveOnce(dataDir).finally(() => rmdir(lock))
    return existsSync(dataDir)
  })
  return dataDir
}

function unlessTaken(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false
  throw error
}

async function liveOnce(dataDir: string): Promise<void> {
  const env = await place()
  const { program } = await start(env)
  const code = await program.stop()
  if (code !== 0) throw new Error(`the first start ended with ${code}:\n${program.err}`)
  await rename(env.PURSER_DATA_DIR, dataDir)
}

export async function start(
  env: Record<string, string>,
): Promise<{ program: Program; dev: DevFile }> {
  const program = run([], env)
  await program.says('Stop         Ctrl-C')
  return { program, dev: await readDev(env) }
}

export const readDev = async (env: Record<string, string>): Promise<DevFile> =>
  JSON.parse(await readFile(join(env.PURSER_DATA_DIR ?? '', 'dev.json'), 'utf8'))

/** Runs statements on a program's own database, and returns the rows. */
export async function query(url: string, statements: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const answer: any = await client.query(statements)
    return answer.rows ?? []
  } finally {
    await client.end()
  }
}

/** Statements that make a database look as if an unreleased version had made it. */
export const MADE_UNRELEASED = `delete from schema_migrations;
  insert into schema_migrations (name, sha256) values ('001-ledger.sql', 'x'), ('003-chain.sql', 'x')`

/** Expects `verify` and `doctor` to find no fault in a data folder in which only the demo wallet was funded. */
export async function expectGreen(env: Record<string, string>): Promise<void> {
  const verify = run(['verify', '--json'], env)
  expect(await verify.exited).toBe(0)
  expect(JSON.parse(verify.out)).toMatchObject({
    ok: true,
    transfers: 1,
    balances: [{ asset: 'USDC', liabilities: '1000', on_chain: '1000' }],
    faults: [],
  })
  const doctor = run(['doctor', '--json'], env)
  expect(await doctor.exited).toBe(0)
  const { checks } = JSON.parse(doctor.out) as { checks: { check: string; status: string }[] }
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([])
  expect(checks.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['disk', 'migrations', 'usdc_domain', 'relayer_gas', 'clock']),
  )
}

/** Stops the started programs and removes their folders. Call it after each test. */
export async function stopPrograms(): Promise<void> {
  for (const program of started.splice(0)) {
    program.child.kill('SIGINT')
    await program.exited
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
}
