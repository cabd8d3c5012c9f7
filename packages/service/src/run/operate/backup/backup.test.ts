import { copyFile, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import {
  livedPlace,
  place,
  query,
  run,
  start,
  stopPrograms,
} from '../../../../test/actors/program.ts'
import { Secret } from '../../../base/kernel/secrets.ts'
import { findPostgres } from '../../embedded/postgres/postgres.ts'
import { postgresDir } from '../data-dir.ts'
import { checkWhole } from './format.ts'

afterAll(stopPrograms)

/** A running service with a card, and a backup of it that was made while it ran. */
async function stage() {
  const env = await livedPlace()
  const { program, dev } = await start(env)
  const file = join(await mkdtemp(join(tmpdir(), 'purser-backup-')), 'one.backup')
  const call = async (path: string, body?: object) => {
    const answer = await fetch(dev.base_url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${dev.demo.api_key}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as any
  }
  const issue = async (purpose: string) =>
    (await call('/api/issue', { purpose, limit_amount: '1.000001' })).card.id as string
  return { env, program, file, call, issue }
}

const ask = async (args: string[], env: Record<string, string>) => {
  const ran = run(args, env)
  const code = await ran.exited
  return { code, out: ran.out, error: ran.complaint }
}

/** Tables in which each backup and restore leaves a row. */
const ACTS = /audit_acts|seal/

/** The rows and tables of a backup, without what tells of backups. */
async function rowsOf(file: string): Promise<string[]> {
  const lines = gunzipSync(await readFile(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .slice(1, -1)
  let isAct = false
  const kept = lines.filter((line) => {
    if (line.startsWith('{"table"')) isAct = ACTS.test(line)
    return !isAct || line.startsWith('{"sequences"')
  })
  return kept.map((line) => line.replace(/"seal_queue_seq_seq":"\d+",?/, ''))
}

const actsOf = async (env: { PURSER_DATA_DIR: string }) => {
  const rows = await query(
    await findPostgres(postgresDir(env.PURSER_DATA_DIR)),
    `select act, subject from audit_acts where way = 'command' order by created_at, id`,
  )
  return rows.map(({ act, subject }) => [act, subject])
}

const CONSTRAINTS = `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as text
  from pg_constraint where connamespace::regnamespace::text in ('public', 'graphile_worker') order by 1`

const constraints = async (env: { PURSER_DATA_DIR: string }) =>
  query(await findPostgres(postgresDir(env.PURSER_DATA_DIR)), CONSTRAINTS)

const FLIPS = 24
const OTHER_KEYS = {
  PURSER_SECRET: 'ab'.repeat(32),
  PURSER_OPERATOR_KEY: `0x${'11'.repeat(32)}`,
  PURSER_RELAYER_KEYS: `0x${'22'.repeat(32)}`,
}

test('a backup of a running service is restored to the last row, and no other file is', async () => {
  const { env, program, file, call, issue } = await stage()
  const known = await issue('before')
  const made = await ask(['backup', file, '--json'], env)
  expect(made).toMatchObject({ code: 0, error: '' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const again = await ask(['backup', file], env)
  expect(again).toMatchObject({ code: 1, error: `${file} cannot be written: it exists already.` })
  const checked = await ask(['backup', 'verify', file, '--json'], env)
  expect(JSON.parse(checked.out)).toMatchObject({
    rows: JSON.parse(made.out).rows,
    is_of_this_version: true,
  })
  const lost = await issue('after')

  const running = await ask(['restore', file, '--replace'], env)
  expect(running).toMatchObject({ code: 1, error: 'The service runs: stop it first.' })
  const before = await constraints(env)
  await program.stop()
  const used = await ask(['restore', file], env)
  expect(used.error).toBe('The database is in use already: add --replace to move it away.')

  const { secret } = JSON.parse(await readFile(join(env.PURSER_DATA_DIR, 'keys.json'), 'utf8'))
  const bytes = await readFile(file)
  const broken = join(file, '..', 'broken')
  for (let i = 0; i < FLIPS; i++) {
    const changed = Buffer.from(bytes)
    // The first ten bytes are the head of gzip, with a time that nobody reads.
    const at = 10 + Math.floor((i / FLIPS) * (bytes.length - 10))
    changed[at] = (changed[at] ?? 0) ^ (1 << (i % 8))
    await writeFile(broken, changed)
    await expect(
      checkWhole({ path: broken, keys: [] }, new Secret(secret)),
      `byte ${at}`,
    ).rejects.toThrow(' is damaged ')
  }
  const repacked = gzipSync(gunzipSync(bytes).toString('utf8').replace('1000001', '9000001'))
  for (const changed of [bytes.subarray(0, bytes.length / 2), repacked]) {
    await writeFile(broken, changed)
    const refused = await ask(['restore', broken, '--replace'], env)
    expect(refused.code).toBe(1)
    expect(refused.error).toBe(`${broken} is damaged or was changed.`)
  }
  const stranger = await ask(['restore', file, '--replace'], { ...env, ...OTHER_KEYS })
  expect(stranger.error).toMatch(/ is a backup of a service with another secret: /)
  const restored = await ask(['restore', file, '--replace', '--json'], env)
  expect(restored).toMatchObject({ code: 0, error: '' })
  expect(JSON.parse(restored.out).rows).toBe(JSON.parse(made.out).rows)
  const second = join(file, '..', 'second.backup')
  expect(await ask(['backup', second], env)).toMatchObject({ code: 0, error: '' })
  expect(await rowsOf(second)).toEqual(await rowsOf(file))

  const { program: next } = await start(env)
  expect((await call(`/api/cards/${known}`)).card.limit_amount).toBe(1.000001)
  expect((await call(`/api/cards/${lost}`)).code).toBe('not_found')
  await issue('goes on')
  expect(await constraints(env)).toEqual(before)
  const verified = await ask(['verify', '--json'], env)
  expect(JSON.parse(verified.out)).toMatchObject({ ok: true, faults: [] })
  // The backup that was restored holds the act that made it, and nothing of after.
  expect(await actsOf(env)).toEqual([
    ['backup.begun', file],
    ['database.restored', file],
    ['sales.searched', JSON.parse(made.out).made_at],
    ['backup.begun', second],
  ])
  await next.stop()
})

test('a backup is restored on another machine, with the keys and the chain', async () => {
  const { env, program, file, call, issue } = await stage()
  const card = await issue('moves')
  expect(await ask(['backup', file], env)).toMatchObject({ code: 0, error: '' })
  await program.stop()
  const there = await place()
  expect((await ask(['restore', file], there)).error).toMatch(/^A backup holds no keys: /)
  await mkdir(there.PURSER_DATA_DIR, { mode: 0o700 })
  const keys = (dir: string) => join(dir, 'keys.json')
  await copyFile(keys(env.PURSER_DATA_DIR), keys(there.PURSER_DATA_DIR))
  expect(await ask(['restore', file], there)).toMatchObject({ code: 0, error: '' })
  // The port as before, for the caller.
  const next = await start({ ...there, PORT: env.PORT })
  expect((await call(`/api/cards/${card}`)).card.status).toBe('ACTIVE')
  expect((await ask(['verify'], there)).code).toBe(0)
  await next.program.stop()
})
