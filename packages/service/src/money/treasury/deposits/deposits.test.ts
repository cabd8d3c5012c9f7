import { expect, test } from 'vitest'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { randomHex } from '../../../base/kernel/secrets.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../../base/protocols/evm/eip3009/authorization.ts'

const available = async (u: User) => (await u.get('/api/balance')).body.balances[0].available

async function authorization(w: World, u: User, change: Partial<TransferAuthorization> = {}) {
  const signed: TransferAuthorization = {
    from: u.account.address,
    to: w.chain.treasury.address,
    value: 5_000_000n,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
    nonce: randomHex(32),
    ...change,
  }
  const signature = await u.account.signTypedData(authorizationTypedData(w.chain.asset, signed))
  return {
    from: signed.from,
    to: signed.to,
    value: String(signed.value),
    valid_after: Number(signed.validAfter),
    valid_before: String(signed.validBefore),
    nonce: signed.nonce,
    signature,
    network: w.chain.network,
  }
}

test('a deposit is pending until it is safe, then credited once however often and however many ask', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const unknown = await u.post('/api/fund/verify', { tx_hash: randomHex(32) })
  expect(unknown.body).toMatchObject({ success: true, status: 'pending', funded: 0 })
  const tx_hash = await w.transfer(u.account, w.chain.treasury.address, 20_000_000n)
  await w.safe()
  const replies = await Promise.all(
    Array.from({ length: 15 }, () =>
      u.post('/api/fund/verify', { tx_hash, network: 'eip155:84532', asset: 'USDC' }),
    ),
  )
  for (const reply of replies) expect(reply.body).toMatchObject({ status: 'confirmed', funded: 20 })
  expect(await available(u)).toBe(20)
  expect(await w.faults()).toEqual([])
})

test('a pending deposit is credited by its job', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const tx_hash = await w.transfer(u.account, w.chain.treasury.address, 20_000_000n)
  const first = await u.post('/api/fund/verify', { tx_hash })
  await w.safe()
  await w.advance(5)
  await w.runJobs()
  if (first.body.status === 'pending') expect(await available(u)).toBe(20)
  expect((await u.post('/api/fund/verify', { tx_hash })).body.funded).toBe(20)
})

test('two wallets and one deposit transaction: only the one that sent it is credited', async () => {
  await using w = await world()
  const [payer, thief] = [await w.user({ usdc: 50 }), await w.user()]
  const tx_hash = await w.transfer(payer.account, w.chain.treasury.address, 20_000_000n)
  await w.safe()
  const replies = await Promise.all(
    [...Array(5)].flatMap(() => [
      thief.post('/api/fund/verify', { tx_hash }),
      payer.post('/api/fund/verify', { tx_hash }),
    ]),
  )
  expect(replies.filter((r) => r.status === 200)).toHaveLength(5)
  expect([await available(payer), await available(thief)]).toEqual([20, 0])
  const late = await thief.post('/api/fund/verify', { tx_hash })
  expect([late.status, late.body.code]).toEqual([409, 'already_credited'])
})

test('a transaction that pays somebody else is no deposit', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 50 })
  const tx_hash = await w.transfer(u.account, (await freshAccount()).address, 1_000_000n)
  const reply = await u.post('/api/fund/verify', { tx_hash })
  expect([reply.status, reply.body.code, reply.body.param]).toEqual([
    400,
    'invalid_transaction',
    'tx_hash',
  ])
})

test('a signed authorization is deposited without gas, once', async () => {
  await using w = await world()
  await w.withGas()
  const u = await w.user({ usdc: 50 })
  const body = await authorization(w, u)
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => u.post('/api/fund/authorization', body)),
  )
  for (const reply of replies)
    expect([reply.status, reply.body.status, reply.body.funded]).toEqual([200, 'confirmed', 5])
  expect(await available(u)).toBe(5)
  expect(await w.treasuryOnChain()).toBe(5_000_000n)
  expect(await w.faults()).toEqual([])
})

test.each([
  ['expired', { validBefore: 1000n }, 422],
  ['to somebody else', { to: '0x000000000000000000000000000000000000dEaD' as const }, 400],
  ['more than the wallet holds', { value: 51_000_000n }, 422],
  ['nothing', { value: 0n }, 400],
])('an authorization is refused before anything is sent: %s', async (_, change, status) => {
  await using w = await world()
  await w.withGas()
  const u = await w.user({ usdc: 50 })
  const reply = await u.post('/api/fund/authorization', await authorization(w, u, change))
  expect(reply.status).toBe(status)
  expect(reply.text).not.toMatch(/viem|http:\/\/|calldata/i)
  expect(await available(u)).toBe(0)
})

test("somebody else's authorization, and a forged signature, are refused", async () => {
  await using w = await world()
  const [payer, thief] = [await w.user({ usdc: 50 }), await w.user()]
  const body = await authorization(w, payer)
  expect((await thief.post('/api/fund/authorization', body)).status).toBe(400)
  const forged = { ...body, value: '6000000' }
  expect((await payer.post('/api/fund/authorization', forged)).body.code).toBe(
    'authorization_rejected',
  )
})

test('configuration, tokens and the live wallet balance', async () => {
  await using w = await world()
  const u = await w.user({ usdc: 12.5 })
  const config = (await w.call('GET', '/api/config')).body
  expect(config).toMatchObject({
    treasury: { evm: w.chain.treasury.address },
    networks: ['eip155:84532'],
    fees: { bps: 50, flat: 0 },
  })
  const tokens = (await w.call('GET', '/api/funding/tokens')).body
  expect(tokens.registry['eip155:84532'][0]).toMatchObject({
    symbol: 'USDC',
    type: 'ERC20',
    decimals: 6,
  })
  expect((await u.get('/api/wallet/balance?network=eip155:84532&asset=USDC')).body).toMatchObject({
    address: u.wallet,
    balance: 12.5,
    balance_atomic: '12500000',
  })
  expect((await u.get('/api/wallet/balance?network=eip155:1')).body.code).toBe('invalid_network')
  expect((await u.get('/api/wallet/balance?address=0x12')).body.code).toBe('invalid_address')
})
