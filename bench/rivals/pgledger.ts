/**
 * pgledger (github.com/pgr0ss/pgledger), a ledger in PL/pgSQL, on the server that the service uses. Its file is not on
 * any registry that a fresh machine reaches, so `--pgledger FILE` names a copy.
 */
import { readFileSync } from 'node:fs'
import { openPool } from '../../packages/service/src/base/db/sql.ts'

const DATABASE = 'purser_bench_pgledger'
const PAYERS = 1_000
const SELLERS = 50

export type Pgledger = {
  /** Transfers a second, each call with `size` of them in one transaction. */
  run(of: { clients: number; size: number; seconds: number }): Promise<number>
  close(): Promise<void>
}

/** Its ids are ULIDs, made by a file of another project; the text of a UUID costs less, which favours it. */
const ULID = `create function uuid_to_ulid(id uuid) returns text language sql immutable as 'select id::text'`
const ACCOUNTS = `select a.id from generate_series(1, $1::int) n, pgledger_create_account('account ' || n, 'USD') a`
const TRANSFERS = `select count(*) from pgledger_create_transfers(
  (select array_agg((payer, seller, '0.01')::transfer_request) from unnest($1::text[], $2::text[]) as t (payer, seller)))`

/** Creates the database on the server, and its accounts. */
export async function openPgledger(serverUrl: string, file: string): Promise<Pgledger> {
  const admin = openPool(serverUrl, 1)
  const drop = () => admin.query(`drop database if exists ${DATABASE} with (force)`)
  await drop()
  await admin.query(`create database ${DATABASE}`)
  const url = new URL(serverUrl)
  url.pathname = `/${DATABASE}`
  const pool = openPool(url.href, 1)
  const text = readFileSync(file, 'utf8')
  if (!/function uuid_to_ulid/i.test(text)) await pool.query(ULID)
  await pool.query(text)
  const { rows } = await pool.query<{ id: string }>(ACCOUNTS, [PAYERS + SELLERS])
  await pool.query('vacuum analyze')
  await pool.end()
  const ids = rows.map(({ id }) => id)
  const accounts = { payers: ids.slice(0, PAYERS), sellers: ids.slice(PAYERS) }
  return {
    run: (of) => drive(url.href, accounts, of),
    async close() {
      await drop()
      await admin.end()
    },
  }
}

async function drive(
  url: string,
  { payers, sellers }: { payers: string[]; sellers: string[] },
  { clients, size, seconds }: Parameters<Pgledger['run']>[0],
): Promise<number> {
  const any = (of: string[]) => of[Math.floor(Math.random() * of.length)] as string
  const some = (of: string[]) => Array.from({ length: size }, () => any(of))
  const until = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = openPool(url, 1)
      for (; performance.now() < until; done += size)
        await client.query({
          name: 'transfers',
          text: TRANSFERS,
          values: [some(payers), some(sellers)],
        })
      await client.end()
    }),
  )
  return Math.round(done / seconds)
}
