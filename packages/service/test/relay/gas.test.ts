import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import type { Address } from '../../src/base/kernel/assets.ts'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import { readAssetBalance } from '../../src/chain/client/reads.ts'
import { readFunds } from '../../src/chain/client/simulate.ts'
import { lockAndReserve, release } from '../../src/chain/relay/gas/reserve.ts'
import type { Flight } from '../../src/chain/relay/gas/store.ts'
import { issue, open, present, signed } from '../actors/attack-kit.ts'
import { depositBody } from '../actors/authorizations.ts'
import { ask, newAddress, settle, shop } from '../actors/facilitator-kit.ts'
import { freshAccount } from '../world/chain.ts'
import { type World, world } from '../world.ts'
import { carriedBy } from './gas-kit.ts'

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
  expect(await readAssetBalance(w.chain, payer.account.address)).toBe(0n)
  expect(await carried()).toEqual({ transactions: 1, failed: 0 })
  for (const { status } of replies) expect([200, 402, 422, 429]).toContain(status)
})

test('a payment must wait while others take what the payer has, and is accepted once they are over', async () => {
  await using w = await world()
  const { seller, payTo } = await shop(w)
  const payer = await freshAccount({ usdc: 10_000n })
  const other = await flightOf(w, payer.address, 1n)
  await w.write((tx) => lockAndReserve(tx, w.now(), { flights: [other], limits: NO_LIMIT }))
  const body = await ask(payer, payTo)
  const refused = await settle(seller, body)
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'funds_in_flight', success: false, errorReason: 'funds_in_flight' },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const verified = await w.call('POST', '/api/x402/verify', body)
  expect(verified.body).toMatchObject({ isValid: false, invalidReason: 'funds_in_flight' })
  const ends = [{ ref: other.ref, outcome: 'over' as const }]
  await w.write((tx) => release(tx, w.now(), ends))
  expect((await settle(seller, body)).body).toMatchObject({ success: true })
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

const NO_LIMIT = { sellerPerDay: null }

async function flightOf(w: World, payer: Address, amount: bigint): Promise<Flight> {
  const { network, asset } = w.chain
  const funds = await readFunds(w.chain, asset.contract, payer)
  const by = { ref: `test:${randomHex(8)}`, seller: payer, nonce: randomHex(32), gas: 100_000n }
  const validBefore = 4_000_000_000n
  return {
    ...{ ...by, network, token: asset.contract, payer, amount, funds, validBefore },
    isForeignToken: false,
  }
}

const flights = async (w: World): Promise<bigint> =>
  (await sql<{ n: bigint }>`select count(*) as n from gas_flights`.execute(w.db.reader)).rows[0]!.n
