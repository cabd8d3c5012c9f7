import { expect, test } from 'vitest'
import { join } from '../../../test/actors/members/meter-kit.ts'
import { newToken } from '../../../test/actors/token-kit.ts'
import { type User, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'

const NETWORK = 'eip155:84532'
const issue = (user: User, order: object = {}) =>
  user.post('/api/issue', {
    purpose: 'shop',
    limit_amount: 5,
    settlement_mode: 'DIRECT',
    ...order,
  })

test('a DIRECT card takes no money from the treasury, holds none, and can neither be funded nor spend', async () => {
  await using w = await world()
  const seller = await w.user()
  const made = await issue(seller)
  expect(made.status).toBe(200)
  const { card } = made.body
  expect(card).toMatchObject({
    ...{
      status: 'ACTIVE',
      settlement_mode: 'DIRECT',
      custody_mode: 'SELF',
      balance_source: 'none',
    },
    limit_amount: 5,
    balance: 0,
    remaining: 0,
  })
  expect((await issue(seller, { tx_hash: `0x${'1'.repeat(64)}` })).body).toMatchObject({
    code: 'invalid_field',
    param: 'tx_hash',
  })
  expect((await seller.post(`/api/cards/${card.id}/fund`, { amount: 1 })).body).toMatchObject({
    code: 'invalid_state',
    error: expect.stringContaining('DIRECT'),
  })
  const [other, payer] = [await w.user(), await w.user()]
  const paying = await payer.card()
  const link = (await other.post('/api/paylinks', { card_id: (await other.card()).id, amount: 1 }))
    .body
  const byDirect = await w.call('POST', `/api/pay/${link.code}/settle`, {
    protocol: 'card',
    payer_card_id: card.id,
    payer_card_token: card.token,
  })
  expect(byDirect.body).toMatchObject({ code: 'insufficient_funds' })
  // Nor does a card pay a DIRECT link: its money never enters the books.
  const direct = (await seller.post('/api/paylinks', { card_id: card.id, amount: 1 })).body
  const byCard = await w.call('POST', `/api/pay/${direct.code}/settle`, {
    protocol: 'x402',
    payer_card_id: paying.id,
    payer_card_token: paying.token,
  })
  expect([byCard.status, byCard.body.code]).toEqual([400, 'protocol_not_accepted'])
  const stream = await payer.post('/api/mpp/stream/open', {
    card_id: paying.id,
    card_token: paying.token,
    budget: 1,
    tick_amount: 1,
    receiver_card_id: card.id,
  })
  expect(stream.body.code).toBe('invalid_state')
  const several = await seller.post(
    '/api/issue/bulk',
    { cards: [{ purpose: 'a', limit_amount: 3, settlement_mode: 'DIRECT' }] },
    { headers: { 'idempotency-key': 'several' } },
  )
  expect([several.status, several.body.total_allocated]).toEqual([200, 0])
  // The database refuses what the code never does.
  const { db } = w.services
  for (const [statement, promise] of [
    [sql`update cards set received = 1 where id = ${card.id}`, /a_direct_card_holds_nothing/],
    [
      sql`update pay_links set accepted_protocols = '{card}' where code = ${direct.code}`,
      /direct_rails/,
    ],
    [
      sql`update pay_links set deposit_address = '0x1' where code = ${direct.code}`,
      /custodial_or_direct/,
    ],
    [
      sql`insert into settlements (id, pay_link_id, protocol, payer, amount, fee, network, asset, state, created_at)
        values ('stl_1', ${direct.id}, 'onchain', '0x1', 1, 0, 'n', 'USDC', 'settling', now())`,
      /is DIRECT/,
    ],
  ] as const)
    await expect(db.write((tx) => statement.execute(tx))).rejects.toThrow(promise)
  expect(await w.faults()).toEqual([])
})

test('a link of a DIRECT card asks for USDC or a registered token, at the seller’s own wallet', async () => {
  await using w = await world()
  const [seller, stranger] = [await w.user(), await w.user()]
  await join(w, seller)
  const { card } = (await issue(seller)).body
  const { contract } = await newToken({ symbol: 'BRD' })
  const { token } = (await seller.post('/api/tokens', { network: NETWORK, address: contract })).body
  const create = (body: object) => seller.post('/api/paylinks', { card_id: card.id, ...body })

  const usdc = (await create({ amount: 2.5 })).body
  expect(usdc).toMatchObject({
    amount: '2.5',
    asset: 'USDC',
    token_contract: w.chain.asset.contract,
    decimals: 6,
    settlement_mode: 'DIRECT',
    deposit_address: null,
    accepted_protocols: ['x402', 'mpp', 'onchain'],
  })
  expect(usdc.amount_atomic).toBeUndefined()

  const exact = '1.000000000000000001'
  for (const asset of [token.id, contract, contract.toLowerCase()]) {
    const made = (await create({ amount: exact, asset })).body
    expect(made).toMatchObject({
      amount: exact,
      amount_atomic: '1000000000000000001',
      asset: 'BRD',
      token_contract: contract,
      decimals: 18,
      accepted_protocols: ['x402', 'onchain'],
    })
    const shown = (await w.call('GET', `/api/paylinks/${made.code}`)).body
    expect(shown).toMatchObject({ amount: exact, token_contract: contract, decimals: 18 })
    const resolved = (await w.call('GET', `/api/pay/${made.code}/resolve`)).body
    expect(resolved).toMatchObject({
      amount: 1,
      amount_atomic: '1000000000000000001',
      asset: 'BRD',
      decimals: 18,
    })
    const prepared = (await w.call('GET', `/api/pay/${made.code}/prepare`)).body
    expect(prepared).toMatchObject({
      treasury_address: seller.wallet,
      token_contract: contract,
      ap2: null,
      payment: { amount_atomic: '1000000000000000001' },
    })
  }
  for (const protocol of ['card', 'ap2'])
    expect(
      (await create({ amount: 1, accepted_protocols: ['x402', protocol] })).body,
    ).toMatchObject({
      code: 'invalid_field',
      param: 'accepted_protocols',
    })
  expect(
    (await create({ amount: 1, asset: contract, accepted_protocols: ['mpp'] })).body,
  ).toMatchObject({ code: 'invalid_field', param: 'accepted_protocols' })
  expect((await create({ amount: '0.0000001' })).body.code).toBe('invalid_amount')
  expect((await create({ amount: `${exact}1`, asset: contract })).body.code).toBe('invalid_amount')
  // Another wallet's registration, a removed one, and one that never was are one answer.
  const theirs = (await stranger.post('/api/tokens', { network: NETWORK, address: contract })).body
  await seller.send('DELETE', `/api/tokens/${token.id}`)
  for (const asset of [theirs.token.id, token.id, contract, 'tkn_none', 'EURC'])
    expect((await create({ amount: 1, asset })).body).toMatchObject({
      code: 'invalid_asset',
      param: 'asset',
    })
  const custodial = await stranger.card()
  expect(
    (await stranger.post('/api/paylinks', { card_id: custodial.id, asset: contract })).body.code,
  ).toBe('invalid_asset')
  expect((await stranger.post('/api/paylinks', { card_id: card.id })).status).toBe(404)
})
