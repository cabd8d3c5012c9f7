import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { place, query, run, stopPrograms } from '../../../../test/actors/program.ts'
import { testChain } from '../../../../test/world/chain.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'

afterAll(stopPrograms)

const ROLES = new URL('../../../../../../deploy/postgres/roles.sql', import.meta.url)

/** An empty database with the two roles of `deploy/postgres/roles.sql`, under names of their own: roles are the server's. */
async function databaseOfTwoRoles() {
  const admin = inject('postgresUrl')
  const mark = randomHex(5).slice(2)
  const name = `roles_${mark}`
  await query(admin, `create database ${name}`)
  const as = (user: string, password: string) => {
    const url = new URL(admin)
    Object.assign(url, { username: user, password, pathname: `/${name}` })
    return url.href
  }
  const { username, password } = new URL(admin)
  const own = as(username, password)
  const text = (await readFile(ROLES, 'utf8'))
    .replaceAll('purser_owner', `owner_${mark}`)
    .replaceAll(/\bpurser\b(?! verify)/g, `rows_${mark}`)
  await query(own, text)
  await query(own, `alter role owner_${mark} password 'o'; alter role rows_${mark} password 'r'`)
  return {
    owner: as(`owner_${mark}`, 'o'),
    rows: as(`rows_${mark}`, 'r'),
    async [Symbol.asyncDispose]() {
      await query(admin, `drop database ${name} with (force)`)
      await query(admin, `drop role owner_${mark}; drop role rows_${mark}`)
    },
  }
}

test('a role that only reads and writes rows serves a database that another role has migrated', async () => {
  await using database = await databaseOfTwoRoles()
  try {
    const env = {
      ...(await place()),
      PURSER_MIGRATE: 'never',
      DATABASE_URL: database.rows,
      PURSER_RPC_URL: testChain().rpcUrl,
      PURSER_OPERATOR_KEY: randomHex(32),
      PURSER_RELAYER_KEYS: randomHex(32),
      PURSER_SECRET: randomHex(32).slice(2),
    }
    const early = run([], env)
    expect(await early.exited).toBe(1)
    expect(early.complaint).toMatch(
      /^The database lacks \d+ migrations, the first 001-rules\.sql: run "npx purser migrate" .*\.$/,
    )

    const owner = { ...env, DATABASE_URL: database.owner }
    const dry = run(['migrate', '--dry-run'], owner)
    expect([await dry.exited, dry.complaint]).toEqual([0, ''])
    expect(dry.out).toContain('To be applied: 043-requests.sql')
    const migrated = run(['migrate'], owner)
    expect([await migrated.exited, migrated.complaint]).toEqual([0, ''])
    expect(migrated.out).toContain('Applied: 043-requests.sql')
    const again = run(['migrate', '--dry-run'], owner)
    expect([await again.exited, again.out.trim()]).toEqual([0, '0 to be applied.'])

    const service = run([], env)
    await service.says('"msg":"ready"')
    const ready = await fetch(`http://127.0.0.1:${env.PORT}/readyz`)
    expect(await ready.json()).toMatchObject({ checks: { migrations: { ok: true } } })
    // Its jobs write too: the heartbeat of its queue, and the block that the watcher has read.
    const key = run(['first-key', '0x00000000000000000000000000000000deadbeef'], env)
    expect([await key.exited, key.complaint]).toEqual([0, ''])
    const verify = run(['verify'], env)
    expect([await verify.exited, verify.complaint]).toEqual([0, ''])
    expect(await service.stop()).toBe(0)

    const client = new pg.Client({ connectionString: database.rows })
    await client.connect()
    for (const statement of [
      'alter table cards add column x text',
      'drop table cards',
      'truncate cards',
      'create table x ()',
      'alter table cards disable trigger all',
    ])
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
    await client.end()
  } finally {
    await stopPrograms()
  }
})
