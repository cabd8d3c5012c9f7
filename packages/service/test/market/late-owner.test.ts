/**
 * Every operation on what belongs to a card, by its owner of before, sent while a sale or a transfer has all of it locked. It was
 * allowed when it was sent, and waits: once the hand-over is committed it must change nothing of the new owner's.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, sql, type Tx } from '../../src/base/db/sql.ts'
import type { Address } from '../../src/base/kernel/assets.ts'
import { publicJwkOf } from '../../src/base/protocols/ap2/jose/keys.ts'
import { buyCard } from '../../src/business/market/sale/buy.ts'
import { transferCard } from '../../src/business/market/sale/transfer.ts'
import { addKey, kidOf, newKey } from '../actors/ap2/shop.ts'
import { agree, monthly, openBilling } from '../billing/kit.ts'
import { until } from '../until.ts'
import { type Card, type Reply, type User, type World, world } from '../world.ts'
import { linkOf, listed, payLink } from './kit.ts'

let w: World
let payer: User
let payerCard: Card
let seller: User
let friend: User
beforeAll(async () => {
  w = await world()
  const billing = await openBilling(w)
  ;[payer, payerCard] = [billing.payer, billing.card]
  seller = await w.user({ treasury: 10_000 })
  friend = await w.user({ treasury: 10_000 })
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

/** A card with all that may belong to one. */
async function business() {
  const card = await seller.card({ limit: 50 })
  const spare = await linkOf(seller, card)
  const link = await linkOf(seller, card, { amount: null, type: 'RECURRING' })
  const agreement = await agree(payer, payerCard, monthly(link.code))
  const paid = await payLink(w, link.code, payerCard, { amount: 3 })
  expect(paid.status, paid.text).toBe(200)
  const { payments } = (await seller.get(`/api/payments?card_id=${card.id}`)).body
  const of = { card_id: payerCard.id, card_token: payerCard.token }
  const ask = { ...of, budget: 1, tick_amount: 0.5, receiver_card_id: card.id }
  const stream = (await payer.post('/api/mpp/stream/open', ask)).body
  await payer.post('/api/mpp/stream/tick', { ...of, stream_id: stream.id })
  const key = newKey()
  await addKey(w, card.id, key, 'user')
  const asked = { ...{ max_amount: 5, currency: 'USD', ttl_minutes: 60 }, ...tokenOf(card) }
  const agent_key = publicJwkOf(newKey())
  const mandate = (await seller.post('/api/ap2/open-mandate', { ...asked, agent_key })).body
  return { card, link, spare, agreement, payment: payments[0], stream, key, mandate }
}
type Business = Awaited<ReturnType<typeof business>>

const tokenOf = (card: Card) => ({ card_id: card.id, card_token: card.token })

type Act = (of: Business) => Promise<Reply>
const onCard =
  (verb: string, body: (card: Card) => object | undefined = () => undefined): Act =>
  ({ card }) =>
    seller.post(`/api/cards/${card.id}/${verb}`, body(card))
const onAgreement =
  (verb: string): Act =>
  ({ agreement }) =>
    seller.post(`/api/billing/agreements/${agreement.id}/${verb}`)

const ACTS: Record<string, Act> = {
  refund: ({ payment }) => seller.post(`/api/payments/${payment.id}/refund`),
  'refund of a part': ({ payment }) =>
    seller.post(`/api/payments/${payment.id}/refund`, { amount: 1 }),
  freeze: onCard('freeze'),
  cancel: onCard('cancel'),
  claim: onCard('claim', ({ token }) => ({ token })),
  fund: onCard('fund', () => ({ amount: 5 })),
  'rotate the token': onCard('rotate-token'),
  transfer: onCard('transfer', () => ({ to_wallet: payer.wallet })),
  identity: onCard('identity'),
  controls: ({ card }) =>
    seller.send('PATCH', `/api/cards/${card.id}/controls`, { max_transaction: 1 }),
  'open a link': ({ card }) => seller.post('/api/paylinks', { card_id: card.id, amount: 1 }),
  'cancel a link': ({ spare }) => seller.send('DELETE', `/api/paylinks/${spare.code}`),
  'pause an agreement': onAgreement('pause'),
  'resume an agreement': onAgreement('resume'),
  'cancel an agreement': onAgreement('cancel'),
  'list it': ({ card }) => seller.post('/api/listings', { card_id: card.id, price: 30 }),
  'close a stream': ({ stream }) => seller.post('/api/mpp/stream/close', { stream_id: stream.id }),
  'open a session': ({ card }) =>
    seller.post('/api/mpp/session', { ...tokenOf(card), merchant: 'shop' }),
  'open a stream': ({ card }) =>
    seller.post('/api/mpp/stream/open', { ...tokenOf(card), budget: 1, tick_amount: 1 }),
  'register a key': ({ card }) => {
    const jwk = publicJwkOf(newKey())
    return seller.post('/api/ap2/keys', { ...tokenOf(card), jwk, role: 'user' })
  },
  'revoke a key': ({ key }) => seller.send('DELETE', `/api/ap2/keys/${kidOf(key)}`),
  'revoke a mandate': ({ mandate }) =>
    seller.post(`/api/ap2/mandates/${mandate.mandate_id}/revoke`),
  'sign a mandate': ({ card }) =>
    seller.post('/api/ap2/mandate', {
      ...tokenOf(card),
      ...{ payee: friend.wallet, amount: 1, currency: 'USD' },
    }),
  'prepare an agreement': ({ card }) =>
    seller.post('/api/billing/agreements/prepare', {
      ...{ payer_card_id: card.id, merchant_wallet: friend.wallet, amount: 1 },
      ...{ trigger_type: 'interval', period_days: 30 },
    }),
}

