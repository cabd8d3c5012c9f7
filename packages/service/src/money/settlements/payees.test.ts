/** Cards pay wallets and the house through a lane, as rooms with agreements and memberships will. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceOf, cardOf, type Held, issue } from '../../../test/actors/attack-kit.ts'
import { eventsFor } from '../../../test/events-of.ts'
import { type User, type World, world } from '../../../test/world.ts'
import type { Lane } from '../../base/db/lanes/lane.ts'
import { all, sql } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { newId } from '../../base/kernel/ids.ts'
import { amount } from '../../base/kernel/money.ts'
import { notFound, refuse } from '../../base/kernel/problem.ts'
import { tierAt } from '../../members/membership/store.ts'
import { issueCards } from '../cards/issue/issue.ts'
import { NO_PACE } from '../cards/rules/pace.ts'
import { NO_LIMITS } from '../cards/windows.ts'
import { houseKey, treasuryKey } from '../ledger/account-keys.ts'
import { openAccount } from '../ledger/accounts.ts'
import { readAvailable } from '../ledger/balance.ts'
import { post } from '../ledger/post.ts'
import { insertDeposits } from '../treasury/deposits/store.ts'
import { newBatch, readBatch } from './batch.ts'
import { readHousePayee, readWalletPayees } from './payee.ts'
import { type SettleOutcome, settle } from './settle.ts'
import type { Revenue } from './settlement.ts'
import { writeBatch } from './write.ts'

type Payment = {
  cardId: string
  to: { wallet: string } | { house: Revenue }
  units: bigint
  asset: Asset
  /** The asset that the payee takes; that of the payment without it. */
  takes?: Asset
}

const lane = (w: World): Lane<Payment, SettleOutcome> => ({
  name: 'payments to any payee',
  async run(tx, at, payments) {
    const payees = await Promise.all(
      payments.map(async ({ to, asset, takes = asset }) => {
        if ('house' in to) return readHousePayee(tx, { account: to.house, asset: takes })
        const read = await readWalletPayees(tx, {
          wallets: [to.wallet],
          asset: takes,
          tierOf: tierAt(at),
        })
        return read.get(to.wallet)
      }),
    )
    const cardIds = payments.map(({ cardId }) => cardId)
    const rows = await readBatch(tx, at, { cardIds, assets: payments.map(({ asset }) => asset) })
    const batch = newBatch(at, rows)
    const outcomes = payments.map(({ cardId, units, asset }, i): SettleOutcome => {
      const [payer, payee] = [batch.cards.get(cardId), payees[i]]
      if (!payer || !payee) return refuse(notFound('card'))
      const { fee } = w.services.settings
      return settle(batch, { payer, payee, amount: amount(units), rail: 'card', asset, fee })
    })
    writeBatch(tx, batch)
    return outcomes
  },
})

/** Pays all at once on each machine, and answers `ok` or the code of the refusal. */
async function pay(machines: World[], payments: Payment[]): Promise<string[]> {
  const [first] = machines as [World]
  const shared = lane(first)
  const outcomes = await Promise.all(
    payments.map((payment, i) =>
      (machines[i % machines.length] as World).services.lanes.submit(shared, payment),
    ),
  )
  return outcomes.map((outcome) => (outcome.kind === 'settled' ? 'ok' : outcome.problem.code))
}

let w: World
let other: World
let usdc: Asset
let buyer: User
beforeAll(async () => {
  w = await world()
  other = await w.machine()
  usdc = w.chain.asset
  buyer = await w.user({ treasury: 100 })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await w[Symbol.asyncDispose]()
})

/** Has the wallet pay this rate. */
const setRule = (wallet: string, bps: number, flat = 0) =>
  w.write((tx) =>
    sql`insert into fee_rules (scope, subject, kind, bps, flat, effective_at)
      values ('wallet', ${wallet}, 'settlement', ${bps}, ${flat}, now())`.execute(tx),
  )

