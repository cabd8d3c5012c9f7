/** The reason why the service cannot go on, in one sentence that tells the operator what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

const DISK_FULL = '53100'

/** The sentence to show for the error that ended a command. */
export function sentenceOf(error: unknown): string {
  const causes = chainOf(error)
  const isFull = causes.some(
    (cause) =>
      ['ENOSPC', 'EDQUOT', DISK_FULL].includes(codeOf(cause)) ||
      /No space left on device/i.test(String(cause)),
  )
  if (isFull)
    return 'The disk is full: free some space, or move the data to a larger disk with PURSER_DATA_DIR.'
  const [first] = causes
  const text = first instanceof Error ? first.message || codeOf(first) : String(first)
  return text.trim() || 'Something failed without saying why.'
}

export const codeOf = (error: unknown): string => String((error as { code?: unknown })?.code ?? '')

/** The error, the errors that it collects, and their causes. */
function chainOf(error: unknown): unknown[] {
  const inner = error instanceof AggregateError ? error.errors : []
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : []
  return [error, ...[...inner, ...cause].flatMap(chainOf)]
}
