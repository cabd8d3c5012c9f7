import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../src/base/db/sql.ts'
import { assignCategory } from '../src/money/cards/merchants/store.ts'
import { readMerchants, setMerchant } from '../src/run/operate/commands/merchants.ts'
import { addKey, directMandate, newKey, settleWith, termsFor } from './actors/ap2/shop.ts'
import { type Held, issue, payWith } from './actors/attack-kit.ts'
import { askForToken } from './actors/mpp-payers.ts'
import { officialSeller } from './sellers/x402-sellers.ts'
import { type Reply, type User, type World, world } from './world.ts'

const MCC = '5734'

let w: World
let base: string
let payer: User
let known: User
let stranger: User
let knownTill: Held
let strangerTill: Held
beforeAll(async () => {
  w = await world()
  await w.withGas()
  base = await w.listen()
  payer = await w.user({ treasury: 1000 })
  known = await w.user({ treasury: 10 })
  stranger = await w.user({ treasury: 10 })
  knownTill = await issue(known, 1)
  strangerTill = await issue(stranger, 1)
  await assign(known.wallet, MCC)
})
afterAll(() => w[Symbol.asyncDispose]())

/** Assigns a category as `purser merchants set` and `remove` do. */
const assign = (walletAddress: string, mcc: string | null, note = 'seen its shop') =>
  w.write((tx) => assignCategory(tx, w.now(), { walletAddress, mcc, note }))

const outcome = ({ status, body }: Reply) => body.code ?? status
const linkOf = async (seller: User, till: Held): Promise<string> => {
  const asked = { card_id: till.id, amount: 1, type: 'RECURRING', max_uses: 0, mcc: MCC }
  return (await seller.post('/api/paylinks', asked)).body.code
}

/** Every rail on which a card of this service pays another one, to the seller and by the name that the caller gives. */
const rails: Record<string, (to: { user: User; till: Held }, card: Held) => Promise<unknown>> = {
  card: async ({ user, till }, card) => {
    const code = await linkOf(user, till)
    return outcome(await payWith(w, code, card))
  },
  ap2: async ({ user, till }, card) => {
    const code = await linkOf(user, till)
    const key = newKey()
    await addKey(w, card.id, key, 'user')
    const link = (await w.call('GET', `/api/paylinks/${code}`)).body
    const closed = await directMandate(termsFor(w, link, card), key)
    const body = { pay_link_code: code, closed_mandate: closed, card_token: card.token }
    return outcome(await settleWith(payer, body))
  },
  agentcard: async ({ user, till }, card) => {
    const code = await linkOf(user, till)
    const challenge = (await fetch(`${base}/pay/${code}`)).headers.get('www-authenticate')
    const { status, body } = await askForToken(base, card, challenge)
    return body.code ?? status
  },
  stream: async ({ till }, card) => {
    const named = { card_id: card.id, card_token: card.token }
    const { session_id } = (
      await payer.post('/api/mpp/session', { ...named, merchant: 'api.good.example' })
    ).body
    const order = { budget: 1, tick_amount: 0.1, receiver_card_id: till.id, session_id }
    return outcome(await payer.post('/api/mpp/stream/open', { ...named, ...order }))
  },
}

test.each(Object.keys(rails))(
  '%s: no name that a caller gives passes a list of merchants',
  async (rail) => {
    const run = rails[rail]!
    const to = { user: stranger, till: strangerTill }
    const named = await issue(payer, 5, { allowed_merchants: ['api.good.example'] })
    expect(await run(to, named)).toBe('merchant_not_allowed')
    for (const name of [stranger.wallet, strangerTill.id]) {
      const card = await issue(payer, 5, { allowed_merchants: ['api.good.example', name] })
      expect([200, 201]).toContain(await run(to, card))
    }
  },
)

test.each(Object.keys(rails))(
  '%s: a category counts only where the operator assigned it',
  async (rail) => {
    const run = rails[rail]!
    const to = { user: stranger, till: strangerTill }
    const card = await issue(payer, 20, { mcc_locks: MCC })
    expect(await run(to, card)).toBe('mcc_blocked')
    expect([200, 201]).toContain(await run({ user: known, till: knownTill }, card))
    await assign(stranger.wallet, '4816')
    expect(await run(to, card)).toBe('mcc_blocked')
    await assign(stranger.wallet, MCC)
    expect([200, 201]).toContain(await run(to, card))
    await assign(stranger.wallet, null)
    expect(await run(to, card)).toBe('mcc_blocked')
    const { decisions } = (await payer.get(`/api/cards/${card.id}/decisions`)).body
    expect(decisions.map((one: { mcc: string | null }) => one.mcc)).toEqual([
      null,
      MCC,
      '4816',
      MCC,
      null,
    ])
  },
)

