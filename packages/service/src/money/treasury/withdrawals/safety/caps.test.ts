import { afterEach, expect, test } from 'vitest'
import { endedWithdrawal } from '../../../../../test/actors/tokens/ended-withdrawal.ts'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../../test/world.ts'
import { sql } from '../../../../base/db/sql.ts'
import { amount } from '../../../../base/kernel/money.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

const DAY = 86_400
const usdc = (whole: number) => amount(BigInt(whole) * 1_000_000n)

async function capped(caps: { wallet?: number; treasury?: number }): Promise<World> {
  const { wallet, treasury } = caps
  const w = await world({
    settings: {
      payouts: {
        walletCap: wallet === undefined ? null : usdc(wallet),
        treasuryCap: treasury === undefined ? null : usdc(treasury),
        addressDelay: null,
        approvalAbove: null,
      },
    },
  })
  stack.defer(() => w[Symbol.asyncDispose]())
  return w
}

const withdraw = (user: User, value: number, key?: string) =>
  user.post(
    '/api/withdraw',
    { amount: value },
    { headers: key === undefined ? {} : { 'idempotency-key': key } },
  )
const available = async (user: User): Promise<number> =>
  (await user.get('/api/balance')).body.balances[0].available

test('a wallet takes no more than its cap in 24 hours, and reads when there is room again', async () => {
  const w = await capped({ wallet: 10 })
  const user = await w.user({ treasury: 100 })
  const other = await w.user({ treasury: 100 })
  expect((await withdraw(user, 4)).status).toBe(200)
  await w.advance(3_600)
  expect((await withdraw(user, 6)).status).toBe(200)

  const over = await withdraw(user, 3)
  expect([over.status, over.body]).toMatchObject([
    429,
    { code: 'payout_cap_reached', cap: 'wallet', limit: 10, room_at: expect.any(String) },
  ])
  // The first one makes room for three.
  const wait = (Date.parse(over.body.room_at) - w.now().getTime()) / 1000
  expect(wait).toBeGreaterThan(DAY - 3_600 - 120)
  expect(wait).toBeLessThanOrEqual(DAY - 3_600)
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(DAY - 3_600 - 120)
  const later = await withdraw(user, 9)
  expect(Date.parse(later.body.room_at)).toBeGreaterThan(Date.parse(over.body.room_at))
  const never = await withdraw(user, 11)
  expect([never.status, never.body.code, never.body.room_at]).toEqual([
    429,
    'payout_cap_reached',
    null,
  ])
  expect(await available(user)).toBe(90)
  expect((await withdraw(other, 10)).status).toBe(200)

  await w.advance(wait + 1)
  expect((await withdraw(user, 4)).status).toBe(200)
  expect((await withdraw(user, 1)).body.code).toBe('payout_cap_reached')
  expect(await w.faults()).toEqual([])
})

test('the refusal is not kept: the same key withdraws once there is room', async () => {
  const w = await capped({ wallet: 5 })
  const user = await w.user({ treasury: 20 })
  expect((await withdraw(user, 5, 'first')).status).toBe(200)
  expect((await withdraw(user, 5, 'second')).body.code).toBe('payout_cap_reached')
  await w.advance(DAY + 1)
  expect((await withdraw(user, 5, 'second')).status).toBe(200)
})

test('all wallets share the cap of the treasury, and no answer says what others took', async () => {
  const w = await capped({ treasury: 10 })
  const [first, second] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  expect((await withdraw(first, 7)).status).toBe(200)
  const over = await withdraw(second, 4)
  expect([over.status, over.body]).toMatchObject([
    429,
    { code: 'payout_cap_reached', cap: 'treasury', limit: 10 },
  ])
  expect(over.text).not.toMatch(/\b[37]\b/)
  expect((await withdraw(second, 3)).status).toBe(200)
})

test('of withdrawals at once on two machines only those that fit are taken', async () => {
  for (const caps of [{ treasury: 10 }, { wallet: 10 }]) {
    const w = await capped(caps)
    const user = await w.user({ treasury: 100 })
    await using beside = await w.machine()
    const users = [user, beside.as(user)]
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => withdraw(users[i % 2] as User, 3)),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(statuses.filter((status) => status === 429)).toHaveLength(9)
    expect(await available(user)).toBe(91)
    expect(await w.faults()).toEqual([])
  }
})

test('the database refuses a withdrawal above the caps that it names, and a change of them', async () => {
  const w = await capped({ wallet: 10 })
  const user = await w.user({ treasury: 20 })
  const { withdrawal_id: id } = (await withdraw(user, 6)).body
  const copied = (walletCap: string | null, treasuryCap: string | null) =>
    w.db.write((tx) =>
      sql`insert into withdrawals (id, wallet_address, network, asset, amount, fee, net_amount, from_address, to_address,
          nonce, valid_before, signature, from_block, created_at, wallet_cap, treasury_cap)
        select id || 'x', wallet_address, network, asset, amount, fee, net_amount, from_address, to_address,
          '0x' || md5(id) || md5(id), valid_before, signature, from_block, created_at, ${walletCap}, ${treasuryCap}
        from withdrawals where id = ${id}`.execute(tx),
    )
  await expect(copied('11999999', null)).rejects.toThrow(/above a daily cap/)
  await expect(copied(null, '11999999')).rejects.toThrow(/above a daily cap/)
  await copied('12000000', '12000000')
  const change = (set: ReturnType<typeof sql>) =>
    w.db.write((tx) => sql`update withdrawals set ${set} where id = ${id}`.execute(tx))
  await expect(change(sql`wallet_cap = null`)).rejects.toThrow(/judged by/)
  await expect(change(sql`counted_at = counted_at - interval '2 days'`)).rejects.toThrow(
    /judged by/,
  )
})

test('a payout that the chain made before a backup was restored is taken into the books above the cap, and counts', async () => {
  const w = await capped({ wallet: 10 })
  await w.withGas()
  const user = await w.user({ treasury: 100 })
  const to_address = (await freshAccount()).address
  const backup = await w.backup()
  const send = (by: User) =>
    by.post('/api/withdraw', { amount: 8, to_address }, { headers: { 'idempotency-key': 'rent' } })
  const made = await send(user)
  expect(made.status, made.text).toBe(200)
  await endedWithdrawal(w, user, made.body.withdrawal_id)
  const restored = await backup.restore({
    settings: {
      payouts: {
        walletCap: usdc(9),
        treasuryCap: usdc(9),
        addressDelay: null,
        approvalAbove: null,
      },
    },
  })
  stack.defer(() => restored[Symbol.asyncDispose]())
  const mine = restored.as(user)
  expect((await withdraw(mine, 5)).body.code).toBe('payouts_held')
  expect((await send(mine)).status).toBe(200)
  expect((await withdraw(mine, 2)).body.code).toBe('payout_cap_reached')
  expect(await restored.faults()).toEqual([])
})
