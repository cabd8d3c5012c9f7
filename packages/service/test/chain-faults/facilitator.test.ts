import { expect, test } from 'vitest'
import { sql } from '../../src/base/db/sql.ts'
import { ask, newAddress, PRICE, settle } from '../actors/facilitator-kit.ts'
import { GARBAGE } from '../faults/faulty-rpc.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

const WAIT_MS = 400

/** A seller, a payer and its payment, on a service that waits only briefly for a block. */
async function stage(own: OwnWorld) {
  own.w.services.settings.facilitator = { payTo: 'any', waitMs: WAIT_MS }
  const seller = await own.w.user()
  const payTo = newAddress()
  const payer = await own.payer()
  const body = await ask(payer, payTo)
  /** From then on it waits: a busy machine needs longer to see a block than the others wait for one. */
  const patient = () => {
    own.w.services.settings.facilitator = { payTo: 'any', waitMs: 120_000 }
  }
  return {
    ...{ seller, payTo, payer, body },
    paid: () => own.usdcOf(payTo),
    ...{ patient },
    /** Waits for a block, as the others do not. */
    settled() {
      patient()
      return settle(seller, body)
    },
    status: async (id: string) => (await seller.get(`/api/x402/settlements/${id}`)).body.settlement,
  }
}
const now = async (own: OwnWorld) => await own.node.getTransactionCount({ address: relayer(own) })
const relayer = (own: OwnWorld) => own.w.chain.relayers[0]!.address

test('no block comes in time: pending with its transaction, to one who comes back the success, and once', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const pending = (await settle(s.seller, s.body)).body
  expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  expect(pending.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await s.status(pending.extra.settlement_id)).toMatchObject({ status: 'pending' })
  expect((await settle(s.seller, s.body)).body).toMatchObject({ transaction: pending.transaction })
  await own.blocks(1)
  s.patient()
  const replies = await Promise.all(Array.from({ length: 5 }, () => settle(s.seller, s.body)))
  const successes = replies.filter(({ body }) => body.success)
  expect(successes).toHaveLength(1)
  expect(successes[0]!.body.transaction).toBe(pending.transaction)
  expect(await s.paid()).toBe(PRICE)
  expect(await now(own)).toBe(1)
})

test('a pending settlement under an Idempotency-Key can be repeated with the key, and is reported once it ends', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const pending = await settle(s.seller, s.body, 'a key')
  expect(pending.body.errorReason).toBe('settlement_pending')
  await own.blocks(1)
  s.patient()
  const over = await settle(s.seller, s.body, 'a key')
  expect(over.body.success).toBe(true)
  expect((await settle(s.seller, s.body, 'a key')).body).toEqual(over.body)
  expect(await s.paid()).toBe(PRICE)
})

test('nobody comes back: a job sees it to its end, and its seller can look it up', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { extra } = (await settle(s.seller, s.body)).body
  const status = () => s.status(extra.settlement_id)
  await own.until(async () => (await status()).finality === 'final', 16)
  expect(await status()).toMatchObject({ status: 'completed', finality: 'final' })
  expect(await s.paid()).toBe(PRICE)
  // No caller has had a success reported yet: the next one gets it.
  expect((await settle(s.seller, s.body)).body.success).toBe(true)
  expect((await settle(s.seller, s.body)).body.errorReason).toBe('duplicate_settlement')
})

test('somebody else carries it first while ours waits: settled once, by their transaction', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { extra, transaction } = (await settle(s.seller, s.body)).body
  const { payload } = s.body.paymentPayload
  const { value, validAfter, validBefore } = payload.authorization
  await own.call('anvil_dropAllTransactions')
  await own.carry({
    signature: payload.signature,
    authorization: {
      ...payload.authorization,
      ...{ value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
    },
  })
  await own.until(async () => (await s.status(extra.settlement_id)).status === 'completed', 16)
  const settled = await s.status(extra.settlement_id)
  expect(settled.transaction).not.toBe(transaction)
  expect((await settle(s.seller, s.body)).body).toMatchObject({ success: true })
  expect(await s.paid()).toBe(PRICE)
})

test('the payer cancels while it waits: failed, for good', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { extra } = (await settle(s.seller, s.body)).body
  await own.call('anvil_dropAllTransactions')
  await own.cancel(s.payer, s.body.paymentPayload.payload.authorization.nonce)
  await own.until(async () => (await s.status(extra.settlement_id)).status === 'failed', 16)
  expect(await s.paid()).toBe(0n)
  const reply = await settle(s.seller, s.body)
  expect(reply.body).toMatchObject({ success: false })
  expect(reply.body.errorReason).not.toBe('settlement_pending')
})

test('cancelled before it is presented: refused, and nothing is sent', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  await own.cancel(s.payer, s.body.paymentPayload.payload.authorization.nonce)
  const reply = await settle(s.seller, s.body)
  expect(reply.body.errorReason).toBe('invalid_exact_evm_nonce_already_used')
  expect(await now(own)).toBe(0)
})

test('a reorganization takes the block of a settled one away: it is sent again, and final in the end', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const settled = await own.during(s.settled())
  const { extra } = settled.body
  await own.reorg(1)
  expect(await s.paid()).toBe(0n)
  await own.until(async () => (await s.status(extra.settlement_id)).finality === 'final')
  expect(await s.paid()).toBe(PRICE)
})

test('a payer that takes its money away while the block is undone: its seller sees that it is missing', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const settled = await own.during(s.settled())
  expect(settled.body.success).toBe(true)
  await own.reorg(1)
  await own.w.transfer(s.payer, newAddress(), 9_000_000n)
  const { settlement_id: id } = settled.body.extra
  await own.until(async () => (await s.status(id)).finality === 'missing')
  expect(await s.status(id)).toMatchObject({ status: 'completed', finality: 'missing' })
  expect(await s.paid()).toBe(0n)
})

test('the node falls silent: an outcome without its words, and nothing is left behind', async () => {
  await using own = await ownWorld({ nodes: 1 })
  const s = await stage(own)
  own.nodes[0]!.fault(() => GARBAGE)
  const verified = await own.w.call('POST', '/api/x402/verify', s.body)
  expect([verified.status, verified.body.invalidReason]).toEqual([200, 'unexpected_verify_error'])
  const reply = await settle(s.seller, s.body)
  expect([reply.status, reply.body.errorReason]).toEqual([200, 'unexpected_settle_error'])
  expect(JSON.stringify([verified.body, reply.body])).not.toMatch(/127\.0\.0\.1|fetch|HTTP/)
  own.nodes[0]!.fault(undefined)
  const settled = await own.during(s.settled(), { always: true })
  expect(settled.body.success).toBe(true)
  const { rows } = await sql`select 1 from x402_settlements`.execute(own.w.db.reader)
  expect(rows).toHaveLength(1)
})