/** All that belongs to the card, as the database has it. */
async function standing({ card }: Business): Promise<unknown> {
  const rows = (table: string, where: string) =>
    all(
      w.db.reader,
      sql`select to_jsonb(t) - 'updated_at' as row from ${sql.raw(table)} t where ${sql.raw(where)} order by 1`,
    )
  const links = `select code from pay_links where card_id = '${card.id}'`
  return Promise.all([
    rows('cards', `id = '${card.id}'`),
    rows('ledger_accounts', `id = (select account_id from cards where id = '${card.id}')`),
    rows('pay_links', `card_id = '${card.id}'`),
    rows('agreements', `pay_link_code in (${links})`),
    rows('agreement_keys', `card_id = '${card.id}'`),
    rows('ap2_card_keys', `card_id = '${card.id}'`),
    rows('ap2_open_mandates', `card_id = '${card.id}'`),
    rows('mpp_streams', `'${card.id}' in (card_id, receiver_card_id)`),
    rows('mpp_sessions', `card_id = '${card.id}'`),
    rows(
      'card_refunds',
      `ref in (select id from settlements where receiver_card_id = '${card.id}')`,
    ),
    rows('listings', `card_id = '${card.id}' and status in ('LISTED', 'SETTLING')`),
  ])
}

/** Runs the hand-over up to its commit, which waits for the function that this answers. */
async function handingOver(work: (tx: Tx) => Promise<unknown>) {
  const [gate, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ended = w.services.db.write(async (tx) => {
    await work(tx)
    done.resolve()
    await gate.promise
  })
  await Promise.race([done.promise, ended])
  return async () => {
    gate.resolve()
    await ended
  }
}

const isWaiting = async () =>
  (
    await all(
      w.db.reader,
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0

async function late(act: Act, of: Business, work: (tx: Tx) => Promise<unknown>) {
  const commit = await handingOver(work)
  const state = { isOver: false }
  const acting = act(of).finally(() => {
    state.isOver = true
  })
  await until(async () => state.isOver || (await isWaiting()), Boolean, { everyMs: 5 })
  const isBefore = state.isOver
  await commit()
  const handedOver = isBefore ? undefined : await standing(of)
  return { isBefore, reply: await acting, handedOver }
}

describe.each(['a sale', 'a transfer'] as const)(
  '%s is committed while its seller asks to',
  (kind) => {
    test.each(Object.entries(ACTS))('%s: nothing of the new owner’s changes', async (name, act) => {
      const of = await business()
      const { settings } = w.services
      const shared = { asset: w.chain.asset, settings }
      const listing = kind === 'a sale' ? await listed(seller, of.card) : undefined
      const { reply, isBefore, handedOver } = await late(act, of, (tx) =>
        listing
          ? buyCard(tx, w.now(), {
              ...shared,
              listingId: listing.id,
              buyer: friend.wallet as Address,
              version: listing.version,
              checkPrice: () => undefined,
            })
          : transferCard(tx, w.now(), {
              ...shared,
              cardId: of.card.id,
              walletAddress: seller.wallet as Address,
              toWallet: friend.wallet as Address,
            }),
      )
      expect(reply.status, `${name}: ${reply.text}`).toBeLessThan(500)
      // An answer before the commit rests on what was true then. It must not have changed anything either.
      if (isBefore) expect(reply.status, reply.text).toBeGreaterThanOrEqual(400)
      else expect(await standing(of), `${name}: ${reply.text}`).toEqual(handedOver)
      if (!isBefore) expect([401, 404, 409], reply.text).toContain(reply.status)
    })
  },
)

test('a sale by an earlier clock shows its buyer nothing that the seller made by a later one', async () => {
  const of = await business()
  const clock = w.now()
  const { settings } = w.services
  // The clock of the sale's request was read before that request waited for the card.
  const soldAt = new Date(clock.getTime() - 60_000)
  await seller.send('PATCH', `/api/cards/${of.card.id}/controls`, { max_transaction: 0.5 })
  const declined = await payLink(w, of.spare.code, of.card, { amount: 1 })
  expect(declined.status, declined.text).toBeGreaterThanOrEqual(400)
  await w.services.db.write((tx) =>
    transferCard(tx, soldAt, {
      ...{ asset: w.chain.asset, settings, cardId: of.card.id },
      walletAddress: seller.wallet as Address,
      toWallet: friend.wallet as Address,
    }),
  )
  const seen = async (path: string) => (await friend.get(path)).body
  expect((await seen(`/api/ap2/keys?card_id=${of.card.id}`)).keys).toEqual([])
  expect((await seen(`/api/ap2/mandates/${of.card.id}?kind=open`)).mandates).toEqual([])
  expect((await seen(`/api/cards/${of.card.id}/decisions`)).decisions).toEqual([])
  const back = await friend.send('DELETE', `/api/ap2/keys/${kidOf(of.key)}`)
  expect(back.status).toBe(404)
})
