import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../../../test/world.ts'
import { run, sql } from '../../base/db/sql.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { readStandings } from './store.ts'

let w: World
beforeAll(async () => {
  w = await world()
})
afterAll(async () => {
  await w[Symbol.asyncDispose]()
})

const addDays = (at: Date, days: number): Date => addHours(at, days * 24)
const START = new Date('2026-01-31T00:00:00Z')
const END = new Date('2026-02-28T00:00:00Z')
let count = 0
const newWallet = () => `0x${String(++count).padStart(40, 'a')}`

async function member(of: { status?: string; autoRenew?: boolean; cancelled?: boolean } = {}) {
  const wallet = newWallet()
  await w.write(async (tx) => {
    await run(tx, sql`insert into membership_wallets (wallet_address) values (${wallet})`)
    await run(
      tx,
      sql`insert into memberships (wallet_address, tier, billing_period, asset, network, price, status, anchor, months,
        current_period_start, current_period_end, cancel_at_period_end, auto_renew, last_payment_id, created_at, updated_at)
        values (${wallet}, 'growth', 'month', 'USDC', 'eip155:84532', 19000000, ${of.status ?? 'ACTIVE'},
        ${START}, 0, ${START}, ${END}, ${of.cancelled ?? false}, ${of.autoRenew ?? false}, 'stl_1', ${START}, ${START})`,
    )
  })
  return wallet
}

const isLive = async (wallet: string, at: Date) =>
  (await readStandings(w.db.reader, [wallet], at)).get(wallet)?.isLive

test('a membership counts until its period ends, also before a job has said that it is over', async () => {
  const wallet = await member()
  expect(await isLive(wallet, addDays(END, -1))).toBe(true)
  expect(await isLive(wallet, END)).toBe(false)
  const standing = (await readStandings(w.db.reader, [wallet, newWallet()], START)).get(wallet)
  expect(standing).toEqual({
    tier: 'growth',
    billingPeriod: 'month',
    status: 'ACTIVE',
    isLive: true,
    directQuota: 20_000,
    overageFee: 20_000n,
    periodEnd: END,
  })
})

test('one that is renewed or past due counts on, one that is cancelled or expired does not', async () => {
  expect(await isLive(await member({ autoRenew: true }), END)).toBe(true)
  expect(await isLive(await member({ autoRenew: true, status: 'PAST_DUE' }), END)).toBe(true)
  expect(await isLive(await member({ autoRenew: true, cancelled: true }), END)).toBe(false)
  expect(await isLive(await member({ status: 'EXPIRED' }), START)).toBe(false)
})

const pay = (wallet: string, anchor: Date, months: number) =>
  w.write((tx) =>
    run(
      tx,
      sql`insert into membership_payments values (${`stl_${anchor.getTime()}_${months}`}, ${wallet}, 'growth', 'month', ${anchor}, ${months},
        months_after(${anchor}, ${months}), months_after(${anchor}, ${months + 1}), 1, 'USDC', 'eip155:84532', 'treasury', null,
        null, ${START}, null)`,
    ),
  )

test('the database takes no second payment for any moment', async () => {
  const wallet = await member()
  await pay(wallet, START, 0)
  await expect(pay(wallet, addDays(START, 1), 0)).rejects.toThrow('is paid')
  await expect(pay(wallet, addDays(START, -1), 0)).rejects.toThrow('is paid')
  await pay(wallet, START, 1)
})
