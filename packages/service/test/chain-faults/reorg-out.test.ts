import { expect, test } from 'vitest'
import type { PaymentPayload } from '../../src/base/protocols/x402/payment/payload.ts'
import { balanceOf, cardOf, issue } from '../actors/attack-kit.ts'
import { eventsFor } from '../events-of.ts'
import { bought as boughtCard, listed } from '../market/kit.ts'
import { handMadeSeller } from '../sellers/x402-sellers.ts'
import type { User } from '../world.ts'
import { DEPTHS, type OwnWorld, ownWorld } from './own-world.ts'

const statusOf = async (user: User, id: string) =>
  (await user.get(`/api/withdrawals?id=${id}`)).body.withdrawals[0].status
const isCompleted = (user: User, id: string) => async () =>
  (await statusOf(user, id)) === 'COMPLETED'

async function withdrawn(own: OwnWorld) {
  const user = await own.w.user({ treasury: 10 })
  const reply = await user.post('/api/withdraw', { amount: 4 })
  expect(reply.status, reply.text).toBe(200)
  const id = reply.body.withdrawal_id as string
  await own.during(own.w.runJobs())
  expect(await own.usdcOf(user.wallet)).toBe(3_950_000n)
  return { user, id }
}

test.each(DEPTHS)(
  'a payout that is undone %i deep before its block is safe is paid again, once',
  async (depth) => {
    await using own = await ownWorld()
    const { user, id } = await withdrawn(own)
    await own.blocks(depth - 1)
    await own.reorg(depth)
    expect([await own.usdcOf(user.wallet), await statusOf(user, id)]).toEqual([0n, 'PROCESSING'])
    await own.shiftLogs()
    await own.until(isCompleted(user, id), 5)
    expect(await own.usdcOf(user.wallet)).toBe(3_950_000n)
    expect(await balanceOf(user)).toBe(6)
    await own.expectBooksToMatch()
  },
)

test.each(DEPTHS)(
  'a payout that is undone %i deep after it was called safe raises an alarm; nothing is booked twice',
  async (depth) => {
    await using own = await ownWorld({ safeBlocks: 0 })
    const { user, id } = await withdrawn(own)
    await own.blocks(depth - 1)
    await own.until(isCompleted(user, id), 5)
    const latest = await own.node.getBlockNumber()
    const paidAt = (await own.lastLogTo(user.wallet as `0x${string}`))?.blockNumber ?? 0n
    await own.reorg(Number(latest - paidAt) + 1)
    expect(await own.usdcOf(user.wallet)).toBe(0n)
    await own.during(own.w.runJobs())
    expect(await own.alarms()).toEqual(['undone_payout'])
    // A recent booking may belong to a block that the comparison has not reached.
    await own.call('evm_increaseTime', 700)
    await own.blocks(2)
    await own.until(async () => (await own.alarms()).includes('custody'))
    expect([await statusOf(user, id), await balanceOf(user)]).toEqual(['COMPLETED', 6])
    expect(await own.w.faults()).toEqual([])
  },
)

/** A card that has paid 0.02 to a seller, whose transaction is in the newest block. */
async function bought(own: OwnWorld) {
  const user = await own.w.user({ treasury: 2 })
  const card = await issue(user, 1)
  const handed: { payload?: PaymentPayload } = {}
  const seller = await handMadeSeller({
    amount: 20_000n,
    rpcUrl: own.rpcUrl,
    serve: async ({ response, payload, settle }) => {
      handed.payload = payload
      await settle()
      response.end('served')
    },
  })
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const paid = await own.during(user.post('/api/pay', ask))
  expect(paid.body, paid.text).toMatchObject({ settlement: { status: 'SETTLED' } })
  const id = paid.body.transaction_id as string
  const types = async (): Promise<string[]> =>
    (await user.get(`/api/payments/${id}`)).body.payment.timeline.map(
      ({ type }: { type: string }) => type,
    )
  return {
    user,
    card,
    seller,
    payload: handed.payload!,
    cardNow: () => cardOf(user, card.id),
    isFinal: async () => (await types()).includes('chain.final'),
    statusNow: async () => (await user.get(`/api/payments/${id}`)).body.payment.status,
  }
}

test.each(DEPTHS)(
  'a payment to a seller that is undone %i deep before its block is safe is one payment when it comes again',
  async (depth) => {
    await using own = await ownWorld()
    const b = await bought(own)
    await using _ = b.seller
    await own.blocks(depth - 1)
    await own.reorg(depth)
    await own.during(own.w.runJobs())
    expect(await own.usdcOf(b.seller.payTo)).toBe(0n)
    await own.shiftLogs()
    await own.carry(b.payload)
    await own.until(b.isFinal, 5)
    expect(await own.usdcOf(b.seller.payTo)).toBe(20_000n)
    expect(await b.cardNow()).toMatchObject({ spent: 0.0201, held: 0 })
    await own.expectBooksToMatch()
  },
)

