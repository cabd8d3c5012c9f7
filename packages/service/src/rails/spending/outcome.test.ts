import { expect, test } from 'vitest'
import { handMadeSeller } from '../../../test/sellers/x402-sellers.ts'
import { type User, type World, world } from '../../../test/world.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { amount } from '../../base/kernel/money.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import { readBlock } from '../../chain/client/reads.ts'
import { paymentTasks, reconcilePayment } from './jobs.ts'
import { authorizePayment } from './offer/authorize.ts'
import { capturePayment, releasePayment } from './outcome.ts'
import { findPayment } from './store.ts'

const PAYEE: Address = '0x1111111111111111111111111111111111111111'

async function issueCard(user: User, limit: number) {
  const made = await user.post('/api/issue', { purpose: 'test', limit_amount: limit })
  expect(made.status, made.text).toBe(200)
  return made.body.card as { id: string; token: string }
}

const cardOf = async (user: User, id: string) => (await user.get(`/api/cards/${id}`)).body.card

/** A payment whose process died right after its first transaction. */
async function authorized(w: World, user: User, card: { id: string; token: string }) {
  const block = await readBlock(w.chain, 'latest')
  const offer = {
    scheme: 'exact' as const,
    mechanism: 'eip3009' as const,
    network: w.chain.network,
    amount: 20_000n,
    asset: w.chain.asset.contract,
    payTo: PAYEE,
    maxTimeoutSeconds: 1,
    raw: {},
  }
  const made = await w.write((tx) =>
    authorizePayment(tx, w.now(), {
      caller: {
        walletAddress: user.wallet as Address,
        kind: 'key',
        credentialHash: '',
        requestId: '',
        authenticatedAt: w.now(),
        scopes: null,
        cardIds: null,
        maxAmount: null,
      },
      cardId: card.id,
      cardToken: card.token,
      chain: w.chain,
      claim: undefined,
      requestDigest: sha256('test'),
      method: 'GET',
      url: 'https://seller.example/report',
      merchant: 'seller.example',
      spend: { amount: amount(20_100n), merchants: ['seller.example'], mcc: null, rail: 'x402' },
      priced: {
        method: 'x402',
        challenge: { version: 2, offers: [offer], skipped: [], paymentRequired: {} },
        offer,
        merchantAmount: amount(20_000n),
        fee: amount(100n),
        debit: amount(20_100n),
        tariff: { bps: 50n, flat: amount(0n) },
      },
      block,
      intent: undefined,
    }),
  )
  if (made.kind !== 'authorized') throw new Error(made.kind)
  return made.payment
}

const untilState = (w: World, id: string, state: string) =>
  w.workUntil(
    () => findPayment(w.db.reader, id),
    (payment) => payment?.state === state,
  )

test('a payment whose process died before it was signed is released by its job', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const payment = await authorized(w, user, card)
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0.0201 })
  await untilState(w, payment.id, 'released')
  expect(await cardOf(user, card.id)).toMatchObject({ held: 0, spent: 0, balance: 1 })
  const { timeline } = (await user.get(`/api/payments/${payment.id}`)).body.payment
  expect(timeline.map(({ type }: { type: string }) => type)).toEqual([
    'decision.allowed',
    'chain.authorized',
    'payment.failed',
    'chain.released',
  ])
  expect(await w.faults()).toEqual([])
})

test('a capture and a release at once: one of them acts', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const { id } = await authorized(w, user, card)
  const use = { txHash: `0x${'ab'.repeat(32)}` as const, blockNumber: 1n }
  const { asset } = w.chain
  const acts = await Promise.all([
    w.write((tx) => capturePayment(tx, w.now(), { id, asset, use })),
    w.write((tx) => releasePayment(tx, w.now(), { id, asset, reason: 'not_settled_in_time' })),
    w.write((tx) => capturePayment(tx, w.now(), { id, asset, use })),
    w.write((tx) => releasePayment(tx, w.now(), { id, asset, reason: 'not_settled_in_time' })),
  ])
  expect(acts.filter((acted) => acted)).toHaveLength(1)
  expect((await cardOf(user, card.id)).held).toBe(0)
  expect(await w.faults()).toEqual([])
})

