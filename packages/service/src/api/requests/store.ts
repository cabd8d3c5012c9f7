import { all, one, type Reader, run, sql, type Tx } from '../../base/db/sql.ts'

export type LoggedRequest = {
  walletAddress: string
  requestId: string
  credentialHash: string
  way: 'session' | 'key'
  method: string
  route: string
  path: string
  status: number
  code: string | null
  ms: number
  createdAt: Date
}

/** The part of a wallet's requests that a caller sees: of one credential, or of all; since a time. */
export type Seen = { walletAddress: string; credentialHash: string | null; since: Date }
export type Filter = {
  statuses: readonly [from: number, to: number]
  way: 'session' | 'key' | null
  requestId: string | null
}

export async function insertRequests(tx: Tx, rows: readonly LoggedRequest[]): Promise<void> {
  const column = (pick: (row: LoggedRequest) => unknown) => rows.map(pick)
  await sql`insert into request_log (wallet_address, request_id, credential_hash, way, method, route, path, status, code, ms,
      created_at)
    select * from unnest(${column((r) => r.walletAddress)}::text[], ${column((r) => r.requestId)}::text[],
      ${column((r) => r.credentialHash)}::text[], ${column((r) => r.way)}::text[], ${column((r) => r.method)}::text[],
      ${column((r) => r.route)}::text[], ${column((r) => r.path)}::text[], ${column((r) => r.status)}::smallint[],
      ${column((r) => r.code)}::text[], ${column((r) => r.ms)}::integer[], ${column((r) => r.createdAt)}::timestamptz[])
    on conflict do nothing`.execute(tx)
}

const REQUEST = sql`select wallet_address, request_id, credential_hash, way, method, route, path, status, code, ms, created_at
  from request_log`
const isSeen = ({ walletAddress, credentialHash, since }: Seen) =>
  sql`wallet_address = ${walletAddress} and created_at > ${since}
    and (${credentialHash}::text is null or credential_hash = ${credentialHash})`

/** The requests after one of them, newest first; one more than `limit` if there are more. */
export const listRequests = (
  on: Reader,
  seen: Seen,
  page: Filter & { after: string | undefined; limit: number },
): Promise<LoggedRequest[]> =>
  all<LoggedRequest>(
    on,
    sql`${REQUEST} where ${isSeen(seen)} and status between ${page.statuses[0]} and ${page.statuses[1]}
      and (${page.way}::text is null or way = ${page.way})
      and (${page.requestId}::text is null or request_id = ${page.requestId})
      and (${page.after ?? null}::text is null or request_id < ${page.after ?? null})
      order by request_id desc limit ${page.limit + 1}`,
  )

export const findRequest = (
  on: Reader,
  seen: Seen,
  requestId: string,
): Promise<LoggedRequest | undefined> =>
  one<LoggedRequest>(on, sql`${REQUEST} where ${isSeen(seen)} and request_id = ${requestId}`)

/** Deletes the requests of each wallet beyond its newest `most`. Reads the whole table, which is small. */
export async function deleteCrowded(tx: Tx, most: number): Promise<void> {
  await run(
    tx,
    sql`delete from request_log r using (
        select wallet_address, request_id,
          row_number() over (partition by wallet_address order by request_id desc) as place
        from request_log) p
      where p.place > ${most} and p.wallet_address = r.wallet_address and p.request_id = r.request_id`,
  )
}
