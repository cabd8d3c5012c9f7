import pg from 'pg'
import { inject } from 'vitest'
import { randomHex } from '../src/kernel/secrets.ts'

/** A migrated, empty database of the caller's own. `drop` ends whatever is still connected to it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const adminUrl = inject('postgresUrl')
  const name = `test_${randomHex(8).slice(2)}`
  // Copying the files takes a third of the time that copying through the write-ahead log does.
  await administer(
    adminUrl,
    `create database ${name} template ${inject('templateDatabase')} strategy file_copy`,
  )
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => administer(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
