import { outageSentence } from '../../base/db/outage.ts'
import { sqlState } from '../../base/db/sql.ts'
import { chainOf, codeOf, fileFaultOf, isDiskFull, StartError } from './start-error.ts'

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
