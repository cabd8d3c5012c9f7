import { createWalletClient, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { AMOUNT, escrowShop } from '../../../../test/actors/escrow-kit.ts'
import { until } from '../../../../test/until.ts'
import { world } from '../../../../test/world.ts'
import {
  AUTH_CAPTURE_ESCROW,
  ESCROW_ABI,
  RECEIVER_REFUND_COLLECTOR,
} from '../../../base/protocols/x402/escrow-abi.ts'
import { listSending } from './store.ts'

test('the official client pays into the escrow; the seller captures a part and voids the rest, to the unit', async () => {
  await using w = await world()
  const s = await escrowShop(w)
  const kinds = (await w.call('GET', '/api/x402/supported')).body.kinds
  expect(kinds).toContainEqual({
    x402Version: 2,
    scheme: 'auth-capture',
    network: w.chain.network,
    extra: {
      facilitatorAddress: s.requirements.extra.captureAuthorizer,
      authCaptureEscrow: AUTH_CAPTURE_ESCROW,
      refundCollector: RECEIVER_REFUND_COLLECTOR,
    },
  })
  const collect = await s.sign()
  const verified = await w.call('POST', '/api/x402/verify', s.bodyOf(collect))
  expect(verified.body).toEqual({ isValid: true, payer: s.payer.address })
  const authorized = await s.settle(collect)
  expect(authorized).toMatchObject({ success: true, payer: s.payer.address, amount: '1000000' })
  expect(await s.heldOf(collect)).toBe(AMOUNT)
  expect(await s.balanceOf(s.receiver)).toBe(0n)
  // The same request again is the same answer, and takes nothing.
  expect(await s.settle(collect)).toEqual(authorized)
  const capture = await s.lifecycle(collect, 'capture', { amount: 300_000n })
  expect(await s.settle(capture)).toMatchObject({ success: true, amount: '300000' })
  expect(await s.balanceOf(s.receiver)).toBe(300_000n)
  // A signature for balances that were is good for nothing.
  const stale = await s.lifecycle(collect, 'capture', { amount: 200_000n })
  expect(await s.settle(stale)).toMatchObject({
    success: false,
    errorReason: 'invalid_transaction_state',
  })
  expect(await s.settle(await s.lifecycle(collect, 'void'))).toMatchObject({ success: true })
  expect(await s.balanceOf(s.payer.address)).toBe(5_000_000n - 300_000n)
  expect(await s.heldOf(collect)).toBe(0n)
})

test('another wallet’s key, another authorizer, a changed payment and a refund by the operator are refused, and nothing is sent', async () => {
  await using w = await world()
  const s = await escrowShop(w)
  const collect: any = await s.sign()
  const changed = { ...collect, authorization: { ...collect.authorization, value: '999' } }
  expect(await s.settle(changed)).toMatchObject({ errorReason: 'invalid_payload' })
  const forged = { ...collect, signature: `0x${'11'.repeat(64)}1b` }
  expect(await s.settle(forged)).toMatchObject({ errorReason: 'invalid_exact_evm_signature' })
  const other = await w.user()
  expect((await s.settle(collect)).success).toBe(true)
  expect(await s.settle(collect, other)).toMatchObject({ errorReason: 'duplicate_settlement' })
  const capture = await s.lifecycle(collect, 'capture')
  expect(await s.settle(capture, other)).toMatchObject({ success: false })
  const theirs = await s.lifecycle(collect, 'capture', { by: other.account as PrivateKeyAccount })
  expect(await s.settle(theirs)).toMatchObject({ errorReason: 'invalid_exact_evm_signature' })
  const refund = { ...capture, type: 'refund' }
  expect(await s.settle(refund)).toMatchObject({ errorReason: 'unsupported_scheme' })
  expect(await s.balanceOf(s.receiver)).toBe(0n)
})

test('of captures and a void at once, the payment’s money goes one way', async () => {
  await using w = await world()
  const s = await escrowShop(w)
  for (let round = 0; round < 3; round++) {
    const collect = await s.sign()
    expect((await s.settle(collect)).success).toBe(true)
    const [had, held] = [await s.balanceOf(s.receiver), await s.balanceOf(s.payer.address)]
    const orders = [
      await s.lifecycle(collect, 'capture'),
      await s.lifecycle(collect, 'capture', { amount: 400_000n }),
      await s.lifecycle(collect, 'void'),
    ]
    const answers = await Promise.all(orders.map((order) => s.settle(order)))
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    const captured = (await s.balanceOf(s.receiver)) - had
    const back = (await s.balanceOf(s.payer.address)) - held
    expect([AMOUNT, 400_000n, 0n]).toContain(captured)
    if (captured === 400_000n)
      expect(await s.settle(await s.lifecycle(collect, 'void'))).toMatchObject({ success: true })
    else expect(captured + back).toBe(AMOUNT)
  }
})

test('a payer reclaims after the deadline; no capture comes after it, and none with it', async () => {
  await using w = await world()
  const s = await escrowShop(w, { deadline: 12, signs: 10 })
  const collect = await s.sign()
  expect((await s.settle(collect)).success).toBe(true)
  const info = s.infoOf(collect)
  const reclaim = async () => {
    const wallet = createWalletClient({ account: s.payer, transport: http(w.rpcUrl) })
    const call = { address: AUTH_CAPTURE_ESCROW, abi: ESCROW_ABI, functionName: 'reclaim' } as const
    await w.mined(await wallet.writeContract({ chain: null, ...call, args: [info] }))
  }
  await expect(reclaim()).rejects.toThrow()
  const capture = await s.lifecycle(collect, 'capture')
  await until(
    async () => {
      await w.block()
      return (await w.chain.rpc.getBlock()).timestamp
    },
    (seconds) => seconds >= BigInt(info.authorizationExpiry),
  )
  const [answer] = await Promise.all([s.settle(capture), reclaim()])
  expect(answer.success).toBe(false)
  expect(await s.balanceOf(s.payer.address)).toBe(5_000_000n)
  expect(await s.settle(await s.lifecycle(collect, 'void'))).toMatchObject({ success: false })
  expect(await s.balanceOf(s.receiver)).toBe(0n)
}, 60_000)

test('an order whose caller is gone is ended by the job, and asked for again it has one outcome', async () => {
  await using w = await world({ settings: { facilitator: { payTo: 'any', waitMs: 0 } } })
  const s = await escrowShop(w)
  const collect = await s.sign()
  const first = await s.settle(collect)
  expect(['settlement_pending', undefined]).toContain(first.errorReason)
  const sending = () => listSending(w.db.reader)
  await w.workUntil(sending, (orders) => orders.length === 0)
  const answers = await Promise.all(Array.from({ length: 5 }, () => s.settle(collect)))
  expect(new Set(answers.map(({ transaction }) => transaction)).size).toBe(1)
  expect(answers.every(({ success }) => success)).toBe(true)
  expect(await s.balanceOf(s.payer.address)).toBe(5_000_000n - AMOUNT)
})
