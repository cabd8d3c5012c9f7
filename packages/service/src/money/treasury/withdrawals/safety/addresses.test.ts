import { afterEach, expect, test } from 'vitest'
import { eventsOf } from '../../../../../test/events-of.ts'
import { type User, type World, world } from '../../../../../test/world.ts'
import { all, sql } from '../../../../base/db/sql.ts'
import { forget } from '../../../../base/jobs/kept.ts'
import { addSeconds } from '../../../../base/kernel/clock.ts'
import { randomHex } from '../../../../base/kernel/secrets.ts'
import { normalAddress } from '../../../../chain/client/reads.ts'
import { keptAddresses } from './store-addresses.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

const DAY = 86_400
const PATH = '/api/withdrawals/addresses'
const newAddress = () => normalAddress(randomHex(20), 'address')

async function delayed(addressDelay: number | null): Promise<World> {
  const w = await world({
    settings: {
      payouts: { walletCap: null, treasuryCap: null, addressDelay, approvalAbove: null },
    },
  })
  stack.defer(() => w[Symbol.asyncDispose]())
  return w
}

const withdraw = (user: User, to_address: string) =>
  user.post('/api/withdraw', { amount: 2, to_address })
const removed = (user: User, id: string) => user.send('DELETE', `${PATH}/${id}`)
async function added(user: User, address: string) {
  const reply = await user.post(PATH, { address })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.address
}

test('money goes to an address only once that was added for as long as the operator says', async () => {
  const w = await delayed(DAY)
  const user = await w.user({ treasury: 20 })
  const to = newAddress()
  expect((await withdraw(user, user.wallet)).status).toBe(200)
  const unknown = await withdraw(user, to)
  expect([unknown.status, unknown.body]).toMatchObject([
    403,
    { code: 'payout_address_not_allowed', param: 'to_address', usable_at: null },
  ])
  const entry = await added(user, to.toLowerCase())
  expect(entry).toMatchObject({ id: expect.stringMatching(/^pad_/), address: to })
  expect(Date.parse(entry.usable_at) - Date.parse(entry.added_at)).toBe(DAY * 1000)
  expect((await user.get(PATH)).body).toEqual({
    addresses: [{ ...entry, state: 'WAITING' }],
    delay_seconds: DAY,
  })
  expect((await withdraw(user, to)).body.usable_at).toBe(entry.usable_at)
  // A thief who adds it again does not shorten it, and the owner reads of it.
  await w.advance(DAY - 60)
  expect(await added(user, to)).toEqual(entry)
  expect((await withdraw(user, to)).body.code).toBe('payout_address_not_allowed')
  const events = await eventsOf(w.db.reader, entry.id)
  expect(events.map(({ type, data }) => [type, data.address])).toEqual([
    ['withdrawal.address_added', to],
  ])
  await w.advance(61)
  expect((await user.get(PATH)).body.addresses).toEqual([{ ...entry, state: 'ALLOWED' }])
  expect((await withdraw(user, to)).status).toBe(200)
  expect(await w.faults()).toEqual([])
})

test('an address that was removed and added again begins anew, and is its own wallet’s alone', async () => {
  const w = await delayed(DAY)
  const [user, other] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  const to = newAddress()
  const first = await added(user, to)
  await w.advance(DAY + 1)
  expect((await withdraw(other, to)).body.code).toBe('payout_address_not_allowed')
  expect((await removed(other, first.id)).status).toBe(404)
  expect((await removed(user, first.id)).status).toBe(200)
  expect((await removed(user, first.id)).status).toBe(404)
  expect((await user.get(PATH)).body.addresses).toEqual([])
  const again = await added(user, to)
  expect(again.id).not.toBe(first.id)
  expect((await withdraw(user, to)).body.usable_at).toBe(again.usable_at)
  expect((await user.get(PATH)).body.addresses).toEqual([again])
  expect((await other.get(PATH)).body.addresses).toEqual([])
})

test('a machine whose clock is ahead does not shorten the time', async () => {
  const w = await delayed(DAY)
  const user = await w.user({ treasury: 20 })
  const to = newAddress()
  await added(user, to)
  w.clock.offsetMs += 2 * DAY * 1000
  expect((await withdraw(user, to)).body.code).toBe('payout_address_not_allowed')
  w.clock.offsetMs -= 2 * DAY * 1000
})

