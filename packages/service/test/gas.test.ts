import { expect, test } from 'vitest'
import { readUsdcBalance } from '../src/chain/reads.ts'
import { sql } from '../src/db/sql.ts'
import { issue, open, present, signed } from './attack-kit.ts'
import { depositBody } from './authorizations.ts'
import { freshAccount } from './chain.ts'
import { ask, newAddress, settle } from './facilitator-kit.ts'
import { carriedBy } from './gas-kit.ts'
import { world } from './world.ts'

const USDC = 1_000_000n

test('one balance is not promised twice over links, facilitator and gasless deposits', async () => {
  await using w = await world()
  await w.withGas()
  const payer = await w.user({ usdc: 1 })
  const seller = await w.user({ treasury: 10 })
  const link = await open(seller, await issue(seller, 1), { max_uses: 50 })
  const carried = await carriedBy(w)
  const pay = {
    link: async () => {
      const reply = await present(
        w,
        link.code,
        await signed(w, payer.account, link.deposit_address, USDC),
      )
      return { isPaid: reply.status === 200, ...reply }
    },
    facilitator: async () => {
      const changes = { value: USDC, requirements: { amount: String(USDC) } }
      const reply = await settle(seller, await ask(payer.account, newAddress(), changes))
      return { isPaid: reply.body.success === true, ...reply }
    },
    deposit: async () => {
      const payment = await signed(w, payer.account, w.chain.treasury.address, USDC)
      const reply = await payer.post('/api/fund/authorization', depositBody(payment))
      return { isPaid: reply.status === 200, ...reply }
    },
  }
  const ways = Array.from({ length: 15 }, () => [pay.link, pay.facilitator, pay.deposit]).flat()
  const replies = await Promise.all(ways.map((way) => way()))
  expect(replies.filter(({ isPaid }) => isPaid)).toHaveLength(1)
  expect(await readUsdcBalance(w.chain, payer.account.address)).toBe(0n)
  expect(await carried()).toEqual({ transactions: 1, failed: 0 })
  for (const { status } of replies) expect([200, 402, 422, 429]).toContain(status)
})

test('a payment is told to wait while the others take what the payer has, and is taken once they are over', async () => {
  await using w = await world({ settings: { facilitator: { payTo: 'any', waitMs: 300 } } })
  const seller = await w.user({ treasury: 10 })
  const payer = await freshAccount({ usdc: 10_000n })
  // Without gas nothing reaches a block, so the first stays on its way.
  const payTo = newAddress()
  const [first, second] = [await ask(payer, payTo), await ask(payer, payTo)]
  const started = settle(seller, first)
  await expect.poll(() => flights(w)).toBe(1n)
  const refused = await settle(seller, second)
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'funds_in_flight', success: false, errorReason: 'funds_in_flight' },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const verified = await w.call('POST', '/api/x402/verify', second)
  expect(verified.body).toMatchObject({ isValid: false, invalidReason: 'funds_in_flight' })
  // Given back, as nobody could carry it.
  expect((await started).body).toMatchObject({ success: false })
  expect(await flights(w)).toBe(0n)
  await w.withGas()
  expect((await settle(seller, second)).body).toMatchObject({ success: true })
  expect(await flights(w)).toBe(0n)
})

test('the database refuses more on its way than the payer holds', async () => {
  await using w = await world()
  const promise = w.write((tx) =>
    sql`insert into gas_payers (network, token, payer, in_flight, balance, used_at)
      values ('eip155:84532', '0x', '0x', 11, 10, now())`.execute(tx),
  )
  await expect(promise).rejects.toThrow('in_flight_within_balance')
})

const flights = async (w: { db: { reader: any } }): Promise<bigint> =>
  (await sql<{ n: bigint }>`select count(*) as n from gas_flights`.execute(w.db.reader)).rows[0]!.n