test('a captured payment that a reorganization took away for good goes back to the card', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const { id } = await authorized(w, user, card)
  const use = { txHash: `0x${'ab'.repeat(32)}` as const, blockNumber: 1n }
  const { asset } = w.chain
  await w.write((tx) => capturePayment(tx, w.now(), { id, asset, use }))
  expect(await cardOf(user, card.id)).toMatchObject({ spent: 0.0201, balance: 0.9799 })
  const limits = async (change: object) =>
    (await user.send('PATCH', '/api/limits', change)).body.limits
  expect(await limits({ monthly_limit: 1 })).toMatchObject({ rolling_30d_used: 0.0201 })
  await untilState(w, id, 'undone')
  expect(await cardOf(user, card.id)).toMatchObject({
    spent: 0,
    held: 0,
    balance: 1,
    month_used: 0,
  })
  expect(await limits({})).toMatchObject({ month_used: 0, rolling_30d_used: 0 })
  const { payment } = (await user.get(`/api/payments/${id}`)).body
  expect(payment).toMatchObject({ status: 'FAILED', tx_hash: null })
  expect(await w.faults()).toEqual([])
})

test('the job may run many times at once, and the sweep finds a payment that lost its job', async () => {
  await using w = await world()
  await using seller = await handMadeSeller({
    amount: 20_000n,
    serve: ({ request, settle }) => {
      void settle()
      request.socket.destroy()
    },
  })
  const user = await w.user({ treasury: 1 })
  const card = await issueCard(user, 1)
  const ask = { card_id: card.id, card_token: card.token, url: seller.url }
  const paid = await user.post('/api/pay', ask)
  expect(paid.body, paid.text).toMatchObject({
    success: true,
    settlement: { status: 'SETTLED' },
    response: null,
  })
  const id = paid.body.transaction_id
  await w.write(async (tx) => {
    const { sql } = await import('../../base/db/sql.ts')
    await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`.execute(
      tx,
    )
  })
  await Promise.all(
    Array.from({ length: 5 }, () => reconcilePayment(w.services, w.now(), { id, looks: 0 })),
  )
  w.clock.offsetMs += 7_200_000
  const sweep = paymentTasks.find(({ name }) => name === 'sweep_payments')
  await sweep?.handle(w.services, {}, w.now())
  await untilState(w, id, 'final')
  expect(await cardOf(user, card.id)).toMatchObject({ spent: 0.0201, held: 0 })
  expect(await w.faults()).toEqual([])
})

test('a restricted key pays with its cards alone, and not above its amount', async () => {
  await using w = await world()
  await using seller = await handMadeSeller({
    amount: 20_000n,
    serve: async ({ response, settle }) => {
      await settle()
      response.end('served')
    },
  })
  const user = await w.user({ treasury: 2 })
  const [mine, other] = [await issueCard(user, 1), await issueCard(user, 1)]
  const keyFor = async (limits: Record<string, unknown>) => {
    const made = await user.post('/api/keys/restricted', {
      name: 'agent',
      scopes: ['payments:write', 'payments:read'],
      ...limits,
    })
    expect(made.status, made.text).toBe(200)
    return { key: made.body.api_key as string }
  }
  const askOf = (card: { id: string; token: string }) => ({
    card_id: card.id,
    card_token: card.token,
    url: seller.url,
  })
  const key = await keyFor({ card_ids: [mine.id], max_amount: 0.0201 })
  const hidden = await user.post('/api/pay', askOf(other), key)
  expect([hidden.status, hidden.body.code]).toEqual([404, 'not_found'])
  const paid = await user.post('/api/pay', askOf(mine), key)
  expect(paid.status, paid.text).toBe(200)
  const tight = await keyFor({ max_amount: 0.02 })
  const refused = await user.post('/api/pay', askOf(mine), tight)
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden_scope'])
  expect(seller.paid).toHaveLength(1)

  await user.post('/api/pay', askOf(other))
  expect((await user.get('/api/payments')).body.payments).toHaveLength(2)
  expect((await user.get('/api/payments', key)).body.payments).toHaveLength(1)
})