const house = async (account: Revenue, asset = usdc): Promise<bigint> => {
  const key = houseKey(asset, account)
  const [row] = await all(
    w.db.reader,
    sql<{ posted: bigint }>`select coalesce(sum(p.posted), 0)::numeric as posted
      from ledger_house_parts p join ledger_accounts a on a.id = p.account_id
      where a.kind = ${key.kind} and a.network = ${key.network} and a.asset = ${key.asset}`,
  )
  return row?.posted ?? 0n
}

test('a card pays the balance of a wallet, which is charged its own fee', async () => {
  const [plain, cheap] = [await w.user(), await w.user()]
  await setRule(cheap.wallet, 10, 500)
  const card = await issue(buyer, 10)
  const fees = await house('fees')
  const to = (wallet: string) => ({
    cardId: card.id,
    to: { wallet },
    units: 2_000_000n,
    asset: usdc,
  })
  expect(await pay([w], [to(plain.wallet), to(cheap.wallet)])).toEqual(['ok', 'ok'])

  // 0.5 % of 2 USDC is the service's own fee; 0.1 % and 0.0005 USDC is that of the other wallet.
  expect(await balanceOf(plain)).toBe(1.99)
  expect(await balanceOf(cheap)).toBe(1.9975)
  expect((await house('fees')) - fees).toBe(12_500n)
  expect(await cardOf(buyer, card.id)).toMatchObject({ spent: 4, balance: 6 })
  const balances = (await plain.get('/api/balance')).body.balances
  expect(balances).toMatchObject([{ total_funded: 1.99, available: 1.99 }])

  const { payments } = (await buyer.get(`/api/payments?card_id=${card.id}`)).body
  expect(payments.map((one: { merchant: string }) => one.merchant).sort()).toEqual(
    [plain.wallet, cheap.wallet].sort(),
  )
  const { decisions } = (await buyer.get(`/api/cards/${card.id}/decisions`)).body
  expect(decisions).toHaveLength(2)
  const events = await eventsFor(w.db.reader, cheap)
  expect(events.filter(({ type }) => type.startsWith('payment.'))).toMatchObject([
    { type: 'payment.settled', data: { fee: 0.0025, net_amount: 1.9975, pay_link_code: null } },
  ])
  expect(await w.faults()).toEqual([])
})

test('a card pays an account of the house, which pays no fee and has no event', async () => {
  const card = await issue(buyer, 5)
  const before = [await house('membership_revenue'), await house('fees')] as const
  const payment = { cardId: card.id, to: { house: 'membership_revenue' as const }, asset: usdc }
  expect(await pay([w], [{ ...payment, units: 3_000_000n }])).toEqual(['ok'])
  expect((await house('membership_revenue')) - before[0]).toBe(3_000_000n)
  expect(await house('fees')).toBe(before[1])
  const { payments } = (await buyer.get(`/api/payments?card_id=${card.id}`)).body
  expect(payments).toMatchObject([{ merchant: 'membership_revenue', amount: 3, fee: 0 }])
  expect(await w.faults()).toEqual([])
})

test('two services never take more from a card than its limit, whoever is paid', async () => {
  const card = await issue(buyer, 10)
  const seller = await w.user()
  const received = await house('membership_revenue')
  const payments = Array.from({ length: 24 }, (_, i) => ({
    cardId: card.id,
    to: i % 4 < 2 ? { wallet: seller.wallet } : { house: 'membership_revenue' as const },
    units: 1_000_000n,
    asset: usdc,
  }))
  const outcomes = await pay([w, other], payments)
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10)
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'limit_exceeded']))
  expect(await cardOf(buyer, card.id)).toMatchObject({ spent: 10, balance: 0 })
  const toHouse = Number((await house('membership_revenue')) - received) / 1e6
  expect(Math.round((await balanceOf(seller)) / 0.995) + toHouse).toBe(10)
  expect(await w.faults()).toEqual([])
})

