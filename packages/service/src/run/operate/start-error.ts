import { outageSentence } from '../../base/db/outage.ts'
import { sqlState } from '../../base/db/sql.ts'

/** The reason why the service cannot go on, in one sentence that tells the operator what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const DISK_FULL = '53100'
const FILE_FAULTS: Record<string, string> = {
  EACCES: 'this account may not read or write there',
  EPERM: 'this account may not change it',
  EROFS: 'its file system is read-only',
  ENOENT: 'it does not exist and cannot be made',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk does not answer',
}

/** The sentence to show for the error that ended a command. */
export function sentenceOf(error: unknown): string {
  const causes = chainOf(error)
  // A refusal of a socket may be that of any peer.
  const refused = causes.find((cause) => sqlState(cause) !== undefined && outageSentence(cause))
  if (refused)
    return error instanceof StartError
      ? error.message
      : `${outageSentence(refused)} PostgreSQL says: ${(refused as Error).message}.`
  if (isDiskFull(error))
    return 'The disk is full: free some space, or move the data to a larger disk with PURSER_DATA_DIR.'
  const [first] = causes
  const reason = fileFaultOf(first)
  if (reason) return `The file ${(first as NodeJS.ErrnoException).path} cannot be used: ${reason}.`
  const text = first instanceof Error ? first.message || codeOf(first) : String(first)
  return text.trim() || 'Something failed without saying why.'
}

export const isDiskFull = (error: unknown): boolean =>
  chainOf(error).some(
    (cause) =>
      ['ENOSPC', 'EDQUOT', DISK_FULL].includes(codeOf(cause)) ||
      /No space left on device/i.test(String(cause)),
  )

/** Why the system refused a file or a folder; undefined for another error. */
export function fileFaultOf(error: unknown): string | undefined {
  const { path } = error as NodeJS.ErrnoException
  return path === undefined ? undefined : FILE_FAULTS[codeOf(error)]
}

export const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

/** The error, the errors that it collects, and their causes. */
function chainOf(error: unknown): unknown[] {
  const inner = error instanceof AggregateError ? error.errors : []
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : []
  return [error, ...[...inner, ...cause].flatMap(chainOf)]
}
