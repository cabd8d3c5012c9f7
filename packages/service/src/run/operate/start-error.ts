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
export function chainOf(error: unknown): unknown[] {
  const inner = error instanceof AggregateError ? error.errors : []
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : []
  return [error, ...[...inner, ...cause].flatMap(chainOf)]
}
