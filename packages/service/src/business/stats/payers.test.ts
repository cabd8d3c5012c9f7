import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  issue,
  open,
  payWith,
  present as presentSigned,
  signed,
} from '../../../test/actors/attack-kit.ts'
import {
  type DirectSeller,
  directSeller,
  present,
  report,
  reportTo,
  x402Payer,
} from '../../../test/actors/direct/direct-kit.ts'
import { newToken, sendBy } from '../../../test/actors/token-kit.ts'
import { officialSeller } from '../../../test/sellers/x402-sellers.ts'
import { bothFigures, followAll } from '../../../test/stats/scan.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { noteHolderAccount, readCardStats } from './store.ts'

let w: World
let base: string
let s: DirectSeller
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
  s = await directSeller(w)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  const { kept, scanned } = await bothFigures(w)
  expect(kept).toEqual(scanned)
  await w[Symbol.asyncDispose]()
})

const statsOf = async (id: string) => {
  await followAll(w)
  return (await readCardStats(w.db.reader, [id], w.now())).get(id)
}

test('DIRECT payments count by their sender; the seller’s own, another token and an exception do not', async () => {
  const payer = await freshAccount({ usdc: 5_000_000n })
  const first = await s.open()
  const url = `${base}/pay/${first.code}`
  expect((await present(url, await x402Payer(payer).header(url))).status).toBe(200)
  const second = await s.open()
  const txHash = await w.transfer(payer, s.wallet, 700_000n)
  await w.safe()
  const body = await report(w, { link: second, txHash, payer, amount: 0.7 })
  expect((await reportTo(w, second, body)).body.status).toBe('SETTLED')
  expect(await statsOf(s.card.id)).toMatchObject({
    rxCount: 2,
    rxLifetime: 1_000_000n,
    protocols: 2,
    payers: 1,
    repeatPayers: 1,
    exceptions: 1,
    selfPayments: 0,
    otherAssets: 0,
  })

  const token = await newToken({ symbol: 'BRD' })
  const bread = { network: w.chain.asset.network, address: token.contract }
  expect((await s.seller.post('/api/tokens', bread)).status).toBe(200)
  const other = await s.open({ asset: token.contract })
  await token.mint(payer.address, 5n * 10n ** 18n)
  const loaf = await sendBy(
    payer,
    token.contract,
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [s.wallet, 5n * 10n ** 17n],
    }),
  )
  await w.safe()
  const reported = await report(w, { link: other, txHash: loaf, payer, amount: 0.5 })
  expect((await reportTo(w, other, reported)).body.status).toBe('SETTLED')
  expect(await statsOf(s.card.id)).toMatchObject({ rxCount: 2, otherAssets: 1 })
})

test('a DIRECT payment that a reorganization took is taken back, with its payer and its time', async () => {
  const before = await statsOf(s.card.id)
  const link = await s.open()
  const payer = await freshAccount({ usdc: 5_000_000n })
  const url = `${base}/pay/${link.code}`
  const answer = await present(url, await x402Payer(payer).header(url))
  const paid = (await answer.json()) as { settlement_id: string }
  expect(await statsOf(s.card.id)).toMatchObject({
    rxCount: (before?.rxCount ?? 0) + 1,
    payers: (before?.payers ?? 0) + 1,
  })
  await w.write(async (tx) => {
    await sql`alter table direct_settlements disable trigger user`.execute(tx)
    await sql`update direct_settlements set nonce = ${`0x${'cd'.repeat(32)}`}, valid_before = 1,
      tx_hash = ${`0x${'ef'.repeat(32)}`} where id = ${paid.settlement_id}`.execute(tx)
    await sql`alter table direct_settlements enable trigger user`.execute(tx)
  })
  await w.safe()
  await w.advance(60)
  await w.runJobs()
  expect(await statsOf(s.card.id)).toEqual(before)
})

