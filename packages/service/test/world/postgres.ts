import pg from 'pg'
import { inject } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'

export type Database = { url: string; drop(): Promise<void> }

/**
 * The same database through the server's socket: a short query takes half of the CPU time that it takes over TCP, here
 * and in the server (33 of 65 µs).
 */
export function viaSocket(url: string): string {
  const local = new URL(url)
  local.searchParams.set('host', inject('postgresSocket'))
  return local.href
}

/** A migrated, empty database for the caller alone. `drop` ends all open connections to it. */
export const freshDatabase = (): Promise<Database> => newDatabase(inject('templateDatabase'))

/** A database without any table. */
export const emptyDatabase = (): Promise<Database> => newDatabase('template0')

/** A copy of a database as it is now. PostgreSQL copies only an unused database, so its connections are ended. */
export async function copyDatabase(url: string): Promise<Database> {
  const adminUrl = inject('postgresUrl')
  const name = new URL(url).pathname.slice(1)
  await administer(adminUrl, `alter database ${name} with allow_connections false`)
  try {
    await administer(
      adminUrl,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    )
    return await newDatabase(name)
  } finally {
    await administer(adminUrl, `alter database ${name} with allow_connections true`)
  }
}

async function newDatabase(template: string): Promise<Database> {
  const adminUrl = inject('postgresUrl')
  const name = `test_${randomHex(8).slice(2)}`
  // Copying the files takes a third of the time of copying through the write-ahead log.
  await administer(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** Changes a database by itself, for sessions that begin later: `set default_transaction_read_only = on`, `connection limit 5`. */
export const alterDatabase = (url: string, what: string): Promise<void> =>
  administer(inject('postgresUrl'), `alter database ${new URL(url).pathname.slice(1)} ${what}`)

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: viaSocket(url) })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
