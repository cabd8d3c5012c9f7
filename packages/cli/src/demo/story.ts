import { type Card, createPurser, type Purser, type Transaction } from '@purser/sdk'
import { createBuyer, createTokenReader, readPayTo } from '../../demo/x402-buyer.ts'
import { TRANSACTION_COLUMNS } from '../commands/cards.ts'
import type { DevFile } from '../context.ts'
import { Fault } from '../fault.ts'
import { table } from '../table.ts'
import { type MandatePayment, payByAgent, SHOP_LIMIT } from './mandate.ts'
import { type Seller, startSeller } from './seller.ts'
import { fromUnits, toUnits } from './units.ts'

const LIMIT = '5'
const LINK_AMOUNT = '0.25'
const BUYER_FUNDS = '1'
const CHAIN_PATIENCE_MS = 30_000

export type DemoResult = {
  ok: boolean
  card: Card
  payment: { transaction_id: string | null; amount_debited: number; tx_hash: string | null }
  mandate: MandatePayment
  pay_link: { code: string; url: string; payer: string; tx_hash: string | null }
  transactions: Transaction[]
  treasury: { before: number; after: number }
  checks: { check: string; expected: string; actual: string; ok: boolean }[]
}
type Tell = (line: string) => void
type Stage = {
  dev: DevFile
  purser: Purser
  tell: Tell
  balanceOf: ReturnType<typeof createTokenReader>
}

/** The whole story on a running local service; each step is printed as it happens. */
export async function runDemo(dev: DevFile, say: Tell): Promise<DemoResult> {
  let step = 0
  const tell: Tell = (line) => say(`${++step}. ${line}`)
  const purser = createPurser({ baseUrl: dev.base_url, apiKey: dev.demo.api_key })
  const stage: Stage = { dev, purser, tell, balanceOf: createTokenReader(dev.rpc_url, dev.usdc) }
  const before = {
    treasury: await readTreasury(purser),
    custody: await stage.balanceOf(dev.treasury),
  }

  const issued = await purser.issueCard({ purpose: 'Purser demo', limit_amount: LIMIT })
  tell(`Issued card ${issued.id} with ${LIMIT} USDC from the treasury balance.`)
  await using seller = await startSeller(dev)
  tell(`Started an x402 seller of the official packages at ${seller.url}; it asks for $0.01.`)
  const payment = await payApi(stage, issued, seller)
  const mandate = await payByAgent(stage, issued)
  const link = await getPaid(stage, issued)

  const { card } = await purser.GET('/api/cards/{id}', { params: { path: { id: issued.id } } })
  const { card: shop } = await purser.GET('/api/cards/{id}', {
    params: { path: { id: mandate.shop_card_id } },
  })
  const transactions: Transaction[] = []
  for await (const row of purser.listTransactions(card.id)) transactions.push(row)
  tell('What the card did:')
  say(table(transactions, TRANSACTION_COLUMNS, { none: 'Nothing.' }))
  const treasury = { before: before.treasury, after: await readTreasury(purser) }
  const checks = await check(stage, {
    card,
    shop,
    mandate,
    transactions,
    treasury,
    custody: before.custody,
    link,
    seller,
  })
  const ok = checks.every((each) => each.ok)
  tell(`Card ${card.balance} USDC, treasury balance ${treasury.after} USDC. To the unit:`)
  say(
    indent(
      checks
        .map(
          (each) =>
            `${each.ok ? 'ok   ' : 'WRONG'} ${each.check}: ${each.actual}${each.ok ? '' : `, not ${each.expected}`}`,
        )
        .join('\n'),
    ),
  )
  const { address: payer, code, url, txHash } = link
  return {
    ok,
    card,
    payment,
    mandate,
    pay_link: { code, url, payer, tx_hash: txHash },
    transactions,
    treasury,
    checks,
  }
}

/** The card pays the seller's API. */
async function payApi({ purser, tell }: Stage, card: Card, seller: Seller) {
  const paid = await purser.pay(card, { url: seller.url, method: 'GET', max_amount: '0.05' })
  if (paid.outcome !== 'paid' || paid.response?.status !== 200)
    throw new Fault(`The seller did not serve: it answered ${paid.response?.status ?? 'nothing'}.`)
  tell(
    `Paid it with the card: ${paid.amount_debited} USDC, of it ${paid.platform_fee} fee. It answered ${JSON.stringify(paid.response.body)}.`,
  )
  const id = paid.transaction_id ?? ''
  const settlement = await purser.settlement(id)
  if (settlement.status !== 'SETTLED') throw new Fault(`Payment ${id} is ${settlement.status}.`)
  tell(`The chain settled it: ${settlement.tx_hash}.`)
  return {
    transaction_id: paid.transaction_id,
    amount_debited: paid.amount_debited,
    tx_hash: settlement.tx_hash,
  }
}

