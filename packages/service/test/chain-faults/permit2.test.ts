import { expect, test } from 'vitest'
import { readTokenBalance } from '../../src/chain/client/tokens/calls.ts'
import { settle } from '../actors/facilitator-kit.ts'
import {
  askByPermit,
  askByUpto,
  cancelPermit,
  carryPermit,
  DEV,
  FUNDS,
  PRICE,
  permitPayer,
  permitShop,
  transferDev,
} from '../actors/permit2-kit.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

const WAIT_MS = 400
const PART = 300_000n

/** A seller, a payer and its permit, on a service that waits only briefly for a block. */
async function stage(own: OwnWorld) {
  own.w.services.settings.facilitator = { payTo: 'any', waitMs: WAIT_MS }
  const { rpcUrl } = own
  const shop = await permitShop(own.w)
  const payer = await permitPayer({ rpcUrl })
  const asked = await askByPermit(payer, shop.payTo)
  /** From then on it waits: a busy machine needs longer to see a block than the others wait for one. */
  const patient = () => {
    own.w.services.settings.facilitator = { payTo: 'any', waitMs: 120_000 }
  }
  return {
    ...{ ...shop, payer, asked, body: asked.body },
    ...{ patient },
    /** Waits for a block, as the others do not. */
    settled() {
      patient()
      return settle(shop.seller, asked.body)
    },
    status: async (id: string) =>
      (await shop.seller.get(`/api/x402/settlements/${id}`)).body.settlement,
  }
}
const sent = (own: OwnWorld) =>
  own.node.getTransactionCount({ address: own.w.chain.relayers[0]!.address })

test('no block comes in time: pending with its transaction, to one who comes back the success, and once', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const pending = (await settle(s.seller, s.body)).body
  expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  expect(pending.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await s.status(pending.extra.settlement_id)).toMatchObject({ status: 'pending' })
  await own.blocks(1)
  s.patient()
  const replies = await Promise.all(Array.from({ length: 5 }, () => settle(s.seller, s.body)))
  const successes = replies.filter(({ body }) => body.success)
  expect(successes).toHaveLength(1)
  expect(successes[0]!.body.transaction).toBe(pending.transaction)
  expect(await s.paid()).toBe(PRICE)
  expect(await sent(own)).toBe(1)
})

test('nobody comes back: a job sees it to its end, final once its block is safe', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { extra } = (await settle(s.seller, s.body)).body
  const status = () => s.status(extra.settlement_id)
  await own.until(async () => (await status()).finality === 'final', 16)
  expect(await status()).toMatchObject({ status: 'completed', finality: 'final' })
  expect(await s.paid()).toBe(PRICE)
  expect((await settle(s.seller, s.body)).body.success).toBe(true)
  expect((await settle(s.seller, s.body)).body.errorReason).toBe('duplicate_settlement')
})

test('a part of a permit: no block in time, nobody comes back, and the block is undone: final with that part', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const payTo = s.seller.account.address
  const { body } = await askByUpto(own.w, s.payer, payTo, { token: DEV.contract })
  const pending = (await settle(s.seller, body(PART))).body
  expect(pending.errorReason).toBe('settlement_pending')
  for (const amount of [PART + 1n, 0n])
    expect((await settle(s.seller, body(amount))).body.errorReason).toBe('duplicate_settlement')
  const id = pending.extra.settlement_id
  await own.until(async () => (await s.status(id)).status === 'completed', 16)
  await own.reorg(1)
  await own.until(async () => (await s.status(id)).finality === 'final', 16)
  expect(await s.status(id)).toMatchObject({ scheme: 'upto', amount: String(PART) })
  expect(await readTokenBalance(own.w.chain, DEV.contract, payTo)).toBe(PART)
  expect((await settle(s.seller, body(PART))).body).toMatchObject({ amount: String(PART) })
})

