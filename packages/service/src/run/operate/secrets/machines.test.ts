import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type Program, place, query, run, stopPrograms } from '../../../../test/actors/program.ts'
import { ownPort } from '../../../../test/run/own-port.ts'
import { until } from '../../../../test/until.ts'
import { testChain } from '../../../../test/world/chain.ts'
import { freshDatabase } from '../../../../test/world/postgres.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'

afterAll(stopPrograms)

const WALLET = '0x00000000000000000000000000000000deadbeef'

async function openMachines() {
  const stack = new AsyncDisposableStack()
  const database = await freshDatabase()
  stack.defer(database.drop)
  stack.defer(stopPrograms)
  const shared = {
    ...(await place()),
    DATABASE_URL: database.url,
    PURSER_RPC_URL: testChain().rpcUrl,
    PURSER_OPERATOR_KEY: randomHex(32),
    PURSER_RELAYER_KEYS: randomHex(32),
    PUBLIC_URL: 'https://pay.example.com',
    PURSER_EGRESS_ALLOW: '127.0.0.1',
  }
  const ask = async (secrets: string[], ...args: string[]) => {
    const command = run(args, { ...shared, PURSER_SECRET: secrets.join(',') })
    return { code: await command.exited, out: command.out.trim(), fault: command.complaint }
  }
  return {
    url: database.url,
    ask,
    /** The answer of `purser secret` to a program. */
    state: async (secrets: string[]) => JSON.parse((await ask(secrets, 'secret', '--json')).out),
    rotation: (secrets: string[]) =>
      run(['secret', 'rotate'], { ...shared, PURSER_SECRET: secrets.join(',') }),
    async machine(secrets: string[], more: Record<string, string> = {}) {
      const PORT = String(await ownPort())
      const env = { ...shared, ...more, PORT, PURSER_SECRET: secrets.join(',') }
      return { program: run([], env), at: `http://127.0.0.1:${PORT}` }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function ready(machine: { program: Program; at: string }) {
  await machine.program.says('"msg":"ready"')
  return machine
}

/** Asks the machine at this address for a webhook, under this key of idempotency. */
async function register(at: string, key: string, once: string) {
  const answer = await fetch(`${at}/api/webhooks`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      'idempotency-key': once,
    },
    body: JSON.stringify({ url: 'http://127.0.0.1:9/hook' }),
  })
  return { status: answer.status, body: (await answer.json()) as object }
}

/** Holds rows against every writer until it is let go. */
async function holding(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  return { letGo: () => client.end() }
}

/** Whether somebody waits for a lock with a statement like this. */
const isHeldUp = async (url: string, statement: string): Promise<boolean> =>
  (
    await query(
      url,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like '${statement}'`,
    )
  ).length > 0

test('a secret goes from machine to machine, and a rotation that is killed anywhere goes on', async () => {
  await using m = await openMachines()
  const [old, next, third] = [1, 2, 3].map(() => randomHex(32).slice(2)) as [string, string, string]
  const first = await ready(await m.machine([old]))
  const { api_key: key } = JSON.parse((await m.ask([old], 'first-key', WALLET)).out)
  const made = await register(first.at, key, 'one')
  expect(made.status).toBe(200)

  // A machine, or a command, with the new secret alone hears what it would not open.
  const early = await m.machine([next])
  expect(await early.program.exited).toBe(1)
  for (const { fault } of [
    { fault: early.program.complaint },
    await m.ask([next], 'signing-keys', 'rotate'),
    await m.ask([next], 'settings', 'accept'),
    await m.ask([next, third], 'secret', 'rotate'),
  ]) {
    expect(fault).toMatch(
      /^PURSER_SECRET is another one than that of this database, and opens nothing of /,
    )
    expect(fault).toContain('1 secrets of webhooks, 1 stored answers')
    expect(fault).toContain('set PURSER_SECRET=<new>,<old> on every machine')
  }
  // One machine was forgotten.
  const refused = await m.ask([next, old], 'secret', 'rotate')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.fault).toMatch(
    / \(process \d+\) would not open what is sealed by the new secret\./,
  )
  expect(refused.fault).toContain(`(process ${first.program.child.pid})`)
  expect(await m.state([next, old])).toMatchObject({ seals: false, machines: [{ lists: false }] })

  const two = await ready(await m.machine([next, old], { PURSER_PROCESSES: '2' }))
  expect(two.program.out).toContain('does not seal yet: run \\"npx purser secret rotate\\"')
  // The machine that was not started again reads what this one writes now.
  const other = await register(two.at, key, 'two')
  expect(await register(first.at, key, 'two')).toEqual(other)
  await first.program.stop()
  const one = await ready(await m.machine([old, next]))
  const dry = await m.ask([next, old], 'secret', 'rotate', '--dry-run')
  expect(dry.out).toContain('Not sealed by it: ')
  expect(await m.state([next, old])).toMatchObject({ seals: false })

  // Killed before it begins, while it seals anew, and before it ends.
  for (const [table, waits, isBegun] of [
    ['service_settings', 'select value from service_settings % for update', false],
    ['webhooks', 'select from "webhooks" %', true],
    ['replaced_secrets', 'update replaced_secrets %', true],
  ] as const) {
    const held = await holding(m.url, `select from ${table} for update`)
    const rotation = m.rotation([next, old])
    await until(
      () => isHeldUp(m.url, waits),
      (isSo) => isSo,
    )
    await rotation.stop('SIGKILL')
    await held.letGo()
    const replaced = await query(m.url, 'select retired_at from replaced_secrets')
    expect(replaced).toEqual(isBegun ? [{ retired_at: null }] : [])
    const alone = await m.ask([next], 'signing-keys')
    expect(alone.code).toBe(1)
    expect(alone.fault).toMatch(
      isBegun ? /^PURSER_SECRET lacks the secret before/ : /^PURSER_SECRET is another one/,
    )
    for (const { at } of [one, two]) expect(await register(at, key, 'one')).toEqual(made)
  }
  const done = await m.ask([next, old], 'secret', 'rotate')
  expect(done).toMatchObject({ code: 0, fault: '' })
  expect(done.out).toContain('Nothing is left that another one has sealed.')
  expect(done.out).toContain('Set PURSER_SECRET to this secret alone on every machine')
  const fresh = await register(one.at, key, 'three')

  // The new secret alone, beside machines that still list both; then without them.
  const last = await ready(await m.machine([next]))
  for (const [once, answer] of [
    ['one', made],
    ['two', other],
    ['three', fresh],
  ] as const)
    expect(await register(last.at, key, once)).toEqual(answer)
  const late = await register(last.at, key, 'four')
  for (const { at } of [one, two]) expect(await register(at, key, 'four')).toEqual(late)
  for (const { program } of [one, two]) expect(await program.stop()).toBe(0)
  const left = await m.machine([old])
  expect(await left.program.exited).toBe(1)
  expect(left.program.complaint).toMatch(/^PURSER_SECRET was replaced by a new one/)
  // A second rotation that names the first secret in place of the one in use.
  expect((await m.ask([third, old], 'secret', 'rotate')).fault).toMatch(/was replaced by a new one/)
  expect(await m.ask([next], 'verify')).toMatchObject({ code: 0, fault: '' })
  const again = await m.ask([next], 'secret', 'rotate')
  expect(again.fault).toMatch(/^There is no new secret: /)
})
