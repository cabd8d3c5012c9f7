import { expect, test } from 'vitest'
import { tokenWorld, UNIT } from '../../../../test/actors/tokens/service-token-kit.ts'
import { railsOf } from '../../../chain/client/rails.ts'
import { testChain } from '../../../chain/client/self-test.ts'
import { compareCustody } from '../../../links/reconcile/compare.ts'

const shown = (body: { balances: { asset: string; available: number }[] }) =>
  body.balances.map(({ asset, available }) => [asset, available])

test('the service token is deposited by its hash, in its own decimals, and nothing is converted', async () => {
  const { w, user, token, send } = await tokenWorld()
  await using _ = w
  expect((await user.get('/api/config')).body.tokens[w.chain.network]).toMatchObject({
    USDC: { decimals: 6 },
    TOK: { decimals: 18, contract: token.contract },
  })
  const { registry } = (await user.get('/api/funding/tokens')).body
  expect(registry[w.chain.network]).toMatchObject([{ symbol: 'USDC' }, { symbol: 'TOK' }])
  const tx_hash = await send(w.chain.treasury.address, 20n * UNIT + 1n)
  await w.safe()
  // As USDC the transaction has brought nothing; as the token it is credited once, however many ask.
  const asUsdc = await user.post('/api/fund/verify', { tx_hash })
  expect([asUsdc.status, asUsdc.body.code]).toEqual([400, 'invalid_transaction'])
  const replies = await Promise.all(
    [1, 2, 3].map(() => user.post('/api/fund/verify', { tx_hash, asset: 'TOK' })),
  )
  for (const { status, body } of replies)
    expect([status, body]).toMatchObject([
      200,
      { status: 'confirmed', funded: 20, balance: { asset: 'TOK', available: 20 } },
    ])
  expect(shown((await user.get('/api/balance')).body)).toEqual([
    ['USDC', 3],
    ['TOK', 20],
  ])
  const { events } = (await user.get('/api/events')).body
  const funded = events.find(
    ({ type, data }: { type: string; data: { asset: string } }) =>
      type === 'funding.confirmed' && data.asset === 'TOK',
  )
  expect(funded.data).toMatchObject({ amount_atomic: String(20n * UNIT + 1n), tx_hash })

  // It is no dollar: it pays no card and is not withdrawn.
  const issued = await user.post('/api/issue', { purpose: 'x', limit_amount: 5 })
  expect([issued.status, issued.body.available]).toEqual([403, 3])
  const withdrawn = await user.post('/api/withdraw', { amount: 5, asset: 'TOK' })
  expect([withdrawn.status, withdrawn.body.code]).toEqual([400, 'invalid_asset'])
  const other = await user.post('/api/fund/verify', { tx_hash, asset: 'DAI' })
  expect([other.status, other.body.code]).toEqual([400, 'invalid_asset'])
  expect(await w.faults()).toEqual([])
})

test('a treasury that holds less of the service token than the books owe is an alarm; a wrong token fails the self-test', async () => {
  const { w, user, token, send } = await tokenWorld({ manner: 'Honest' })
  await using _ = w
  const tx_hash = await send(w.chain.treasury.address, 20n * UNIT)
  await w.safe()
  await user.post('/api/fund/verify', { tx_hash, asset: 'TOK' })
  const compare = () => {
    const [, chain] = railsOf(w.services.chain)
    return compareCustody({ db: w.db, rail: chain!, at: w.now(), isEmbedded: true })
  }
  expect(await compare()).toMatchObject({ owed: 20n * UNIT, difference: 0n })
  const checkOf = async (chain: typeof w.services.chain) =>
    (await testChain(chain)).find(({ check }) => check === 'service_token')
  expect(await checkOf(w.services.chain)).toMatchObject({
    status: 'warn',
    sentence: expect.stringContaining('cannot be withdrawn'),
  })
  const wrong = { ...w.chain.serviceToken!, decimals: 6 }
  expect(await checkOf({ ...w.services.chain, serviceToken: wrong })).toMatchObject({
    status: 'fail',
    sentence: expect.stringContaining('18 decimals'),
  })
  // Its log shows the whole amount, and a hundredth did not arrive.
  await token.setManner('TakesFee')
  const short = await send(w.chain.treasury.address, 10n * UNIT)
  await w.safe()
  await user.post('/api/fund/verify', { tx_hash: short, asset: 'TOK' })
  expect(await compare()).toMatchObject({ owed: 30n * UNIT, difference: -UNIT / 10n })
})
