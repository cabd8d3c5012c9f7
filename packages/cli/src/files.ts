import { readFile, stat, writeFile } from 'node:fs/promises'
import { Fault } from './fault.ts'

const WRITE_FAULTS: Record<string, string> = {
  EACCES: 'this account may not',
  EPERM: 'this account may not',
  EROFS: 'its file system is read-only',
  ENOENT: 'its folder does not exist and cannot be made',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
}

/** The text of a file, or undefined if there is none. */
export async function readOptional(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new Fault(`${path} cannot be read.`, { cause: error })
  }
}

/** The part of a JSON file that `pick` finds. Throws `lack` if it finds none. */
export async function readJsonFile<T>(
  path: string,
  { pick, lack }: { pick(value: unknown): T | undefined; lack: string },
): Promise<T> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Fault(`${path} cannot be read.`, { cause })
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Fault(`${path} is not JSON: ${lack}`, { cause })
  }
  const picked = pick(value)
  if (picked === undefined) throw new Fault(`${path} is something else: ${lack}`)
  return picked
}

/** Writes a file that the caller named. */
export const writeNamedFile = (path: string, text: string): Promise<void> =>
  writeFile(path, text).catch((error) => {
    throw unwritable(path, error)
  })

/** The fault of a file that could not be written. */
export function unwritable(path: string, cause: unknown): Fault {
  const { code = 'unknown reason' } = cause as NodeJS.ErrnoException
  return new Fault(`${path} cannot be written: ${WRITE_FAULTS[code] ?? code}.`, { cause })
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** The first line of a file that only its owner may read. */
export async function readSecretFile(path: string): Promise<string> {
  const found = await stat(path).catch((error) => {
    throw new Fault(isMissing(error) ? `${path} does not exist.` : `${path} cannot be read.`, {
      cause: error,
    })
  })
  if ((found.mode & 0o077) !== 0)
    throw new Fault(`${path} may be read by others: run \`chmod 600 ${path}\` first.`)
  const [line = ''] = (await readFile(path, 'utf8')).split('\n')
  if (line.trim() === '') throw new Fault(`${path} is empty.`)
  return line.trim()
}
