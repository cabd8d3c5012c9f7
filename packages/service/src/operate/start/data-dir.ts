import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunningWith } from '../../embedded/child.ts'
import { codeOf, StartError } from './start-error.ts'

export const postgresDir = (dataDir: string): string => join(dataDir, 'postgres')
export const chainStateFile = (dataDir: string): string => join(dataDir, 'chain', 'state.json')
export const logFile = (dataDir: string): string => join(dataDir, 'purser.log')
const lockFile = (dataDir: string): string => join(dataDir, 'service.lock')

/** The process that uses a data folder. The lock file holds these fields and nothing else. */
export type Holder = {
  pid: number
  /** A word of its command line: its id may be another process's by now. */
  program: string
  /** The address of its API. Set once its database and chain have started; null if it serves no API. */
  port?: number | null
}
export type DataLock = {
  /** Records that the embedded parts have started, for `verify` and `doctor`. */
  announce(port: number | null): Promise<void>
  release(): Promise<void>
}

/** Makes the folder, for its owner only. Throws a sentence if it is unusable or if others could read it. */
export async function openDataDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const info = await stat(dir)
    if (!info.isDirectory()) throw notADirectory(dir)
    if (process.platform === 'win32' || (info.mode & 0o077) === 0) return
    // A newly attached, empty volume: others cannot have read or placed anything in it.
    if ((await readdir(dir)).length === 0) await chmod(dir, 0o700)
    else
      throw new StartError(`Others may look into the data folder ${dir}: run chmod 700 "${dir}".`)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' || code === 'ENOTDIR') throw notADirectory(dir, error)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new StartError(
        `The data folder ${dir} cannot be used: this account may not write there. Choose another with PURSER_DATA_DIR.`,
        { cause: error },
      )
    throw error
  }
}

const notADirectory = (dir: string, cause?: unknown) =>
  new StartError(`The data folder ${dir} is not a folder: choose another with PURSER_DATA_DIR.`, {
    cause,
  })

/** Locks the folder for this process. Throws a sentence if another process has it. */
export async function lockDataDir(
  dir: string,
  { pid, program }: { pid: number; program: string },
): Promise<DataLock> {
  // The caller's object may have more members, such as the environment with its secrets.
  const self = { pid, program }
  for (;;) {
    if (await tryLock(dir, self)) break
    const holder = await readHolder(dir)
    if (holder && holder.pid !== self.pid)
      throw new StartError(
        `The data folder ${dir} is in use by the service that runs as process ${holder.pid}: stop that first, or choose another folder with PURSER_DATA_DIR.`,
      )
    await removeStaleLock(dir, self)
  }
  return {
    announce: (port) => writeWhole(lockFile(dir), { ...self, port }),
    release: () => rm(lockFile(dir), { force: true }),
  }
}

async function tryLock(dir: string, self: Holder): Promise<boolean> {
  try {
    const handle = await open(lockFile(dir), 'wx', 0o600)
    await handle.writeFile(JSON.stringify(self))
    await handle.close()
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Renames the file before deleting it: if two processes find it stale, one renames it and the other looks again. */
async function removeStaleLock(dir: string, self: Holder): Promise<void> {
  const aside = `${lockFile(dir)}.${self.pid}`
  try {
    await rename(lockFile(dir), aside)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  await rm(aside, { force: true })
}

/** The process that uses the folder now, if any. */
export async function readHolder(dir: string): Promise<Holder | undefined> {
  const holder = await readJson<Holder>(lockFile(dir))
  if (!holder?.pid || !(await isRunningWith(holder.pid, holder.program))) return undefined
  return holder
}

/** The file's content; undefined if it is missing or incomplete. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes a file for its owner only. A reader sees either the complete old file or the complete new one. */
export async function writeWhole(path: string, content: unknown): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, path)
}
