import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  expectGreen,
  livedPlace,
  MADE_UNRELEASED,
  type Program,
  place,
  query,
  run,
  start,
  stopPrograms,
} from '../../../../test/actors/program.ts'
import { ownPort } from '../../../../test/run/own-port.ts'
import { isAlive } from '../../embedded/child.ts'
import type { DevFile } from './dev-file.ts'

// These tests share one running service, and keep this order: the last ones leave it broken.
let env: Awaited<ReturnType<typeof livedPlace>>
let program: Program
let dev: DevFile
beforeAll(async () => {
  env = await livedPlace()
  const started = await start(env)
  program = started.program
  dev = started.dev
})
afterAll(stopPrograms)

test('verify and doctor are green beside the running service', () => expectGreen(env))

test('doctor names the port of the service that runs, not its own', async () => {
  const doctor = run(['doctor', '--json'], { ...env, PORT: String(await ownPort()) })
  expect(await doctor.exited).toBe(0)
  const { checks } = JSON.parse(doctor.out) as { checks: { check: string; sentence: string }[] }
  const said = (name: string) => checks.find(({ check }) => check === name)?.sentence
  expect(said('configuration')).toContain(dev.base_url)
  expect(said('service')).toContain(`its public address is ${dev.base_url}.`)
  expect(said('identity_names')).toBeUndefined()
})

test('a second service in the same folder, and on the same port, gets one sentence', async () => {
  const second = run(['start'], { ...env, PORT: String(await ownPort()) })
  expect(await second.exited).toBe(1)
  expect(second.complaint).toContain(`is in use by the service that runs as process ${dev.pid}`)

  const other = await place()
  const third = run(['start'], { ...other, PORT: env.PORT })
  expect(await third.exited).toBe(1)
  expect(third.complaint).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use by another program.*\.$/)
  expect(isAlive(program.child.pid ?? 0)).toBe(true)
  expect((await fetch(`${dev.base_url}/healthz`)).status).toBe(200)
})

test('verify is red when the chain holds less than the books owe', async () => {
  const slot = `0x${'0'.repeat(64)}`
  const rpc = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(dev.rpc_url, { method: 'POST', headers, body })
    return ((await answer.json()) as any).result
  }
  // The treasury sends one USDC away, as a thief with its key would.
  await rpc('anvil_impersonateAccount', [dev.treasury])
  await rpc('anvil_setBalance', [dev.treasury, '0xde0b6b3a7640000'])
  const to = `${slot.slice(2, 26)}${'dead'.repeat(10)}`
  const value = (1_000_000).toString(16).padStart(64, '0')
  await rpc('eth_sendTransaction', [
    { from: dev.treasury, to: dev.usdc, data: `0xa9059cbb${to}${value}` },
  ])
  await rpc('evm_mine', [])
  // The newest block is never compared, only one that has a successor.
  await rpc('evm_mine', [])
  const red = run(['verify'], env)
  expect(await red.exited).toBe(1)
  expect(red.complaint).toContain('1 USDC are missing')
  const alarms = run(['alarms', '--json'], env)
  expect(await alarms.exited).toBe(0)
  expect(JSON.parse(alarms.out)).toHaveProperty('alarms')
  const none = run(['alarms', 'ack', 'alm_none', '--note', 'seen'], env)
  expect(await none.exited).toBe(1)
  expect(none.complaint).toContain('There is no alarm alm_none')
})

test('verify names an altered row', async () => {
  const [{ id }] = await query(dev.database_url, 'select id from ledger_transfers')
  await query(
    dev.database_url,
    `set session_replication_role = replica;
     update ledger_transfer_rows set ref = ref || 'x' where id = '${id}'`,
  )
  const red = run(['verify'], env)
  expect(await red.exited).toBe(1)
  expect(red.out).toContain(`transfer ${id} was altered`)
  expect(red.complaint).toMatch(new RegExp(`^hash_chain: .*transfer ${id} was altered$`))
})

test('a database of an unreleased version is refused in one sentence, at start and by doctor', async () => {
  await query(dev.database_url, MADE_UNRELEASED)
  await program.stop()
  const sentence =
    'The database was made by an unreleased version of Purser, older than all in docs/versioning.md, and no version can migrate it: ' +
    `move ${env.PURSER_DATA_DIR} away, or set PURSER_DATA_DIR to a new folder.`
  const refused = run([], env)
  expect(await refused.exited).toBe(1)
  expect(refused.complaint).toBe(sentence)
  const doctor = run(['doctor', '--json'], env)
  expect(await doctor.exited).toBe(1)
  const { checks } = JSON.parse(doctor.out) as { checks: { check: string }[] }
  expect(checks).toContainEqual({ check: 'migrations', status: 'fail', sentence })
})
