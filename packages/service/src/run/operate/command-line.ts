import { hostname, userInfo } from 'node:os'
import { noteActs } from '../../api/audit/note.ts'
import type { Tx } from '../../base/db/sql.ts'

/** The account of this machine that gives the command. Some containers have an account without a name. */
function accountHere(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

/** Writes an operator's command to the audit log, in the transaction that does it. */
export const noteCommand = (
  tx: Tx,
  at: Date,
  done: { act: string; subject: string; note?: string },
): Promise<void> =>
  noteActs(
    tx,
    at,
    {
      way: 'command',
      actor: `${accountHere()}@${hostname()}`,
      keyHash: null,
      requestId: null,
    },
    [done],
  )
