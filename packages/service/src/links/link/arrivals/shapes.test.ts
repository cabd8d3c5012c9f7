import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, issue, open, report } from '../../../../test/actors/attack-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'

let w: World
let seller: User
let payer: User
let till: Awaited<ReturnType<typeof issue>>
let card: Awaited<ReturnType<typeof issue>>
beforeAll(async () => {
  w = await world()
  await w.withGas()
  seller = await w.user({ treasury: 50 })
  payer = await w.user({ treasury: 50 })
  till = await issue(seller, 1)
  card = await issue(payer, 40)
})
afterAll(() => w[Symbol.asyncDispose]())

const settle = (code: string, more: object = {}) =>
  w.call('POST', `/api/pay/${code}/settle`, {
    payer_card_id: card.id,
    payer_card_token: card.token,
    ...more,
  })
const lastOf = async (user: User, id: string) =>
  (await user.get(`/api/cards/${id}/transactions?limit=1`)).body.transactions[0]

test('what prepares a payment names its intent, its status and its terms, and answers 410 for a link that is dead', async () => {
  const link = await open(seller, till, { memo: 'tea', expires_in: 1 })
  const live = await w.call('GET', `/api/pay/${link.code}/prepare`)
  expect(live.body).toMatchObject({
    intent: 'payment',
    status: 'ACTIVE',
    payment: { type: 'payment', pay_link_code: link.code, amount: 1, memo: 'tea' },
    amount: 1,
    treasury_address: link.deposit_address,
  })
  const cancelled = await open(seller, till)
  await seller.send('DELETE', `/api/paylinks/${cancelled.code}`)
  const used = await open(seller, till)
  expect((await settle(used.code)).status).toBe(200)
  for (const [dead, status, code] of [
    [cancelled, 'CANCELLED', 'pay_link_cancelled'],
    [used, 'COMPLETED', 'pay_link_completed'],
  ] as const) {
    const answer = await w.call('GET', `/api/pay/${dead.code}/prepare`)
    expect(answer.status).toBe(410)
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'error', 'request_id', 'status'])
    expect(answer.body).toMatchObject({ status, code })
    // An address that nobody watches for this payer is shown to nobody.
    expect(answer.text).not.toMatch(/0x[0-9a-f]{40}/i)
  }
})

test.each(['card', 'ap2', 'x402', 'mpp'])(
  'a card settles a link in the name of %s if the link takes it, and the record says so',
  async (protocol) => {
    const link = await open(seller, till, { accepted_protocols: [protocol] })
    const others = ['card', 'ap2', 'x402', 'mpp'].filter((other) => other !== protocol)
    for (const other of others) {
      const refused = await settle(link.code, { protocol: other })
      expect([refused.status, refused.body.code]).toEqual([400, 'protocol_not_accepted'])
    }
    const paid = await settle(link.code, { protocol })
    expect([paid.status, paid.body.status, paid.body.protocol]).toEqual([200, 'SETTLED', protocol])
    expect((await lastOf(payer, card.id)).protocol).toBe(protocol)
    expect((await lastOf(seller, till.id)).protocol).toBe(protocol)
    // Without a name it is the one that the link takes.
    const unnamed = await open(seller, till, { accepted_protocols: [protocol, 'onchain'] })
    expect((await settle(unnamed.code)).body.protocol).toBe(protocol)
    expect(await w.faults()).toEqual([])
  },
)

test('a link for transfers alone takes no card, and no name but those of the protocols', async () => {
  const link = await open(seller, till, { accepted_protocols: ['onchain'] })
  for (const more of [{}, { protocol: 'card' }, { protocol: 'onchain' }, { protocol: 'cash' }])
    expect((await settle(link.code, more)).body.code).toBe('protocol_not_accepted')
})

test('a link that takes AP2 only by a mandate of its checkout is not paid in the name of AP2 without one', async () => {
  const link = await open(seller, till, { accepted_protocols: ['ap2'], require_checkout: true })
  for (const more of [{}, { protocol: 'ap2' }])
    expect((await settle(link.code, more)).body.code).toBe('mandate_required')
  const both = await open(seller, till, {
    accepted_protocols: ['ap2', 'card'],
    require_checkout: true,
  })
  expect((await settle(both.code, { protocol: 'ap2' })).body.code).toBe('mandate_required')
  expect((await settle(both.code)).body.protocol).toBe('card')
})

test('a card payment in the name of AP2 is no mandate, and has no receipt of one', async () => {
  const link = await open(seller, till, { accepted_protocols: ['ap2'] })
  const paid = await settle(link.code)
  expect(paid.status).toBe(200)
  expect((await payer.get(`/api/ap2/mandates/${card.id}`)).body.mandates).toEqual([])
  const receipt = await payer.get(`/api/ap2/receipts/${paid.body.settlement_id}`)
  expect(receipt.status).toBe(404)
})

test('a payment on chain is answered with 200 from its first block on, PENDING until it is safe', async () => {
  const link = await open(seller, till)
  const unseen = randomHex(32)
  const early = await report(w, link.code, unseen)
  expect([early.status, early.body]).toMatchObject([
    200,
    { success: true, status: 'PENDING', transaction_id: unseen, tx_hash: unseen, amount: 1 },
  ])
  const hash = await w.transfer(
    await freshAccount({ usdc: 2_000_000n }),
    link.deposit_address,
    1_000_000n,
  )
  const first = await report(w, link.code, hash)
  expect([first.status, first.body.success]).toEqual([200, true])
  await w.safe()
  const settled = first.body.status === 'SETTLED' ? first : await report(w, link.code, hash)
  expect(settled.body).toMatchObject({ status: 'SETTLED', amount: 1, fee: 0.005, tx_hash: hash })
  const again = await report(w, link.code, hash)
  expect([again.status, again.body.code]).toEqual([410, 'already_settled'])
})