test("an address that is paid over HTTP has the category of its wallet, and our own host is no seller's name", async () => {
  await using seller = await officialSeller({ price: '$0.01' })
  const pay = async (controls: object, ask: object) => {
    const card = await issue(payer, 5, controls)
    const order = { card_id: card.id, card_token: card.token, ...ask }
    return outcome(await payer.post('/api/pay/simulate', order)) === 200
      ? (await payer.post('/api/pay/simulate', order)).body.rule
      : 'refused'
  }
  const outside = { url: seller.url, method: 'GET' }
  expect(await pay({ mcc_locks: MCC }, outside)).toBe('mcc_blocked')
  await assign(seller.payTo, MCC)
  expect(await pay({ mcc_locks: MCC }, outside)).toBe('within_limits')
  expect(await pay({ allowed_merchants: [new URL(seller.url).hostname] }, outside)).toBe(
    'within_limits',
  )
})

test('a stream shows the label, and its payment names the other side by its wallet', async () => {
  const card = await issue(payer, 5)
  const named = { card_id: card.id, card_token: card.token }
  const session = await payer.post('/api/mpp/session', { ...named, merchant: 'api.good.example' })
  const opened = await payer.post('/api/mpp/stream/open', {
    ...named,
    ...{ budget: 1, tick_amount: 0.5, receiver_card_id: strangerTill.id },
    session_id: session.body.session_id,
  })
  expect(opened.body.merchant).toBe('api.good.example')
  const stream = { stream_id: opened.body.id }
  await payer.post('/api/mpp/stream/tick', { ...named, ...stream })
  await payer.post('/api/mpp/stream/close', stream)
  const sent = (await payer.get(`/api/cards/${card.id}/transactions`)).body.transactions
  expect(sent).toMatchObject([{ merchant: stranger.wallet, memo: 'api.good.example' }])
  const [received] = (await stranger.get(`/api/cards/${strangerTill.id}/transactions`)).body
    .transactions
  expect(received).toMatchObject({ merchant: payer.wallet, memo: '' })
  // A stream without a receiver is allowed by no list: its payee is unknown.
  const listed = await issue(payer, 5, { allowed_merchants: ['api.good.example'] })
  const order = { card_id: listed.id, card_token: listed.token, budget: 1, tick_amount: 0.5 }
  const refused = await payer.post('/api/mpp/stream/open', order)
  expect([outcome(refused), refused.body.error]).toEqual([
    'merchant_not_allowed',
    expect.stringContaining('not named'),
  ])
})

test('the database writes down every change of a category, and keeps what it wrote', async () => {
  const { wallet } = await w.user({ treasury: 1 })
  const books = { db: w.db }
  const set = (mcc: string | null, note = '') =>
    setMerchant(books, w.now(), { wallet: wallet.toLowerCase(), mcc, note })
  await expect(set(null)).rejects.toThrow('has no category')
  await expect(set('57')).rejects.toThrow('4 digits')
  await expect(setMerchant(books, w.now(), { wallet: '0x1', mcc: MCC, note: '' })).rejects.toThrow(
    'hex',
  )
  await set(MCC, 'seen its shop')
  await set(MCC, 'once more')
  await set('4816', 'it has moved on')
  const { categories, changes } = await set(null, 'closed down')
  expect(categories.map(({ walletAddress }) => walletAddress)).not.toContain(wallet)
  expect(changes.filter(({ walletAddress }) => walletAddress === wallet)).toMatchObject([
    { previous: '4816', mcc: null, note: 'closed down', databaseRole: expect.any(String) },
    { previous: MCC, mcc: '4816', note: 'it has moved on' },
    { previous: null, mcc: MCC, note: 'seen its shop' },
  ])
  const run = (text: string) => w.write((tx) => sql.raw(text).execute(tx))
  await expect(run('delete from merchant_categories')).rejects.toThrow('insert only')
  await expect(run('delete from merchant_category_changes')).rejects.toThrow('insert only')
  await expect(
    run(`insert into merchant_category_changes (wallet_address, note, database_role, changed_at)
      values ('0x', '', 'x', now())`),
  ).rejects.toThrow('insert only')
  const known = (await run(
    `update merchant_categories set mcc = '0001' where wallet_address = '${wallet}'`,
  )) as any
  expect(known.numAffectedRows).toBe(1n)
  expect((await readMerchants(books)).changes[0]).toMatchObject({
    mcc: '0001',
    walletAddress: wallet,
  })
})