test.each(DEPTHS)(
  'a payment to a seller that is undone %i deep and never comes again goes back to its card',
  async (depth) => {
    await using own = await ownWorld()
    const b = await bought(own)
    await using _ = b.seller
    await own.blocks(depth - 1)
    await own.reorg(depth)
    await own.call('evm_increaseTime', 300)
    await own.blocks(6)
    await own.until(async () => (await b.statusNow()) === 'FAILED', 5)
    expect(await b.cardNow()).toMatchObject({ spent: 0, held: 0, balance: 1 })
    await own.expectBooksToMatch()
  },
)

/** A card as a wallet sees it: counters, money, history, and the wallet's events. */
async function seenBy({ w }: OwnWorld, user: User, cardId: string) {
  const { balance, spent, limit_amount, held } = await cardOf(user, cardId)
  const events = await eventsFor(w.db.reader, user)
  const decisions = (await user.get(`/api/cards/${cardId}/decisions`)).body.decisions
  const { transactions } = (await user.get(`/api/cards/${cardId}/transactions`)).body
  return { balance, spent, limit_amount, held, events, decisions, transactions }
}

// The card was worth what was on it when it changed hands: what comes back later was paid by its earlier owner.
test.each(['sold', 'given away', 'sold and bought back'])(
  'a payment that is undone after its card was %s goes to the balance of the wallet that paid',
  async (way) => {
    await using own = await ownWorld()
    const other = await own.during(own.w.user({ treasury: 50 }))
    const b = await bought(own)
    await using _ = b.seller
    const { user, card } = b
    if (way === 'given away') {
      const given = await user.post(`/api/cards/${card.id}/transfer`, { to_wallet: other.wallet })
      expect(given.status, given.text).toBe(200)
    } else await boughtCard(other, await listed(user, card))
    const owner = way === 'sold and bought back' ? user : other
    if (owner === user) await boughtCard(user, await listed(other, card))
    const before = await seenBy(own, owner, card.id)
    const spentBefore = (await user.get('/api/balance')).body.balances[0].total_spent
    const balanceBefore = await balanceOf(user)
    await own.reorg(1)
    await own.call('evm_increaseTime', 300)
    await own.blocks(6)
    await own.until(async () => (await b.statusNow()) === 'FAILED', 5)
    expect(await balanceOf(user)).toBeCloseTo(balanceBefore + 0.0201, 6)
    const { total_spent } = (await user.get('/api/balance')).body.balances[0]
    expect(total_spent).toBeCloseTo(spentBefore - 0.0201, 6)
    const after = await seenBy(own, owner, card.id)
    expect({ ...after, events: [], transactions: [] }).toEqual({
      ...before,
      events: [],
      transactions: [],
    })
    const failed = { type: 'payment.failed', data: { reason: 'reorganised', card_id: card.id } }
    const failures = (await eventsFor(own.w.db.reader, user)).filter(
      ({ type }) => type === 'payment.failed',
    )
    expect(failures).toMatchObject([failed])
    if (owner === other) expect(after).toEqual(before)
    await own.expectBooksToMatch()
  },
)

test.each(DEPTHS)(
  'a payment to a seller that is undone %i deep after it was called safe is an alarm until it comes again',
  async (depth) => {
    await using own = await ownWorld({ safeBlocks: 0 })
    const b = await bought(own)
    await using _ = b.seller
    await own.blocks(depth - 1)
    await own.until(b.isFinal, 5)
    const latest = await own.node.getBlockNumber()
    const paidAt = (await own.lastLogTo(b.seller.payTo))?.blockNumber ?? 0n
    await own.reorg(Number(latest - paidAt) + 1)
    await own.until(async () => (await own.alarms()).includes('custody'))
    expect(await own.alarms()).toEqual(['custody', 'undone_payout'])
    expect(await b.cardNow()).toMatchObject({ spent: 0.0201, held: 0 })
    await own.carry(b.payload)
    await own.until(async () => (await own.alarms()).length === 0)
    await own.expectBooksToMatch()
  },
)

test.each(DEPTHS)(
  'a deposit that is undone %i deep after its credit is an alarm; the balance stays, and goes below nothing',
  async (depth) => {
    await using own = await ownWorld({ safeBlocks: 0 })
    const user = await own.w.user({ usdc: 5 })
    await own.w.transfer(user.account, own.w.chain.treasury.address, 2_000_000n)
    await own.until(async () => (await balanceOf(user)) === 2, 5)
    await own.blocks(depth - 1)
    const latest = await own.node.getBlockNumber()
    const paidAt = (await own.lastLogTo(own.w.chain.treasury.address))?.blockNumber ?? 0n
    await own.reorg(Number(latest - paidAt) + 1)
    await own.until(async () => (await own.alarms()).length === 2)
    expect(await own.alarms()).toEqual(['custody', 'moved_transfer'])
    expect(await balanceOf(user)).toBe(2)
    expect(await own.w.faults()).toEqual([])
  },
)
