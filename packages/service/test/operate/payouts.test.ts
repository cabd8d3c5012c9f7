/** docs/operate/payouts.md: a service with the settings of the page, and each command of it by the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { livedPlace, PASSED_ON, start, stopPrograms } from '../actors/program.ts'
import { runAll } from '../pages/pages.ts'
import { until } from '../until.ts'
import { type Fence, fencesFor, settingsIn } from './fences.ts'

const PAGE = 'payouts.md'
const page = fencesFor('packages/service/test/operate/payouts.test.ts')
const sections = ['A cap on 24 hours', 'Addresses that wait', 'A second pair of eyes'] as const
const fences = sections.flatMap((section) => page.take(PAGE, section))
const settings = Object.assign({}, ...fences.filter(({ kind }) => kind === 'ini').map(settingsIn))

let env: NodeJS.ProcessEnv
let owner: string
/** Asks the service in the name of the wallet. */
let ask: (method: string, path: string, body?: object) => Promise<any>

beforeAll(async () => {
  const place = { ...(await livedPlace()), ...settings }
  const { dev } = await start(place)
  owner = dev.demo.wallet_address
  env = { ...PASSED_ON, ...place, HOME: process.env.HOME, PURSER_API_KEY: dev.demo.api_key }
  ask = async (method, path, body) => {
    const authorization = `Bearer ${dev.demo.api_key}`
    const answer = await fetch(`${dev.base_url}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
})
afterAll(stopPrograms)

/** The commands of a section, one by one: a person looks at what one prints before the next. */
const commandsOf = (section: (typeof sections)[number]): string[] =>
  fences
    .filter((fence) => fence.kind === 'sh' && fence.section === section)
    .flatMap(({ text }) => text.trim().split('\n'))

async function run(commands: string, variables: Record<string, string> = {}): Promise<string> {
  const block = { commands, at: commands, section: '', output: undefined }
  const [printed = ''] = await runAll({ ...env, ...variables }, [block])
  return printed
}

const withdraw = (amount: string, to_address = owner) =>
  ask('POST', '/api/withdraw', { amount, to_address })
const statusOf = async (id: string): Promise<string> =>
  (await ask('GET', `/api/withdrawals?id=${id}`)).withdrawals[0].status
const available = async (): Promise<number> =>
  (await ask('GET', '/api/balance')).balances[0].available

test('a wallet adds an address, waits for its day, and takes it back', async () => {
  const payee = randomHex(20)
  const [add = '', list = '', remove = ''] = commandsOf('Addresses that wait')
  const refused = { code: 'payout_address_not_allowed' }
  expect(await withdraw('1', payee)).toMatchObject({ ...refused, usable_at: null })
  await run(add, { ADDRESS: payee })
  const { usable_at } = await withdraw('1', payee)
  expect(Date.parse(usable_at)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const listed = await run(list)
  expect(listed.toLowerCase()).toContain(payee.toLowerCase())
  const [{ id }] = (await ask('GET', '/api/withdrawals/addresses')).addresses
  expect(listed).toContain(id)
  await run(remove, { ID: id })
  expect(await withdraw('1', payee)).toMatchObject({ ...refused, usable_at: null })
})

test('one withdrawal is approved and paid, one is rejected, and one above the cap is refused', async () => {
  const before = await available()
  const { withdrawal_id: known } = await withdraw('201')
  const { withdrawal_id: unknown } = await withdraw('202')
  expect(await withdraw('203')).toMatchObject({ code: 'payout_cap_reached', cap: 'wallet' })
  const [list = '', approve = '', reject = ''] = commandsOf('A second pair of eyes')
  const listed = await run(list)
  expect(listed.indexOf(known)).toBeLessThan(listed.indexOf(unknown))
  await run(approve, { KNOWN: known })
  await run(reject, { UNKNOWN: unknown })
  await until(
    () => statusOf(known),
    (status) => status === 'COMPLETED',
  )
  expect(await statusOf(unknown)).toBe('FAILED')
  expect(await available()).toBe(before - 201)
})

test('everything is stopped, and goes on when it is released', async () => {
  const [fence] = page.take(PAGE, 'Stop everything') as [Fence]
  const [stop = '', look = '', release = ''] = fence.text.trim().split('\n')
  await run(stop)
  expect(await withdraw('1')).toMatchObject({ code: 'payouts_held' })
  expect(await run(look)).toContain('Payouts are held')
  await run(release)
  const { withdrawal_id } = await withdraw('1')
  await until(
    () => statusOf(withdrawal_id),
    (status) => status === 'COMPLETED',
  )
})

test('no fence of the page was left out', () => expect(page.left()).toEqual([]))
