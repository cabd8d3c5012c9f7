import { afterEach, expect, test } from 'vitest'
import { eventsOf } from '../../../../../test/events-of.ts'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../../test/world.ts'
import { all, sql } from '../../../../base/db/sql.ts'
import { amount } from '../../../../base/kernel/money.ts'
import { readAssetBalance } from '../../../../chain/client/reads.ts'
import { decidePayouts } from '../../../../run/operate/commands/payouts/decide.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

const usdc = (whole: number) => amount(BigInt(whole) * 1_000_000n)

async function watched(walletCap: number | null = null): Promise<World> {
  const cap = walletCap === null ? null : usdc(walletCap)
  const payouts = { walletCap: cap, treasuryCap: null, addressDelay: null, approvalAbove: usdc(10) }
  const w = await world({ settings: { payouts } })
  stack.defer(() => w[Symbol.asyncDispose]())
  await w.withGas()
  return w
}

async function asked(user: User, value: number, more: { to_address?: string; key?: string } = {}) {
  const { key, ...to } = more
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const reply = await user.post('/api/withdraw', { amount: value, ...to }, { headers })
  expect([reply.status, reply.body.status], reply.text).toEqual([200, 'PROCESSING'])
  return reply.body.withdrawal_id as string
}

const shown = async (user: User, id: string) =>
  (await user.get(`/api/withdrawals?id=${id}`)).body.withdrawals[0]
const available = async (user: User): Promise<number> =>
  (await user.get('/api/balance')).body.balances[0].available
const decide = ({ services, now }: World, verb: string, id: string) =>
  decidePayouts(services, now(), { words: [verb, id], note: 'asked by telephone' })
const untilEnded = (w: World, user: User, id: string) =>
  w.workUntil(
    () => shown(user, id),
    (row) => row.status !== 'PROCESSING',
  )
const actsOn = (w: World, subject: string) =>
  all<{ act: string; note: string }>(
    w.db.reader,
    sql`select act, note from audit_acts where subject = ${subject}`,
  )

test('a withdrawal above the amount waits with its money held, and is paid once an operator approves it', async () => {
  const w = await watched()
  const user = await w.user({ treasury: 100 })
  const below = await asked(user, 10)
  const id = await asked(user, 20)
  expect(await available(user)).toBe(70)
  const row = await shown(user, id)
  expect(row).toMatchObject({
    status: 'PROCESSING',
    amount: 20,
    reason: expect.stringMatching(/approved/),
  })
  expect(
    (await user.get('/api/withdrawals')).body.withdrawals.map((one: { id: string }) => one.id),
  ).toEqual([id, below])
  await untilEnded(w, user, below)
  await w.advance(2 * 86_400)
  await w.runJobs()
  expect(await shown(user, id)).toEqual(row)
  expect(await w.faults()).toEqual([])
  expect(await decidePayouts(w.services, w.now(), { words: ['list'], note: '' })).toMatchObject([
    { id, state: 'pending' },
  ])

  expect((await w.call('GET', '/metrics')).text).toMatch(/^purser_withdrawals_waiting(\{.*\})? 1$/m)

  expect(await decide(w, 'approve', id)).toEqual([])
  expect(await w.faults()).toEqual([])
  const { tx_hash, ...paid } = await untilEnded(w, user, id)
  expect(paid).toMatchObject({ status: 'COMPLETED', net_amount: 19.95, reason: null })
  expect(await w.lastTransferTo(user.account.address)).toBe(tx_hash)
  expect(await readAssetBalance(w.chain, user.account.address)).toBe(29_900_000n)
  const events = await eventsOf(w.db.reader, id)
  expect(events.map(({ type }) => type)).toEqual(['withdrawal.processing', 'withdrawal.completed'])
  expect(await actsOn(w, id)).toEqual([{ act: 'withdrawal.approved', note: 'asked by telephone' }])
  expect(await w.faults()).toEqual([])
})