test('of a withdrawal and a removal at once, a removal that answered first is obeyed', async () => {
  const w = await delayed(0)
  const user = await w.user({ treasury: 100 })
  for (let round = 0; round < 4; round++) {
    const to = newAddress()
    const { id } = await added(user, to)
    const [paid, gone] = await Promise.all([withdraw(user, to), removed(user, id)])
    expect(gone.status).toBe(200)
    expect([200, 403]).toContain(paid.status)
    expect((await withdraw(user, to)).body.code).toBe('payout_address_not_allowed')
  }
})

test('without the setting money goes anywhere, and the list is kept for when it is set', async () => {
  const w = await delayed(null)
  const user = await w.user({ treasury: 20 })
  expect((await withdraw(user, newAddress())).status).toBe(200)
  const entry = await added(user, newAddress())
  expect(entry).toMatchObject({ usable_at: entry.added_at, state: 'ALLOWED' })
  expect((await user.get(PATH)).body).toEqual({ addresses: [entry], delay_seconds: null })
})

test('addresses that would lose the money are refused, and there are a hundred at most', async () => {
  const w = await delayed(DAY)
  const user = await w.user({ treasury: 20 })
  for (const address of [user.wallet, w.chain.treasury.address, w.chain.asset.contract]) {
    const { status, body } = await user.post(PATH, { address })
    expect([status, body.code, body.param]).toEqual([400, 'invalid_address', 'address'])
  }
  for (let i = 0; i < 100; i++) await added(user, newAddress())
  const over = await user.post(PATH, { address: newAddress() })
  expect([over.status, over.body.code]).toEqual([409, 'limit_reached'])
})

test('the database keeps the times, and refuses a withdrawal to another address', async () => {
  const w = await delayed(DAY)
  const user = await w.user({ treasury: 20 })
  const entry = await added(user, newAddress())
  const { withdrawal_id: id } = (await withdraw(user, user.wallet)).body
  const run = (statement: ReturnType<typeof sql>) =>
    w.db.write((tx) => statement.execute(tx).then(() => undefined))
  const copied = (to: string, delay: number) =>
    run(sql`insert into withdrawals (id, wallet_address, network, asset, amount, fee, net_amount, from_address, to_address,
        nonce, valid_before, signature, from_block, created_at, address_delay)
      select id || 'x', wallet_address, network, asset, amount, fee, net_amount, from_address, ${to},
        '0x' || md5(id) || md5(id), valid_before, signature, from_block, created_at, ${delay}::integer
      from withdrawals where id = ${id}`)
  await expect(copied(entry.address, DAY)).rejects.toThrow(/has not added long enough ago/)
  await expect(copied(newAddress(), 0)).rejects.toThrow(/has not added long enough ago/)
  await copied(entry.address, 0)
  for (const set of [
    sql`update payout_addresses set added_at = added_at - interval '2 days'`,
    sql`update payout_addresses set address = ${newAddress()}`,
  ])
    await expect(run(set)).rejects.toThrow(/can only be removed/)
  await expect(run(sql`delete from payout_addresses`)).rejects.toThrow(/in force/)
  await expect(run(sql`truncate payout_addresses`)).rejects.toThrow(/insert only/)
  await removed(user, entry.id)
  await expect(run(sql`delete from payout_addresses`)).rejects.toThrow(/in the last day/)
  await expect(
    run(sql`update withdrawals set address_delay = null where address_delay is not null`),
  ).rejects.toThrow(/judged by/)
})

// A wallet may add and remove a hundred addresses a day.
test('a removed address is forgotten after a month, unless money went there', async () => {
  const w = await delayed(0)
  const user = await w.user({ treasury: 20 })
  const [paid, stays, gone, late] = [newAddress(), newAddress(), newAddress(), newAddress()]
  const entries = [await added(user, paid), await added(user, stays), await added(user, gone)]
  expect((await withdraw(user, paid)).status).toBe(200)
  for (const { id, address } of entries) if (address !== stays) await removed(user, id)
  const rows = async () => {
    const list = sql<{ address: string }>`select address from payout_addresses order by id`
    return (await all(w.db.reader, list)).map(({ address }) => address)
  }
  await w.advance(29 * DAY)
  const { id } = await added(user, late)
  await removed(user, id)
  await w.runJobs()
  expect(await rows()).toEqual([paid, stays, gone, late])
  // A machine whose clock is ahead takes nothing that the count of a day needs.
  await forget(w.db, keptAddresses, addSeconds(w.now(), DAY))
  expect(await rows()).toEqual([paid, stays, late])
  await w.advance(31 * DAY)
  await w.runJobs()
  expect(await rows()).toEqual([paid, stays])
  expect((await user.get(PATH)).body.addresses).toEqual([entries[1]])
  expect(await w.faults()).toEqual([])
})
