import { createWalletClient, http } from 'viem'
import { expect, test } from 'vitest'
import type { Address, Hex } from '../../src/base/kernel/assets.ts'
import { awaitApproval, readAllowance } from '../../src/chain/relay/pull/allowance.ts'
import { carryPull } from '../../src/money/pulls/carry.ts'
import { findPull } from '../../src/money/pulls/store.ts'
import { PRICE, payer, requested, revenue } from '../actors/payers/payer.ts'
import { until } from '../until.ts'
import type { User } from '../world.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

const DEAR = 500n * 10n ** 9n
/** Carries the pull for as long as it goes on, with blocks for its transactions. */
const carried = (own: OwnWorld, id: string) =>
  own.during(carryPull(own.w.services, own.w.now(), id))
const pullOf = async (own: OwnWorld, id: string) => (await findPull(own.w.db.reader, id))!
const usdcOf = (own: OwnWorld, user: User) => own.usdcOf(user.wallet)

test.concurrent('a wallet that takes its allowance back in front of the pull burns gas once, and then waits', async () => {
  await using own = await ownWorld({ pulls: true })
  const { w } = own
  const user = await own.during(payer(w))
  const id = await requested(w, user)
  const spender = w.chain.settler!
  const carrying = carryPull(w.services, w.now(), id)
  await own.pending(1)
  await w.approve(user.account, { spender, value: 0n, fee: DEAR })
  await own.pending(2)
  await own.blocks(1)
  expect(await carrying).toBe(false)
  expect(await pullOf(own, id)).toMatchObject({ state: 'sent' })
  await own.blocks(8)
  expect(await carried(own, id)).toBe(true)
  expect(await pullOf(own, id)).toMatchObject({
    ...{ state: 'failed', reason: 'insufficient_allowance', attempts: 1 },
  })
  // It allows again: the next attempt waits, since relayers paid for the last one.
  await own.during(w.approve(user.account, { spender, value: PRICE }), { always: true })
  await own.blocks(1)
  await requested(w, user, { chargeId: id })
  expect(await carried(own, id)).toBe(false)
  expect(await pullOf(own, id)).toMatchObject({ state: 'requested', reason: 'payer_waits' })
  await w.advance(60)
  await carried(own, id)
  expect(await pullOf(own, id)).toMatchObject({ state: 'confirmed', attempts: 2 })
  expect(await revenue(w)).toBe(PRICE)
})

async function confirmed(own: OwnWorld) {
  const user = await own.during(payer(own.w), { always: true })
  const id = await requested(own.w, user)
  await carried(own, id)
  const pull = await pullOf(own, id)
  expect(pull).toMatchObject({ state: 'confirmed', isSafe: false })
  return { user, id, pull }
}

test.concurrent('a reorganization that moves a pull to another block leaves it booked once, where it is now', async () => {
  await using own = await ownWorld({ pulls: true })
  const { user, id, pull } = await confirmed(own)
  await own.reorg(1)
  expect(await usdcOf(own, user)).toBe(40_000_000n)
  await own.shiftLogs()
  await own.until(async () => (await pullOf(own, id)).isSafe, 5)
  const now = await pullOf(own, id)
  expect(now).toMatchObject({ state: 'confirmed', attempts: 1, txHash: pull.txHash })
  expect(now.blockHash).not.toBe(pull.blockHash)
  expect([await usdcOf(own, user), await revenue(own.w)]).toEqual([21_000_000n, PRICE])
  await own.expectBooksToMatch()
})

test.concurrent('a pull that a reorganization took, and the wallet no longer pays, is taken back with an alarm', async () => {
  await using own = await ownWorld({ pulls: true })
  const { user, id } = await confirmed(own)
  await own.reorg(1)
  await own.w.approve(user.account, { spender: own.w.chain.settler!, value: 0n, fee: DEAR })
  await own.blocks(1)
  await own.until(async () => (await pullOf(own, id)).state === 'missing', 5)
  expect([await usdcOf(own, user), await revenue(own.w)]).toEqual([40_000_000n, 0n])
  await own.until(async () => (await own.alarms()).length > 0)
  expect(await own.alarms()).toEqual(['missing_pull'])
  await own.expectBooksToMatch()
})

test.concurrent('an approval on its way is waited for only if it is this wallet’s, of this token, for our contract', async () => {
  await using own = await ownWorld({ pulls: true, nodes: 1 })
  const { w } = own
  const [user, other] = [await w.user({ usdc: 40 }), await w.user({ usdc: 40 })]
  const wallet = user.wallet as Address
  const [ours, stranger] = [w.chain.settler!, w.chain.treasury.address]
  const ask = (approveTx: Hex, waitMs = 400) =>
    awaitApproval(w.chain, { wallet, approveTx, waitMs })
  const value = PRICE
  // A nonce that is not the next one keeps it in the pool.
  const never = await w.approve(user.account, { spender: ours, value, nonce: 7 })
  expect(await ask(never)).toBe('unmined')
  const spender = await w.approve(user.account, { spender: stranger, value, nonce: 8 })
  const token = await w.approve(user.account, { spender: ours, value, token: ours, nonce: 9 })
  const theirs = await w.approve(other.account, { spender: ours, value, nonce: 7 })
  const transfer = await createWalletClient({
    ...{ account: user.account, transport: http(own.rpcUrl) },
  }).sendTransaction({
    chain: null,
    to: other.wallet as Address,
    value: 1n,
    gas: 21_000n,
    nonce: 10,
  })
  for (const hash of [spender, token, theirs, transfer, `0x${'12'.repeat(32)}` as const])
    expect(await ask(hash)).toBe('other')

  const waiting = ask(await w.approve(user.account, { spender: ours, value, nonce: 0 }), 60_000)
  await own.pending(1)
  expect(await readAllowance(w.chain, wallet)).toMatchObject({ allowance: 0n })
  await own.blocks(1)
  expect(await waiting).toBe('mined')
  expect(await readAllowance(w.chain, wallet)).toMatchObject({ allowance: PRICE })

  const first = await w.approve(user.account, { spender: ours, value, nonce: 1 })
  const asked = own.nodes[0]!.asked
  const before = asked.length
  const replaced = ask(first, 60_000)
  // It asks for the nonce once it has seen the approval. One that it has never seen counts as another's.
  await until(() => asked.includes('eth_getTransactionCount', before))
  await w.approve(user.account, { spender: ours, value: 1n, nonce: 1, fee: DEAR })
  await own.blocks(1)
  expect(await replaced).toBe('replaced')
  expect(await readAllowance(w.chain, wallet)).toMatchObject({ allowance: 1n })
})
