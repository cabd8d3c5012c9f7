import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { AMOUNT, escrowShop } from '../../../../test/actors/escrow-kit.ts'
import { until } from '../../../../test/until.ts'
import { type World, world } from '../../../../test/world.ts'
import {
  AUTH_CAPTURE_ESCROW,
  ESCROW_ABI,
  RECEIVER_REFUND_COLLECTOR,
} from '../../../base/protocols/x402/escrow-abi.ts'

const FUNDS = 5_000_000n

/** A shop with a payment in the escrow, of which so much is captured. */
async function captured(w: World, amount: bigint, options: object = {}) {
  const s = await escrowShop(w, options)
  const collect = await s.sign()
  expect((await s.settle(collect)).success).toBe(true)
  expect((await s.settle(await s.lifecycle(collect, 'capture', { amount }))).success).toBe(true)
  /** The places of the money of the payment. These four are all there are. */
  const standing = async () => ({
    payer: (await s.balanceOf(s.payer.address)) - FUNDS + AMOUNT,
    receiver: await s.balanceOf(s.receiver),
    escrow: await s.heldOf(collect),
    between: await s.balanceOf(RECEIVER_REFUND_COLLECTOR),
  })
  return { ...s, collect, standing, info: s.infoOf(collect) }
}

test.concurrent('what was captured is refunded in parts by whoever was paid, to the unit, and the rest captured after', async () => {
  await using w = await world()
  const s = await captured(w, 700_000n)
  const part = { amount: 200_000n, held: 300_000n, captured: 700_000n }
  const refund = await s.lifecycle(s.collect, 'refund', part)
  const verified = await w.call('POST', '/api/x402/verify', s.bodyOf(refund))
  expect(verified.body).toEqual({ isValid: true, payer: s.payer.address })
  const first = await s.settle(refund)
  expect(first).toMatchObject({ success: true, amount: '200000', payer: s.payer.address })
  expect(await s.standing()).toEqual({
    ...{ payer: 200_000n, receiver: 500_000n, escrow: 300_000n, between: 0n },
  })
  // The same request again is the same answer, and moves nothing.
  expect(await s.settle(refund)).toEqual(first)
  const { gasUsed } = await w.chain.rpc.getTransactionReceipt({ hash: first.transaction })
  expect(gasUsed).toBeLessThan(200_000n)

  const all = { amount: 500_000n, held: 300_000n, captured: 500_000n }
  expect(await s.settle(await s.lifecycle(s.collect, 'refund', all))).toMatchObject({
    success: true,
  })
  const rest = { amount: 300_000n, held: 300_000n, captured: 0n }
  expect(await s.settle(await s.lifecycle(s.collect, 'capture', rest))).toMatchObject({
    success: true,
  })
  expect(await s.standing()).toEqual({
    ...{ payer: 700_000n, receiver: 300_000n, escrow: 0n, between: 0n },
  })
})

test.concurrent('a refund is refused that nobody signed, that is of other balances or too much, or that names no collector', async () => {
  await using w = await world()
  const s = await captured(w, 600_000n)
  const now = { amount: 100_000n, held: 400_000n, captured: 600_000n }
  const stranger = await w.user()
  const key = stranger.account as PrivateKeyAccount
  const { lifecycle, collect } = s
  const good = await lifecycle(collect, 'refund', now)
  const standing = await s.standing()
  const cases: [string, object, object?][] = [
    ['invalid_exact_evm_signature', await lifecycle(collect, 'refund', { ...now, by: key })],
    ['invalid_exact_evm_signature', await lifecycle(collect, 'refund', { ...now, signer: key })],
    ['invalid_exact_evm_signature', { ...good, amount: '100001' }],
    ['invalid_transaction_state', await lifecycle(collect, 'refund', { ...now, captured: 1n })],
    ['invalid_transaction_state', await lifecycle(collect, 'refund', { ...now, held: AMOUNT })],
    ['unsupported_scheme', { ...good, tokenCollector: undefined }],
    ['unsupported_scheme', { ...good, tokenCollector: s.receiver }],
    ['invalid_payload', { ...good, receiverSignature: undefined }],
    ['invalid_payload', { ...good, expectedCapturableAmount: undefined }],
    ['invalid_payload', { ...good, amount: '0' }],
  ]
  for (const [reason, payload] of cases)
    expect(await s.settle(payload)).toMatchObject({ success: false, errorReason: reason })
  const much = await lifecycle(collect, 'refund', { ...now, amount: 600_001n })
  expect(await s.settle(much)).toMatchObject({ success: false, transaction: '' })
  expect(await s.settle(good, stranger)).toMatchObject({ errorReason: 'invalid_payload' })
  expect(await s.standing()).toEqual(standing)
  expect((await s.settle(good)).success).toBe(true)
})

