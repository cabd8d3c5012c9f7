import { all, one, type Reader, sql, type Tx } from '../../base/db/sql.ts'
import type { Id } from '../../base/kernel/ids.ts'

export type Act = {
  id: Id<'act'>
  /** A noun and what was done to it, such as `key.revoked`. */
  act: string
  /** By a session or a key of a wallet, or by a command on a machine of the service. */
  way: 'session' | 'key' | 'command'
  /** A wallet's address; of a command the account and the machine. */
  actor: string
  /** The key that it was done with. */
  keyHash: string | null
  subject: string
  note: string | null
  requestId: string | null
  createdAt: Date
}

export async function insertActs(tx: Tx, acts: readonly Act[]): Promise<void> {
  const column = (pick: (act: Act) => unknown) => acts.map(pick)
  await sql`insert into audit_acts (id, act, way, actor, key_hash, subject, note, request_id, created_at)
    select * from unnest(${column((a) => a.id)}::text[], ${column((a) => a.act)}::text[], ${column((a) => a.way)}::text[],
      ${column((a) => a.actor)}::text[], ${column((a) => a.keyHash)}::text[], ${column((a) => a.subject)}::text[],
      ${column((a) => a.note)}::text[], ${column((a) => a.requestId)}::text[],
      ${column((a) => a.createdAt)}::timestamptz[])`.execute(tx)
}

const ACT = sql`select id, act, way, actor, key_hash, subject, note, request_id, created_at from audit_acts`

/** The acts after one of them, newest first; one more than `limit` if there are more. */
export const listActs = (
  on: Reader,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Act[]> =>
  all<Act>(
    on,
    sql`${ACT} where ${after ?? null}::text is null or id < ${after ?? null}
      order by id desc limit ${limit + 1}`,
  )

export const findAct = (on: Reader, id: string): Promise<Act | undefined> =>
  one<Act>(on, sql`${ACT} where id = ${id}`)
