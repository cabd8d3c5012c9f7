/** A page of what settlements show takes a page of their rows, whatever a wallet or a card has of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../test/actors/ap2/shop.ts'
import { type World, world } from '../../../test/world.ts'
import { FEED_START } from '../../api/events/cursor.ts'
import { readFeed } from '../../api/events/feed.ts'
import { findLast } from '../../api/events/place.ts'
import { all, one, sql, type Tx } from '../../base/db/sql.ts'
import { timeOf } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { readPayments } from '../../business/stats/store-payments.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { listMandates } from '../../rails/ap2/mandates/store.ts'
import { listDecisions } from '../cards/decisions.ts'
import { byAmount, idsWithin, listFound } from '../cards/lists/store-found.ts'
import { readCards } from '../cards/store.ts'
import { listTransactions } from '../cards/transactions.ts'
import { findPaidOnChain, settlementsOfLink } from './store.ts'

const ROWS = 4_000
const LIMIT = 20
/** Rows that a read may take of the table: a page for each source and side of it, and what it adds to them. */
const MOST = 10 * LIMIT

let w: World
let of: {
  link: string
  card: string
  payer: string
  receiver: string
  seller: string
  newest: string
}
beforeAll(async () => {
  w = await world()
  const shop = await openShop(w)
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const { status, text } = await settleWith(shop.payer, settleBody(shop, closed))
  expect(status, text).toBe(201)
  // Rows that only reads see: beside those of this card, as many of others.
  of = await w.write(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`insert into settlements
      select (jsonb_populate_record(s, jsonb_build_object('id', 'stl_' || lpad(to_hex(n), 10, '0') || repeat('0', 16),
        'mandate_id', 'copy ' || n, 'seq', n) || case when n % 2 = 0 then '{}' else jsonb_build_object('payer', 'card_' || n,
        'payer_wallet', 'payer ' || n, 'receiver_wallet', 'seller ' || n, 'receiver_card_id', 'card_till_' || n) end)).*
      from settlements s, generate_series(1, ${2 * ROWS}::integer) n`.execute(tx)
    // Without these cards the planner would expect that hardly a settlement has the card that received it.
    await sql`insert into cards
      select (jsonb_populate_record(c, jsonb_build_object('id', 'card_till_' || n, 'account_id', -n,
        'wallet_address', 'seller ' || n, 'token_hash', sha256(n::text::bytea)))).*
      from cards c, generate_series(1, ${2 * ROWS}::integer, 2) n where c.id = ${shop.sellerCard.id}`.execute(
      tx,
    )
    await sql`analyze settlements, cards`.execute(tx)
    const [row] = await all(
      tx,
      sql<
        typeof of
      >`select pay_link_id as link, payer as card, payer_wallet as payer, receiver_card_id as receiver,
        receiver_wallet as seller, max(id) as newest from settlements where payer = ${shop.card.id} group by 1, 2, 3, 4, 5`,
    )
    return row as typeof of
  })
})
afterAll(() => w[Symbol.asyncDispose]())

const rowsRead = async (tx: Tx): Promise<number> => {
  const row = await one(
    tx,
    sql<{ n: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as n
      from pg_stat_xact_user_tables where relname like 'settlements%'`,
  )
  return row?.n ?? 0
}
const middle = (prefix: string, part = 1) =>
  `${prefix}_${(ROWS * part).toString(16).padStart(10, '0')}${'0'.repeat(16)}`

const reads: [what: string, read: (tx: Tx) => Promise<unknown[]>][] = [
  [
    "a wallet's transactions",
    (tx) => listTransactions(tx, { walletAddress: of.payer, limit: LIMIT }),
  ],
  [
    'the next page of them',
    (tx) => listTransactions(tx, { walletAddress: of.payer, limit: LIMIT, after: middle('txn') }),
  ],
  [
    "a wallet's transactions of a time",
    (tx) => {
      const [since, before] = [timeOf('txn', middle('txn', 0.5)), timeOf('txn', middle('txn'))]
      return listTransactions(tx, { walletAddress: of.payer, limit: LIMIT, since, before })
    },
  ],
  [
    'what a wallet received',
    (tx) => listTransactions(tx, { walletAddress: of.seller, limit: LIMIT }),
  ],
  [
    "a card's transactions",
    (tx) => listTransactions(tx, { walletAddress: of.payer, cardId: of.card, limit: LIMIT }),
  ],
  [
    'what a card received',
    (tx) => listTransactions(tx, { walletAddress: of.seller, cardId: of.receiver, limit: LIMIT }),
  ],
  [
    'payments of an amount',
    async (tx) => {
      const filter = { walletAddress: of.payer, limit: LIMIT, after: middle('txn') }
      const [any] = await listTransactions(tx, { ...filter, limit: 1 })
      return listFound(tx, filter, byAmount(filter, [any?.amount as Amount]))
    },
  ],
  [
    'payments of a link',
    (tx) => {
      const filter = { walletAddress: of.seller, limit: LIMIT, after: middle('txn') }
      const range = { ...idsWithin('stl', filter), limit: LIMIT + 1 }
      return listFound(tx, filter, {
        settlements: [settlementsOfLink(of.link, range)],
        rows: [],
      })
    },
  ],
  [
    "a card's decisions",
    async (tx) => {
      const card = (await readCards(tx, [of.card])).get(of.card)
      return card ? listDecisions(tx, card, { limit: LIMIT, after: middle('dec') }) : []
    },
  ],
  ["a card's mandates", (tx) => listMandates(tx, of.card, { owner: of.payer, limit: LIMIT })],
  [
    "a wallet's events",
    (tx) => readFeed(tx, { after: FEED_START, walletAddress: of.payer, limit: LIMIT }),
  ],
  [
    "events of a wallet's sales",
    (tx) => readFeed(tx, { after: FEED_START, walletAddress: of.seller, limit: LIMIT }),
  ],
  [
    "a wallet's last event",
    async (tx) => [await findLast(tx, { walletAddress: of.payer, cardIds: null })],
  ],
  [
    'payments that a card received',
    (tx) =>
      readPayments(tx, {
        cardId: of.receiver,
        asset: defaultAsset(w.services.chain),
        after: '',
        limit: LIMIT,
      }),
  ],
]

test.each(reads)('%s take a page of rows', async (_, read) => {
  await w.write(async (tx) => {
    const before = await rowsRead(tx)
    expect((await read(tx)).length).toBeGreaterThan(0)
    const taken = (await rowsRead(tx)) - before
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThan(MOST)
  })
})

test('a hash that is nobody’s payment takes no rows of others', async () => {
  await w.write(async (tx) => {
    const before = await rowsRead(tx)
    const name = `0x${'ab'.repeat(32)}`
    expect(await findPaidOnChain(tx, { wallet: `0x${'cd'.repeat(20)}`, name })).toBeUndefined()
    expect((await rowsRead(tx)) - before).toBeLessThan(MOST)
  })
})