test('three hundred strangers who say that they have paid make no job, and real ones one each', async () => {
  const count = async () => {
    const { rows } = await sql<{ n: bigint; least: number }>`select count(*) as n,
      coalesce(min(priority), 0) as least from graphile_worker.jobs
      where task_identifier = 'finish_chain_payment'`.execute(w.db.reader)
    return { jobs: Number(rows[0]?.n), least: Number(rows[0]?.least) }
  }
  const link = await open(seller, till, { max_uses: 0 })
  const say = (tx_hash: string) =>
    w.call('POST', `/pay/${link.code}/paid`, new URLSearchParams({ tx_hash }).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const before = (await count()).jobs
  const hashes = Array.from({ length: 300 }, () => randomHex(32))
  const replies = await Promise.all(hashes.map(say))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]))
  expect((await count()).jobs).toBe(before)
  const hash = await w.transfer(
    await freshAccount({ usdc: 2_000_000n }),
    link.deposit_address,
    1_000_000n,
  )
  await Promise.all(Array.from({ length: 20 }, () => say(hash)))
  const { jobs, least } = await count()
  expect(jobs).toBeLessThanOrEqual(before + 1)
  // Payouts have priority 0, and what strangers cause comes after them.
  if (jobs > before) expect(least).toBeGreaterThan(0)
  await w.safe()
  await w.advance(5)
  await w.runJobs()
  expect((await report(w, link.code, hash)).body.code).toBe('already_settled')
})

test('lists that the specification shows whole are not cut at fifty', async () => {
  const many = await w.user({ treasury: 10 })
  const [shop, buyer] = [await issue(many, 1), await issue(many, 5)]
  const link = await open(many, shop, { amount: 0.01, max_uses: 0 })
  for (let i = 0; i < 59; i++) await open(many, shop, { amount: 0.01 })
  await Promise.all(
    Array.from({ length: 60 }, () =>
      w.call('POST', `/api/pay/${link.code}/settle`, {
        payer_card_id: buyer.id,
        payer_card_token: buyer.token,
      }),
    ),
  )
  const links = (await many.get('/api/paylinks')).body
  expect([links.links.length, links.has_more]).toEqual([60, false])
  const sent = (await many.get(`/api/cards/${buyer.id}/transactions`)).body
  expect([sent.transactions.length, sent.has_more]).toEqual([60, false])
  expect((await many.get('/api/paylinks?limit=1001')).status).toBe(400)
  expect((await many.get('/api/paylinks?limit=1000')).status).toBe(200)
})

test('a long list of links leaves others their turn', async () => {
  const many = await w.user({ treasury: 5 })
  const shop = await issue(many, 1)
  for (let i = 0; i < 150; i++) await open(many, shop, { amount: 0.01 })
  let turns = 0
  const count = () => {
    turns++
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const links = (await many.get('/api/paylinks')).body.links
  clearImmediate(turn)
  expect(links).toHaveLength(150)
  expect(turns).toBeGreaterThan(14)
  expect(links[0].qr_svg).toContain('<svg')
})

test('every answer that shows a balance shows the entry of GET /api/balance', async () => {
  const user = await w.user({ usdc: 5 })
  const tx_hash = await w.transfer(user.account, w.chain.treasury.address, 3_000_000n)
  await w.safe()
  const funded = await user.post('/api/fund/verify', { tx_hash })
  const entry = async () => (await user.get('/api/balance')).body.balances[0]
  expect(funded.body).toEqual({
    success: true,
    status: 'confirmed',
    funded: 3,
    balance: await entry(),
  })
  const withdrawn = await user.post('/api/withdraw', { amount: 1 })
  expect(withdrawn.body.balance).toEqual(await entry())
  expect(withdrawn.body.balance).toMatchObject({ available: 2, total_withdrawn: 1 })
})

test('claim shows the card flat beside the card', async () => {
  const user = await w.user({ treasury: 5 })
  const spare = await issue(user, 2)
  await w.call('POST', `/api/pay/${(await open(user, spare)).code}/settle`, {
    payer_card_id: card.id,
    payer_card_token: card.token,
  })
  const claimed = (await user.post(`/api/cards/${spare.id}/claim`, { token: spare.token })).body
  const { success, card: nested, claimed: amount, ...flat } = claimed
  expect([success, amount]).toEqual([true, 0.995])
  expect(flat).toEqual(nested)
  expect(await cardOf(user, spare.id)).toMatchObject(flat)
})

test('the configuration names tokens by network and symbol', async () => {
  const { body } = await w.call('GET', '/api/config')
  const { contract, decimals } = w.chain.asset
  expect(body).toEqual({
    treasury: { evm: w.chain.treasury.address },
    tokens: {
      'eip155:84532': {
        USDC: {
          contract,
          decimals,
          type: 'ERC20',
          withdrawable: true,
          withdrawal_fee: 0.05,
          minimum_withdrawal: 1,
          eip712: w.chain.asset.eip712,
        },
      },
    },
    networks: ['eip155:84532'],
    base_url: 'http://127.0.0.1:4021',
    fees: { bps: 50, flat: 0 },
    operator: null,
  })
})

test('a receipt that does not exist is a page, and 404', async () => {
  const link = await open(seller, till)
  const html = { headers: { accept: 'text/html' } }
  for (const query of ['settlement=stl_00000000000000000000000000', 'tx_hash=0x12']) {
    const page = await w.call('GET', `/pay/${link.code}/paid?${query}`, undefined, html)
    expect([query, page.status]).toEqual([query, 404])
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain('No such receipt')
  }
  expect(
    (await w.call('GET', '/pay/PL_0000000000/paid?settlement=x', undefined, html)).status,
  ).toBe(404)
})
