import { chmod, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  expectGreen,
  livedPlace,
  MADE_UNRELEASED,
  place,
  query,
  run,
  start,
  stopPrograms,
} from '../../../../test/actors/program.ts'
import { ownPort } from '../../../../test/run/own-port.ts'
import { until } from '../../../../test/until.ts'
import { testChain } from '../../../../test/world/chain.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import type { DevFile } from './dev-file.ts'

async function balanceOf({ base_url, demo }: DevFile): Promise<number> {
  const answer = await fetch(`${base_url}/api/balance`, {
    headers: { authorization: `Bearer ${demo.api_key}` },
  })
  const body = (await answer.json()) as any
  return body.balances[0].available
}

afterEach(stopPrograms)

test('the first start is ready with a funded demo wallet, and a second one finds the same money', async () => {
  const env = await place()
  const { program, dev } = await start(env)
  expect(program.out).toContain(`API          http://127.0.0.1:${env.PORT}`)
  expect(program.out).toContain('1000 USDC on chain, 1000 USDC of treasury balance')
  expect(program.out).toContain('npx purser demo')
  expect(program.complaint).toBe('')
  for (const path of ['/healthz', '/readyz'])
    expect((await fetch(dev.base_url + path)).status).toBe(200)

  // Figures and arrivals do not wait for the next minute.
  const loops = `select key from graphile_worker.jobs where key in ('stats_follow', 'watch_chain')`
  await until(
    () => query(dev.database_url, loops),
    (seen) => expect(seen).toHaveLength(2),
  )

  const modeOf = async (name: string) => (await stat(join(env.PURSER_DATA_DIR, name))).mode & 0o777
  expect(await modeOf('.')).toBe(0o700)
  for (const name of ['dev.json', 'keys.json', 'purser.log', 'service.lock'])
    expect(await modeOf(name)).toBe(0o600)
  expect(dev).toEqual({
    base_url: `http://127.0.0.1:${env.PORT}`,
    network: 'eip155:84532',
    chain_id: 84532,
    rpc_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    database_url: expect.stringMatching(/^postgres:\/\/.+@127\.0\.0\.1:\d+\/postgres$/),
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    treasury: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    operator: dev.treasury,
    demo: {
      wallet_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      private_key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      api_key: expect.stringMatching(/^purser_test_/),
    },
    pid: program.child.pid,
  })
  expect(await balanceOf(dev)).toBe(1000)
  const [deposit] = await query(dev.database_url, 'select amount, tx_hash from deposits')
  expect(deposit.amount).toBe('1000000000')

  expect([await program.stop('SIGTERM'), program.complaint]).toEqual([0, ''])
  expect(program.out).toContain('Stopped')
  const again = await start(env)
  expect(again.dev.demo).toEqual(dev.demo)
  expect(again.dev.treasury).toBe(dev.treasury)
  expect(await balanceOf(again.dev)).toBe(1000)
  const deposits = await query(again.dev.database_url, 'select id from deposits')
  expect(deposits).toHaveLength(1)

  // A demo key that no longer works is replaced.
  await fetch(`${dev.base_url}/api/keys/${await hashOf(again.dev)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${dev.demo.api_key}` },
  })
  await again.program.stop()
  const third = await start(env)
  expect(third.dev.demo.api_key).not.toBe(dev.demo.api_key)
  expect(await balanceOf(third.dev)).toBe(1000)
})

async function hashOf({ base_url, demo }: DevFile): Promise<string> {
  const answer = await fetch(`${base_url}/api/keys`, {
    headers: { authorization: `Bearer ${demo.api_key}` },
  })
  return ((await answer.json()) as any).keys[0].key_hash
}

