import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chmod,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { isRunningWith } from '../embedded/child.ts'
import { makeFolder } from '../embedded/make-folder.ts'
import { codeOf, fileFaultOf, StartError } from './start-error.ts'

export const postgresDir = (dataDir: string): string => join(dataDir, 'postgres')
/** Where `restore --replace` makes the database that is to come, until it is complete. */
export const restoringDir = (dataDir: string): string => join(dataDir, 'postgres.restoring')
export const chainStateFile = (dataDir: string): string => join(dataDir, 'chain', 'state.json')
export const logFile = (dataDir: string): string => join(dataDir, 'purser.log')
const lockFile = (dataDir: string): string => join(dataDir, 'service.lock')

/** Several processes may find a stale lock at once, and each of them removes one. */
const LOCK_ATTEMPTS = 20

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

/**
 * Makes the folder, for its owner only, and adds the folders that it made to `made`. Throws a sentence if the folder is
 * unusable or if others could read it.
 */
export async function openDataDir(dir: string, made: string[] = []): Promise<void> {
  try {
    await makeFolder(dir, made)
    const info = await stat(dir)
    if (!info.isDirectory()) throw notADirectory(dir)
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    if (process.platform === 'win32' || (info.mode & 0o077) === 0) return
    // A newly attached, empty volume: others cannot have read or placed anything in it.
    if ((await readdir(dir)).length === 0) await chmod(dir, 0o700)
    else
      throw new StartError(`Others may look into the data folder ${dir}: run chmod 700 "${dir}".`)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTDIR') throw notADirectory(dir, error)
    const reason = code === 'ENOENT' ? 'it cannot be made there' : fileFaultOf(error)
    if (!reason) throw error
    throw new StartError(
      `The data folder ${dir} cannot be used: ${reason}. Choose another with PURSER_DATA_DIR.`,
      { cause: error },
    )
  }
}

/** Whether the folder could be made and written to. Leaves nothing behind. Throws a sentence if not. */
export async function tryDataDir(dir: string): Promise<void> {
  const made: string[] = []
  try {
    await openDataDir(dir, made)
    const probe = `${lockFile(dir)}.${randomUUID()}`
    await writeFile(probe, 'x', { mode: 0o600, flag: 'wx' })
    await rm(probe)
  } finally {
    // A service that starts meanwhile may have begun to use it.
    for (const folder of made.reverse()) await rmdir(folder).catch(unlessUsed)
  }
}

function unlessUsed(error: unknown): void {
  if (codeOf(error) !== 'ENOTEMPTY') throw error
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
  for (let attempt = 1; !(await tryLock(dir, self)); attempt++) {
    const holder = await readHolder(dir)
    if (holder && holder.pid !== self.pid)
      throw new StartError(
        `The data folder ${dir} is in use by the service that runs as process ${holder.pid}: stop that first, or choose another folder with PURSER_DATA_DIR.`,
      )
    if (attempt > LOCK_ATTEMPTS)
      throw new StartError(
        `The lock ${lockFile(dir)} comes back each time that it is removed: look who writes it.`,
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
    await handle.writeFile(JSON.stringify(self)).finally(() => handle.close())
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
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes a file for its owner only. A reader sees either the complete old file or the complete new one. */
export async function writeWhole(path: string, content: unknown): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