test('one that is rejected gives all its money back, and cannot be approved any more', async () => {
  const w = await watched()
  const user = await w.user({ treasury: 100 })
  const id = await asked(user, 50)
  await decide(w, 'reject', id)
  expect(await available(user)).toBe(100)
  expect(await shown(user, id)).toMatchObject({ status: 'FAILED', amount: 50, tx_hash: null })
  await expect(decide(w, 'approve', id)).rejects.toThrow(/is rejected/)
  await w.runJobs()
  expect(await shown(user, id)).toMatchObject({ status: 'FAILED' })
  const events = await eventsOf(w.db.reader, id)
  expect(events.map(({ type }) => type)).toEqual(['withdrawal.processing', 'withdrawal.failed'])
  expect(await actsOn(w, id)).toHaveLength(1)
  expect(await w.faults()).toEqual([])
})

test('of decisions at once one is made, and one approval pays once', async () => {
  const w = await watched()
  const user = await w.user({ treasury: 100 })
  await using beside = await w.machine()
  for (const verbs of [
    ['approve', 'approve'],
    ['approve', 'reject'],
    ['reject', 'approve'],
  ]) {
    const to_address = (await freshAccount()).address
    const id = await asked(user, 20, { to_address })
    const decided = await Promise.allSettled(
      [...verbs, ...verbs].map((verb, i) => decide(i % 2 ? beside : w, verb, id)),
    )
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await Promise.all([w.runJobs(), beside.runJobs()])
    const { status } = await untilEnded(w, user, id)
    expect(await readAssetBalance(w.chain, to_address)).toBe(status === 'FAILED' ? 0n : 19_950_000n)
    expect(await actsOn(w, id)).toHaveLength(1)
  }
  expect(await w.faults()).toEqual([])
})

test('what waits counts for the cap, and the same key asks once', async () => {
  const w = await watched(30)
  const user = await w.user({ treasury: 100 })
  const id = await asked(user, 25, { key: 'rent' })
  expect(await asked(user, 25, { key: 'rent' })).toBe(id)
  const over = await user.post('/api/withdraw', { amount: 6 })
  expect(over.body.code).toBe('payout_cap_reached')
  await decide(w, 'reject', id)
  await asked(user, 6)
  expect(await available(user)).toBe(94)
})

test('after a restore from before the approval the payout is taken into the books, and not made again', async () => {
  const w = await watched()
  const user = await w.user({ treasury: 100 })
  const to_address = (await freshAccount()).address
  const id = await asked(user, 20, { to_address })
  const backup = await w.backup()
  await decide(w, 'approve', id)
  await untilEnded(w, user, id)
  const restored = await backup.restore()
  stack.defer(() => restored[Symbol.asyncDispose]())
  await expect(decide(restored, 'reject', id)).rejects.toThrow(/already paid/)
  await decide(restored, 'approve', id)
  expect(await untilEnded(restored, restored.as(user), id)).toMatchObject({ status: 'COMPLETED' })
  expect(await readAssetBalance(w.chain, to_address)).toBe(19_950_000n)
  expect(await restored.faults()).toEqual([])
})

test('the database lets a request be decided once, and only as its money moves', async () => {
  const w = await watched()
  const user = await w.user({ treasury: 100 })
  const id = await asked(user, 20)
  const set = (change: ReturnType<typeof sql>) =>
    w.db.write((tx) =>
      sql`update withdrawal_requests set ${change} where id = ${id}`
        .execute(tx)
        .then(() => undefined),
    )
  await expect(set(sql`state = 'rejected', note = 'x', decided_at = now()`)).rejects.toThrow(
    /has not moved/,
  )
  await expect(set(sql`state = 'begun', note = 'x', decided_at = now()`)).rejects.toThrow(
    /decided once/,
  )
  await expect(set(sql`amount = 1`)).rejects.toThrow(/decided once/)
  await decide(w, 'reject', id)
  await expect(set(sql`state = 'approved'`)).rejects.toThrow(/decided once/)
})