test('the policy of the card decides by wallet and category, and its own wallet is no payee', async () => {
  const seller = await w.user()
  const only = await issue(buyer, 5, { allowed_merchants: [seller.wallet] })
  const locked = await issue(buyer, 5, { mcc_locks: '5812' })
  const units = 1_000_000n
  const to = (card: Held, wallet: string) => ({
    cardId: card.id,
    to: { wallet },
    units,
    asset: usdc,
  })
  const elsewhere = await w.user()
  expect(
    await pay(
      [w],
      [
        to(only, seller.wallet),
        to(only, elsewhere.wallet),
        to(only, buyer.wallet),
        to(locked, seller.wallet),
      ],
    ),
  ).toEqual(['ok', 'merchant_not_allowed', 'invalid_payment', 'mcc_blocked'])
  expect(await w.faults()).toEqual([])
})

/** A card of the buyer that holds another asset, with a deposit of it. */
async function cardIn(asset: Asset, units: bigint): Promise<string> {
  return w.write(async (tx) => {
    const [at, id] = [w.now(), newId('dep', w.now())]
    const { network, symbol } = asset
    const place = { txHash: `0x${'ab'.repeat(32)}` as const, logIndex: 0 }
    const block = { blockNumber: 1n, blockHash: `0x${'cd'.repeat(32)}` as const }
    const deposit = { id, network, asset: symbol, amount: amount(units), createdAt: at }
    await insertDeposits(tx, [{ ...deposit, ...place, ...block, walletAddress: buyer.wallet }])
    const custody = await openAccount(tx, houseKey(asset, 'custody'))
    const treasury = await openAccount(tx, treasuryKey(asset, buyer.wallet))
    const entries = [
      { account: custody, amount: -units },
      { account: treasury, amount: units },
    ]
    await post(tx, at, [{ kind: 'deposit', ref: id, entries }])
    const [outcome] = await issueCards(tx, at, [
      {
        walletAddress: buyer.wallet,
        asset,
        purpose: 'x',
        limitAmount: amount(units),
        mccLocks: '',
        singleUse: false,
        expiresAt: null,
        ...NO_LIMITS,
        maxTransaction: null,
        ...NO_PACE,
        approvalAbove: null,
        approvalFirstMerchant: false,
        allowedMerchants: [],
        metadata: {},
        settlementMode: 'CUSTODIAL',
      },
    ])
    if (outcome?.kind !== 'issued') throw new Error('the card was not issued')
    return outcome.card.id
  })
}

test('a batch in two assets charges each in its own, and refuses a payee of the other', async () => {
  const eurc: Asset = {
    ...usdc,
    symbol: 'EURC',
    contract: '0x808456652fdb597867f38412077A9182bf77359F',
  }
  const [dollars, euros] = [await issue(buyer, 5), await cardIn(eurc, 5_000_000n)]
  const seller = await w.user()
  const to = { wallet: seller.wallet }
  const fees = [await house('fees'), await house('fees', eurc)] as const
  const units = 1_000_000n
  expect(
    await pay(
      [w],
      [
        { cardId: dollars.id, to, units, asset: usdc },
        { cardId: euros, to, units: 2n * units, asset: eurc },
        { cardId: euros, to, units, asset: usdc },
        { cardId: dollars.id, to, units, asset: usdc, takes: eurc },
      ],
    ),
  ).toEqual(['ok', 'ok', 'invalid_payment', 'invalid_payment'])
  expect((await house('fees')) - fees[0]).toBe(5_000n)
  expect((await house('fees', eurc)) - fees[1]).toBe(10_000n)
  expect(await readAvailable(w.db.reader, treasuryKey(usdc, seller.wallet))).toBe(995_000n)
  expect(await readAvailable(w.db.reader, treasuryKey(eurc, seller.wallet))).toBe(1_990_000n)
  expect(await w.faults()).toEqual([])
})