test('somebody else carries it first while ours waits: settled once, by their transaction', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { extra, transaction } = (await settle(s.seller, s.body)).body
  await own.call('anvil_dropAllTransactions')
  const theirs = await carryPermit(s.asked, { rpcUrl: own.rpcUrl })
  await own.until(async () => (await s.status(extra.settlement_id)).status === 'completed', 16)
  const settled = await s.status(extra.settlement_id)
  expect([settled.transaction, settled.transaction === transaction]).toEqual([theirs, false])
  expect((await settle(s.seller, s.body)).body).toMatchObject({ success: true })
  expect(await s.paid()).toBe(PRICE)
})

test('the payer cancels, or takes its money away, while it waits: failed, for good', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { rpcUrl } = own
  const second = await askByPermit(s.payer, s.payTo)
  const [cancelled, drained] = [
    (await settle(s.seller, s.body)).body,
    (await settle(s.seller, second.body)).body,
  ]
  expect([cancelled.errorReason, drained.errorReason]).toEqual(Array(2).fill('settlement_pending'))
  await own.call('anvil_dropAllTransactions')
  await cancelPermit(s.payer, s.asked.permit.nonce, { rpcUrl })
  await transferDev(s.payer, FUNDS, { rpcUrl })
  for (const { extra } of [cancelled, drained])
    await own.until(async () => (await s.status(extra.settlement_id)).status === 'failed', 16)
  expect(await s.paid()).toBe(0n)
  for (const body of [s.body, second.body]) {
    const reply = (await settle(s.seller, body)).body
    expect(reply.success).toBe(false)
    expect(reply.errorReason).not.toBe('settlement_pending')
  }
})

test('a part of a permit that fails on the chain has the name that the official packages give it', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const { body } = await askByUpto(own.w, s.payer, s.seller.account.address, {
    token: DEV.contract,
  })
  const { extra, errorReason } = (await settle(s.seller, body(PART))).body
  expect(errorReason).toBe('settlement_pending')
  await own.call('anvil_dropAllTransactions')
  await transferDev(s.payer, FUNDS, { rpcUrl: own.rpcUrl })
  await own.until(async () => (await s.status(extra.settlement_id)).status === 'failed', 16)
  expect((await settle(s.seller, body(PART))).body).toMatchObject({
    ...{ success: false, errorReason: 'invalid_upto_evm_transaction_failed', transaction: '' },
  })
})

test('a reorganization takes the block of a settled one away: it is sent again, and final in the end', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const settled = await own.during(s.settled())
  expect(settled.body.success).toBe(true)
  await own.reorg(1)
  expect(await s.paid()).toBe(0n)
  await own.until(
    async () => (await s.status(settled.body.extra.settlement_id)).finality === 'final',
  )
  expect(await s.paid()).toBe(PRICE)
})

test('a payer that takes its money away while the block is undone: its seller sees that it is missing', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  const settled = await own.during(s.settled())
  expect(settled.body.success).toBe(true)
  await own.reorg(1)
  await transferDev(s.payer, FUNDS, { rpcUrl: own.rpcUrl })
  const { settlement_id: id } = settled.body.extra
  await own.until(async () => (await s.status(id)).finality === 'missing')
  expect(await s.status(id)).toMatchObject({ status: 'completed', finality: 'missing' })
  expect(await s.paid()).toBe(0n)
})

test('without the proxy on the chain Permit2 is not offered, and what is paid by it is refused', async () => {
  await using own = await ownWorld()
  const s = await stage(own)
  await own.call('anvil_setCode', '0x402085c248EeA27D92E8b30b2C58ed07f9E20001', '0x')
  const { kinds } = (await own.w.call('GET', '/api/x402/supported')).body
  expect(kinds[0].extra).toEqual({ assetTransferMethods: ['eip3009'] })
  expect((await settle(s.seller, s.body)).body.errorReason).toBe('permit2_proxy_not_deployed')
  expect(await readTokenBalance(own.w.chain, DEV.contract, s.payer.address)).toBe(FUNDS)
})
