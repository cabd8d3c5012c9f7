/** A stranger may send a seller grains for nothing but gas: they are recorded and shown, and neither count nor cost. */
import { encodeFunctionData, erc20Abi } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DirectSeller,
  directSeller,
  present,
  report,
  reportTo,
  x402Payer,
} from '../../../test/actors/direct/direct-kit.ts'
import { setPlan } from '../../../test/actors/members/meter-kit.ts'
import { registerToken } from '../../../test/actors/permit2-kit.ts'
import { newToken, sendBy } from '../../../test/actors/token-kit.ts'
import { until } from '../../../test/until.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

let w: World
let base: string
let s: DirectSeller
let stranger: PrivateKeyAccount
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
  s = await directSeller(w)
  stranger = await freshAccount({ usdc: 5_000_000n })
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

const OPEN = { amount: null, type: 'RECURRING', max_uses: 0 }
const fees = async () => (await s.seller.get('/api/fees')).body
/** Sends these amounts of USDC to the seller's wallet, and reports each for the link. */
async function send(link: { code: string }, values: readonly bigint[]) {
  const hashes: `0x${string}`[] = []
  for (const value of values) hashes.push(await w.transfer(stranger, s.wallet, value))
  const bodies = await Promise.all(
    hashes.map((txHash) => report(w, { link, txHash, payer: stranger })),
  )
  await w.safe()
  const replies = []
  for (const body of bodies) replies.push(await reportTo(w, link, body))
  return replies
}

test('ten grains use nothing of the quota, and each is recorded and shown', async () => {
  const link = await s.open(OPEN)
  for (const reply of await send(link, Array(10).fill(1n))) {
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({ status: 'SETTLED', amount: 0.000001, metered_fee: null })
  }
  expect(await s.used()).toBe(0)
  expect((await s.seller.get('/api/fees/entries')).body.entries).toEqual([])
  expect((await s.transactions()).filter((one: any) => one.amount === 0.000001)).toHaveLength(10)
  const events = (await s.events('payment.settled')).filter((one: any) => one.amount === 0.000001)
  expect(events.map((one: any) => one.metered_fee)).toEqual(Array(10).fill(null))
})

test('a payment counts from the amount of its own fee on', async () => {
  const link = await s.open(OPEN)
  const before = await s.used()
  const [below, at] = await send(link, [49_999n, 50_000n])
  expect([below?.body.metered_fee, at?.body.metered_fee]).toEqual([null, 0])
  expect(await s.used()).toBe(before + 1)
})

test('without a plan grains make no debt, and with an empty quota they do not close the gate', async () => {
  const link = await s.open(OPEN)
  // Reported while the offers are there: the text to be signed stands in them.
  const bodies = []
  for (let i = 0; i < 6; i++) {
    const txHash = await w.transfer(stranger, s.wallet, 1_000n)
    bodies.push(await report(w, { link, txHash, payer: stranger }))
  }
  const change = (status: string) =>
    w.write(async (tx) => {
      await sql`alter table memberships disable trigger keep_membership`.execute(tx)
      await sql`update memberships set status = ${status} where wallet_address = ${s.wallet}`.execute(
        tx,
      )
      await sql`alter table memberships enable trigger keep_membership`.execute(tx)
    })
  await change('EXPIRED')
  await w.safe()
  for (const body of bodies)
    expect((await reportTo(w, link, body)).body).toMatchObject({ metered_fee: null })
  expect((await fees()).meter).toMatchObject({ owed: 0 })
  await change('ACTIVE')
  expect(await fees()).toMatchObject({ gate: 'open' })
})

test('grains that are only signed are not metered, and do not close the gate while they are on their way', async () => {
  const link = await s.open(OPEN)
  const used = await s.used()
  await setPlan(w, used + 1, 50_000)
  const dust = `${base}/pay/${link.code}?amount=0.02`
  const whole = `${base}/pay/${link.code}?amount=0.5`
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map(async () => x402Payer(await freshAccount({ usdc: 1_000_000n }))),
  )
  const pay = async (payer: typeof first, url: string) => present(url, await payer!.header(url))
  const claimed = () =>
    sql`select s.id from direct_settlements s join pay_links l on l.id = s.pay_link_id
      where l.code = ${link.code}`.execute(w.db.reader)
  const grains = [pay(first, dust), pay(second, dust)]
  // A closed gate refuses grains too, so they are claimed before the payment that uses up the quota.
  await until(
    async () => (await claimed()).rows.length,
    (seen) => expect(seen).toBe(2),
  )
  const replies = await Promise.all([...grains, pay(third, whole)])
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as any[]
  expect(bodies.map(({ metered_fee }) => metered_fee)).toEqual([null, null, 0])
  expect(await s.used()).toBe(used + 1)
  await setPlan(w, 1_000, 50_000)
})

test('in a token without a price only what the seller has asked for counts', async () => {
  const token = await newToken({ manner: 'Honest' })
  await token.mint(s.wallet, 1_000_000n)
  await token.mint(stranger.address, 1_000_000n)
  await registerToken(s.seller, token.contract)
  const [any, least, priced] = await Promise.all(
    [OPEN, { ...OPEN, min_amount: '0.0000000000000001' }, { amount: '0.0000000000000001' }].map(
      (link) => s.open({ asset: token.contract, ...link }),
    ),
  )
  const pay = async (link: { code: string }, value: bigint) => {
    const args = [s.wallet, value] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    const txHash = await sendBy(stranger, token.contract, data)
    const body = await report(w, { link, txHash, payer: stranger })
    await w.safe()
    return (await reportTo(w, link, body)).body
  }
  const before = await s.used()
  expect(await pay(any, 1n)).toMatchObject({ status: 'SETTLED', metered_fee: null })
  expect(await pay(least, 99n)).toMatchObject({ code: 'payment_exception', reason: 'short' })
  expect(await s.used()).toBe(before)
  expect(await pay(least, 100n)).toMatchObject({ status: 'SETTLED', metered_fee: 0 })
  expect(await pay(priced, 100n)).toMatchObject({ status: 'SETTLED', metered_fee: 0 })
  expect(await s.used()).toBe(before + 2)
})

test('a link names its least amount: less is not submitted, and less that arrives settles nothing', async () => {
  const link = await s.open({ ...OPEN, min_amount: 0.3 })
  const other = await s.open(OPEN)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const header = await x402Payer(payer).header(`${base}/pay/${other.code}?amount=0.29`)
  const refused = await present(`${base}/pay/${link.code}`, header)
  expect([refused.status, ((await refused.json()) as any).error]).toEqual([
    402,
    'amount_below_minimum',
  ])
  const before = await s.used()
  const [short, whole] = await send(link, [299_999n, 300_000n])
  expect(short?.body).toMatchObject({ code: 'payment_exception', reason: 'short' })
  expect(whole?.body).toMatchObject({ status: 'SETTLED', metered_fee: 0 })
  expect(await s.used()).toBe(before + 1)
})