test('the account of a seller’s card pays as the seller, from the moment it is known', async () => {
  const seller = await w.user({ treasury: 5 })
  const till = await issue(seller, 1)
  const [before, since] = [await open(seller, till), await open(seller, till)]
  const holder = await freshAccount({ usdc: 5_000_000n })
  const payTo = async (link: { code: string; deposit_address: Address }) => {
    const payment = await signed(w, holder, link.deposit_address, 1_000_000n)
    expect((await presentSigned(w, link.code, payment)).status).toBe(200)
  }
  await payTo(before)
  expect(await statsOf(till.id)).toMatchObject({ rxCount: 1, selfPayments: 0 })
  await w.write((tx) => noteHolderAccount(tx, { cardId: till.id, address: holder.address }))
  await payTo(since)
  expect(await statsOf(till.id)).toMatchObject({ rxCount: 1, selfPayments: 1, payers: 1 })
  // Judged once: the books agree, though the account could change hands.
  await w.write(async (tx) => {
    await sql`delete from holder_accounts`.execute(tx)
  })
  expect(await w.faults()).toEqual([])
  // Only these figures cannot be had from the histories of cards.
  await w.write(async (tx) => {
    await sql`update card_transaction_rows set merchant = wallet_address where card_id = ${till.id}
      and ref in (select ref from own_payments)`.execute(tx)
  })
})

// All cards pay URLs from the address of the service, so that address says nothing of the payer.
test('a card that pays a link by its URL, over the chain, pays as its own wallet', async () => {
  const [seller, stranger] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  const till = await issue(seller, 1)
  const payAs = async (user: User, code: string) => {
    const { id, token } = await issue(user, 3)
    const url = `${base}/pay/${code}`
    const order = { card_id: id, card_token: token, url, method: 'GET' }
    const paid = await user.post('/api/pay', order)
    expect([paid.status, paid.body.outcome], paid.text).toEqual([200, 'paid'])
  }
  for (const user of [seller, stranger, stranger])
    await payAs(user, (await open(seller, till)).code)
  const direct = await statsOf(s.card.id)
  for (const user of [stranger, seller]) await payAs(user, (await s.open()).code)
  expect(await statsOf(till.id)).toMatchObject({
    rxCount: 2,
    payers: 1,
    repeatPayers: 1,
    selfPayments: 1,
  })
  expect((await statsOf(s.card.id))?.payers).toBe((direct?.payers ?? 0) + 2)
})

test('money that the holder gave to payers is known: by payments, to cards and addresses, and withdrawals', async () => {
  await using elsewhere = await officialSeller({ price: '$0.01' })
  const [seller, paid, paidOut, stranger] = await Promise.all(
    [40, 20, 0, 20].map((treasury) => w.user({ treasury })),
  )
  const [till, card] = [await issue(paid!, 1), await issue(seller!, 5)]
  const theirs = await open(paid!, till, { type: 'RECURRING', max_uses: 0 })
  expect((await payWith(w, theirs.code, card)).status).toBe(200)
  const sent = await seller!.post('/api/withdraw', { amount: 5, to_address: paidOut!.wallet })
  expect(sent.status, sent.text).toBeLessThan(300)
  const { id, token } = await issue(seller!, 3)
  const order = { card_id: id, card_token: token, url: elsewhere.url, method: 'GET' }
  expect((await seller!.post('/api/pay', order)).body.outcome).toBe('paid')
  await w.safe()
  await w.advance(60)
  await w.runJobs()
  await followAll(w)
  const given = async () => {
    const { rows } = await sql<{ toWallet: string }>`select to_wallet from wallet_payments
      where from_wallet = ${seller!.wallet}`.execute(w.db.reader)
    return new Set(rows.map(({ toWallet }) => toWallet))
  }
  const before = [paid!.wallet, paidOut!.wallet, elsewhere.payTo]
  expect(await given()).toEqual(new Set(before))
  // A payer that is known already pays the card's next owner.
  const moved = await paid!.post(`/api/cards/${till.id}/transfer`, { to_wallet: stranger!.wallet })
  expect(moved.status, moved.text).toBe(200)
  expect((await payWith(w, theirs.code, card)).status).toBe(200)
  await followAll(w)
  expect(await given()).toEqual(new Set([...before, stranger!.wallet]))
})