test('a service that was killed starts again with its money, and a lost part ends it with a sentence', async () => {
  const env = await livedPlace()
  const { program, dev } = await start(env)
  await program.stop('SIGKILL')
  const again = await start(env)
  expect(await balanceOf(again.dev)).toBe(1000)
  expect(again.dev.demo).toEqual(dev.demo)
  const verify = run(['verify'], env)
  expect(await verify.exited).toBe(0)

  const [{ pid }] = await query(
    again.dev.database_url,
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::integer as pid`,
  )
  process.kill(pid, 'SIGKILL')
  expect(await again.program.exited).toBe(1)
  expect(again.program.complaint).toContain('The embedded PostgreSQL has ended')
  expect(again.program.complaint).not.toMatch(/^\s+at /m)
})

test('verify and doctor are green without the service', async () => {
  const nothing = run(['verify'], await place())
  expect(await nothing.exited).toBe(1)
  expect(nothing.complaint).toContain('There is no data folder')
  await expectGreen(await livedPlace())
})

test('what cannot work is refused in one sentence before anything starts', async () => {
  const env = await place()
  const refusals: [Record<string, string>, RegExp][] = [
    [
      { DATABASE_URL: 'postgres://u@nowhere.invalid/purser' },
      /^The database at nowhere\.invalid cannot be found: .*\.$/,
    ],
    [
      { DATABASE_URL: `postgres://u@127.0.0.1:${await ownPort()}/x` },
      /^The database at 127\.0\.0\.1:\d+ refuses connections: .*\.$/,
    ],
    [
      { PORT: '0', PURSER_LOG_LEVEL: 'x' },
      /^The configuration is not right:\n {2}PORT .*\n {2}PURSER_LOG_LEVEL .*$/,
    ],
    [
      { PURSER_OPERATOR_KEY: 'file:/nowhere/key' },
      /^PURSER_OPERATOR_KEY: The file \/nowhere\/key does not exist: .*\.$/,
    ],
    [
      { PURSER_OPERATOR_KEY: 'aws-kms:alias/treasury' },
      /^PURSER_OPERATOR_KEY: Say the region of the AWS KMS key, .*\.$/,
    ],
  ]
  for (const [more, sentence] of refusals) {
    const program = run(['start'], { ...env, ...more })
    expect(await program.exited).toBe(1)
    expect(program.complaint).toMatch(sentence)
  }
  expect(await run(['sing'], env).exited).toBe(2)
  const help = run(['--help'], env)
  expect([await help.exited, help.err]).toEqual([0, ''])
  expect(help.out).toContain('Usage: main.ts')
})

test('a folder that others may look into, and lost keys, are refused', async () => {
  const env = await livedPlace()
  await chmod(env.PURSER_DATA_DIR, 0o755)
  const open = run([], env)
  expect(await open.exited).toBe(1)
  expect(open.complaint).toContain('run chmod 700')
  await chmod(env.PURSER_DATA_DIR, 0o700)

  await rm(join(env.PURSER_DATA_DIR, 'chain'), { recursive: true })
  const torn = run([], env)
  expect(await torn.exited).toBe(1)
  expect(torn.complaint).toMatch(/^The database belongs to another chain .*\.$/)

  await rm(join(env.PURSER_DATA_DIR, 'keys.json'))
  const lost = run([], env)
  expect(await lost.exited).toBe(1)
  expect(lost.complaint).toContain('restore that file from a backup')
})

test('with a database and an RPC of its own it needs no folder, and refuses another chain', async () => {
  const database = await freshDatabase()
  const { rpcUrl } = testChain()
  const env = {
    ...(await place()),
    DATABASE_URL: database.url,
    PURSER_RPC_URL: rpcUrl,
    PURSER_OPERATOR_KEY: randomHex(32),
    PURSER_RELAYER_KEYS: randomHex(32),
    PURSER_SECRET: randomHex(32).slice(2),
  }
  try {
    const wrong = run([], { ...env, PURSER_NETWORK: 'eip155:8453' })
    expect(await wrong.exited).toBe(1)
    expect(wrong.complaint).toContain('PURSER_RPC_URL answers as chain eip155:84532')

    const program = run([], env)
    await program.says('"msg":"ready"')
    const base = `http://127.0.0.1:${env.PORT}`
    await until(
      async () => (await fetch(`${base}/readyz`)).status,
      (seen) => expect(seen).toBe(200),
    )
    await program.says('has no gas')
    expect([await program.stop(), program.complaint]).toEqual([0, ''])
    for (const line of program.out.trim().split('\n')) JSON.parse(line)
    await expect(stat(env.PURSER_DATA_DIR)).rejects.toThrow('ENOENT')

    await query(database.url, `update chain_identity set identity = 'genesis 0x00'`)
    const moved = run([], env)
    expect(await moved.exited).toBe(1)
    expect(moved.complaint).toMatch(/^The database belongs to another chain .*\.$/)

    await query(database.url, MADE_UNRELEASED)
    const old = run([], env)
    expect(await old.exited).toBe(1)
    expect(old.complaint).toMatch(
      /^The database was made by an unreleased .*: create a new database and set DATABASE_URL to it\.$/,
    )
  } finally {
    await database.drop()
  }
})

test('a port that is taken is found before anything is started', async () => {
  const env = await place()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(Number(env.PORT), '127.0.0.1', resolve))
  const program = run([], env)
  expect(await program.exited).toBe(1)
  await expect(stat(env.PURSER_DATA_DIR)).rejects.toThrow('ENOENT')
  await new Promise((resolve) => server.close(resolve))
})
