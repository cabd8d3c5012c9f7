import { all, json, one, type Reader, run, sql, type Tx } from '../../../base/db/sql.ts'
import type { Listing, ListingAsked } from './listing.ts'

/** A resource to look at. A payer whose payment settled named it. */
export type Look = ListingAsked & { host: string; walletAddress: string; payTo: string }

/** The most looks of one wallet, and at one host, in an hour. */
const LOOKS_MAX = 60

/** Notes resources to look at. One that is noted already, or was looked at in the last hour, stays as it is. */
export async function insertLooks(tx: Tx, at: Date, looks: readonly Look[]): Promise<number> {
  if (looks.length === 0) return 0
  const column = (pick: (look: Look) => string) => looks.map(pick)
  return run(
    tx,
    sql`insert into x402_looks (url, host, method, wallet_address, pay_to, asked_at)
      select distinct on (v.url) v.*, ${at}::timestamptz
      from unnest(${column((l) => l.url)}::text[], ${column((l) => l.host)}::text[],
        ${column((l) => l.method)}::text[], ${column((l) => l.walletAddress)}::text[],
        ${column((l) => l.payTo)}::text[]) as v (url, host, method, wallet_address, pay_to)
      where (select count(*) from x402_looks o where o.wallet_address = v.wallet_address) < ${LOOKS_MAX}
        and (select count(*) from x402_looks o where o.host = v.host) < ${LOOKS_MAX}
      order by v.url on conflict (url) do nothing`,
  )
}

/** Takes waiting looks: the oldest one of each host that had no request since `hostsBefore`. */
export const takeLooks = (
  tx: Tx,
  at: Date,
  { hostsBefore, limit }: { hostsBefore: Date; limit: number },
): Promise<Look[]> =>
  all<Look>(
    tx,
    sql`update x402_looks l set looked_at = ${at}
      where l.looked_at is null and l.url in (
        select url from (
          select distinct on (w.host) w.url, w.asked_at from x402_looks w
          where w.looked_at is null and not exists (
            select from x402_looks h where h.host = w.host and h.looked_at > ${hostsBefore})
          order by w.host, w.asked_at) first
        order by first.asked_at limit ${limit})
      returning l.url, l.host, l.method, l.wallet_address, l.pay_to`,
  )

/** Puts a look that was taken back. */
export const reopenLook = (tx: Tx, url: string): Promise<number> =>
  run(tx, sql`update x402_looks set looked_at = null where url = ${url}`)

export const hasLooks = async (on: Reader): Promise<boolean> =>
  (await one(on, sql`select 1 from x402_looks where looked_at is null limit 1`)) !== undefined

/** Deletes looks that were made before this time, and those that have waited for a day longer. */
export const deleteOldLooks = (tx: Tx, before: Date): Promise<number> =>
  run(
    tx,
    sql`delete from x402_looks where looked_at < ${before} or asked_at < ${before}::timestamptz - interval '1 day'`,
  )

/** Notes listings again that no look has changed since `before`. */
export const askStaleAgain = (
  tx: Tx,
  at: Date,
  { before, limit }: { before: Date; limit: number },
): Promise<number> =>
  run(
    tx,
    sql`insert into x402_looks (url, host, method, wallet_address, pay_to, asked_at)
      select url, split_part(url, '/', 3), method, wallet_address, pay_to, ${at}::timestamptz from x402_resources
      where updated_at < ${before} order by updated_at limit ${limit} on conflict (url) do nothing`,
  )

/** Stores a listing. The settlements of one wallet list at most `limit` resources. */
export async function saveListing(
  tx: Tx,
  at: Date,
  { look, listing, limit }: { look: Look; listing: Listing; limit: number },
): Promise<void> {
  await sql`delete from x402_resources where url = ${look.url} and resource <> ${listing.resource}`.execute(
    tx,
  )
  await sql`insert into x402_resources (resource, url, method, pay_to, wallet_address, type, x402_version, accepts, shown,
        updated_at)
      select ${listing.resource}, ${look.url}, ${look.method}, ${look.payTo}, ${look.walletAddress}, ${listing.type}, 2,
        ${json(listing.accepts)}, ${json(listing.shown)}, ${at}::timestamptz
      where (select count(*) from x402_resources where wallet_address = ${look.walletAddress}
        and resource <> ${listing.resource}) < ${limit}
      on conflict (resource) do update set url = excluded.url, method = excluded.method, pay_to = excluded.pay_to,
        type = excluded.type, accepts = excluded.accepts, shown = excluded.shown, updated_at = excluded.updated_at,
        failures = 0`.execute(tx)
}

/** Removes the listing of the URL. */
export const deleteListing = (tx: Tx, url: string): Promise<number> =>
  run(tx, sql`delete from x402_resources where url = ${url}`)

/** Counts a failed request to the URL. Removes its listing after `most` failures in a row. */
export async function failListing(
  tx: Tx,
  at: Date,
  { url, most }: { url: string; most: number },
): Promise<void> {
  await sql`update x402_resources set failures = failures + 1, updated_at = ${at} where url = ${url}`.execute(
    tx,
  )
  await sql`delete from x402_resources where url = ${url} and failures >= ${most}`.execute(tx)
}
