import type { Tx } from '../../base/db/sql.ts'
import { newId } from '../../base/kernel/ids.ts'
import type { Caller } from '../http/caller.ts'
import { type Act, insertActs } from './store.ts'

type Done = Pick<Act, 'act' | 'subject'> & { note?: string }
type By = Pick<Act, 'way' | 'actor' | 'keyHash' | 'requestId'>

/** A caller as the audit log names it. */
export const byCaller = ({ kind, walletAddress, credentialHash, requestId }: Caller): By => ({
  way: kind,
  actor: walletAddress,
  keyHash: kind === 'key' ? credentialHash : null,
  requestId: requestId || null,
})

/** Writes acts in the transaction that does them: an act is in the log if and only if it was done. */
export async function noteActs(tx: Tx, at: Date, by: By, done: readonly Done[]): Promise<void> {
  if (done.length === 0) return
  await insertActs(
    tx,
    done.map(({ act, subject, note }) => ({
      ...by,
      ...{ id: newId('act', at), act, subject, note: note || null, createdAt: at },
    })),
  )
}