/** A stranger pays a link on the card, with the official client. */
async function getPaid({ dev, purser, tell }: Stage, card: Card) {
  const link = await purser.createPayLink({
    card_id: card.id,
    amount: LINK_AMOUNT,
    memo: 'Purser demo',
  })
  tell(`Opened pay link ${link.url} for ${LINK_AMOUNT} USDC on the card.`)
  const payTo = await readPayTo(link.url)
  const buyer = createBuyer(dev.network)
  await purser.POST('/api/dev/faucet', {
    body: { wallet_address: buyer.address, amount: BUYER_FUNDS },
  })
  const response = await buyer.fetch(link.url)
  if (!response.ok)
    throw new Fault(
      `The link answered the x402 client ${response.status}: ${await response.text()}`,
    )
  const receipt = (await response.json()) as { tx_hash?: string | null }
  tell(
    `A fresh wallet, ${buyer.address}, paid it with the official x402 client: ${receipt.tx_hash}.`,
  )
  const { code, url } = link
  return { code, url, payTo, address: buyer.address, txHash: receipt.tx_hash ?? null }
}

type Outcome = {
  card: Card
  shop: Card
  mandate: MandatePayment
  transactions: Transaction[]
  treasury: { before: number; after: number }
  /** The treasury address's earlier balance, in base units. */
  custody: bigint
  link: Awaited<ReturnType<typeof getPaid>>
  seller: Seller
}

/** Compares the service's own figures with each other, and with the chain. */
async function check({ dev, balanceOf }: Stage, outcome: Outcome): Promise<DemoResult['checks']> {
  const { card, shop, mandate, transactions, treasury, link, seller } = outcome
  const sum = (direction: string, of: (row: Transaction) => number) =>
    transactions
      .filter((row) => row.direction === direction)
      .reduce((total, row) => total + toUnits(of(row)), 0n)
  const shopFee = toUnits(mandate.fee)
  const fees = sum('sent', (row) => row.fee) + sum('received', (row) => row.fee) + shopFee
  const cards = toUnits(card.balance) + toUnits(shop.balance)
  const ledger = cards + toUnits(treasury.after) - toUnits(treasury.before) + fees
  // A payment to a link stays at the link's own address until it is swept to the treasury.
  const held = async () => {
    const own = await balanceOf(dev.treasury)
    return link.payTo === dev.treasury ? own : own + (await balanceOf(link.payTo))
  }
  const custody = await settled(held, outcome.custody + ledger)
  const rows: [string, bigint, bigint][] = [
    [
      'the card holds its limit, less what it sent, with what it received',
      toUnits(LIMIT) - sum('sent', (row) => row.amount) + sum('received', (row) => row.amount),
      toUnits(card.balance),
    ],
    [
      'the shop holds its limit, and the price of its link less the fee',
      toUnits(SHOP_LIMIT) + toUnits(mandate.amount) - shopFee,
      toUnits(shop.balance),
    ],
    [
      'the treasury balance gave both cards their limits',
      toUnits(treasury.before) - toUnits(LIMIT) - toUnits(SHOP_LIMIT),
      toUnits(treasury.after),
    ],
    ['the seller has its price on chain', toUnits('0.01'), await balanceOf(seller.payTo)],
    [
      'the stranger has the rest on chain',
      toUnits(BUYER_FUNDS) - toUnits(LINK_AMOUNT),
      await balanceOf(link.address),
    ],
    ['custody on chain moved as cards, treasury and fees did', ledger, custody - outcome.custody],
  ]
  return rows.map(([name, expected, actual]) => ({
    check: name,
    expected: fromUnits(expected),
    actual: fromUnits(actual),
    ok: expected === actual,
  }))
}

/** Reads until the result is as expected, for as long as a sweep may take. */
async function settled(read: () => Promise<bigint>, expected: bigint): Promise<bigint> {
  const deadline = performance.now() + CHAIN_PATIENCE_MS
  for (;;) {
    const value = await read()
    if (value === expected || performance.now() > deadline) return value
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function readTreasury(purser: Purser): Promise<number> {
  const { balances } = await purser.GET('/api/balance')
  return balances[0]?.available ?? 0
}

const indent = (text: string): string => text.replace(/^/gm, '   ')