test.concurrent('a receiver that no longer has the money pays nothing back, and nothing is sent', async () => {
  await using w = await world()
  const s = await captured(w, 500_000n)
  await w.chain.rpc.request({
    method: 'anvil_setBalance' as never,
    params: [s.receiver, '0xde0b6b3a7640000'] as never,
  })
  await s.spend(400_000n)
  const refund = await s.lifecycle(s.collect, 'refund', {
    ...{ amount: 500_000n, held: 500_000n, captured: 500_000n },
  })
  expect(await s.settle(refund)).toMatchObject({ success: false, transaction: '' })
  const left = { amount: 100_000n, held: 500_000n, captured: 500_000n }
  expect((await s.settle(await s.lifecycle(s.collect, 'refund', left))).success).toBe(true)
  expect(await s.balanceOf(s.receiver)).toBe(0n)
})

test.concurrent('of refunds, a capture and a void at once, one goes through, and the sums are those of that one', async () => {
  await using w = await world()
  for (let round = 0; round < 3; round++) {
    const s = await captured(w, 600_000n)
    const now = { held: 400_000n, captured: 600_000n }
    const orders = [
      await s.lifecycle(s.collect, 'refund', { ...now, amount: 600_000n }),
      await s.lifecycle(s.collect, 'refund', { ...now, amount: 250_000n }),
      await s.lifecycle(s.collect, 'capture', { ...now, amount: 400_000n }),
      await s.lifecycle(s.collect, 'void'),
    ]
    const answers = await Promise.all(orders.map((order) => s.settle(order)))
    const ends = [
      { payer: 600_000n, receiver: 0n, escrow: 400_000n },
      { payer: 250_000n, receiver: 350_000n, escrow: 400_000n },
      { payer: 0n, receiver: 1_000_000n, escrow: 0n },
      { payer: 400_000n, receiver: 600_000n, escrow: 0n },
    ]
    const won = answers.flatMap(({ success }, i) => (success ? [ends[i]] : []))
    expect(won).toHaveLength(1)
    expect(await s.standing()).toEqual({ ...won[0], between: 0n })
  }
})

test.concurrent('no refund comes after its deadline', async () => {
  await using w = await world()
  const s = await captured(w, AMOUNT, { deadline: 12, signs: 10, refundable: 0 })
  const refund = await s.lifecycle(s.collect, 'refund', {
    ...{ amount: AMOUNT, held: 0n, captured: AMOUNT },
  })
  await until(
    async () => {
      await w.block()
      return (await w.chain.rpc.getBlock()).timestamp
    },
    (seconds) => seconds >= BigInt(s.info.refundExpiry),
  )
  expect(await s.settle(refund)).toMatchObject({ success: false, transaction: '' })
  expect(await s.balanceOf(s.receiver)).toBe(AMOUNT)
}, 60_000)

// The contract itself, asked as our relayer could: what the service would refuse is not left to the service.
test.concurrent('the signature of a receiver is good for one refund of these balances, even for the operator', async () => {
  await using w = await world()
  const s = await captured(w, 600_000n)
  const now = { amount: 100_000n, held: 400_000n, captured: 600_000n }
  const refund = await s.lifecycle(s.collect, 'refund', now)
  const ask = (amount: bigint, account = s.info.operator) =>
    w.chain.rpc.simulateContract({
      ...{ address: AUTH_CAPTURE_ESCROW, abi: ESCROW_ABI, functionName: 'refund', account },
      args: [
        ...([s.info, amount, RECEIVER_REFUND_COLLECTOR] as const),
        refund.receiverSignature as `0x${string}`,
      ],
    })
  await expect(ask(100_000n)).resolves.toBeDefined()
  await expect(ask(99_999n)).rejects.toThrow()
  await expect(ask(100_000n, s.receiver)).rejects.toThrow()
  expect((await s.settle(refund)).success).toBe(true)
  await expect(ask(100_000n)).rejects.toThrow()
})
