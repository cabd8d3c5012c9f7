import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import erc1271Wallet from '../../../../../contracts/build/Erc1271Wallet.json' with { type: 'json' }
import { type Manner, newCircleToken, newToken, place } from '../../../test/actors/token-kit.ts'
import { type User, world } from '../../../test/world.ts'
import { sql } from '../../base/db/sql.ts'
import { randomHex } from '../../base/kernel/secrets.ts'
import { DEV_TOKENS } from '../../run/embedded/dev/tokens.ts'

const NETWORK = 'eip155:84532'
const register = (user: User, address: string, network = NETWORK) =>
  user.post('/api/tokens', { network, address })
const [DEV, B20] = DEV_TOKENS
const yes = (found_by: RegExp | string) => ({
  finding: 'yes',
  found_by: expect.stringMatching(found_by),
})
const not = (finding: 'no' | 'not_found') => ({ finding, found_by: expect.any(String) })

test('a plain token is registered as the chain tells of it, found again, and removed', async () => {
  await using w = await world()
  const user = await w.user()
  const { contract } = await newToken({ name: 'Bread', symbol: 'BRD' })
  const made = await register(user, contract.toLowerCase())
  expect(made.status).toBe(200)
  const { token } = made.body
  expect(token).toEqual({
    id: expect.stringMatching(/^tkn_/),
    network: NETWORK,
    address: contract,
    symbol: 'BRD',
    name: 'Bread',
    decimals: 18,
    type: 'ERC20',
    status: 'ACTIVE',
    safety: {
      fee_on_transfer: { finding: 'no', found_by: expect.stringContaining('from a holder') },
      pausable: not('not_found'),
      blocklist: not('not_found'),
      rebasing: not('not_found'),
      upgradeable: not('not_found'),
      eip3009: not('no'),
      eip2612: not('no'),
      permit2: yes('simulated transfer'),
    },
    created_at: expect.any(String),
    checked_at: expect.any(String),
  })
  expect((await user.get(`/api/tokens/${token.id}`)).body).toEqual({ token })
  expect((await user.get('/api/tokens')).body).toEqual({ tokens: [token], has_more: false })
  expect((await user.send('DELETE', `/api/tokens/${token.id}`)).body).toEqual({ success: true })
  expect((await user.get('/api/tokens')).body.tokens).toEqual([])
  expect((await user.get(`/api/tokens/${token.id}`)).body.token.status).toBe('REMOVED')
  expect((await user.send('DELETE', `/api/tokens/${token.id}`)).status).toBe(404)
  const again = (await register(user, contract)).body.token
  expect(again.id).not.toBe(token.id)
})

test('a token is registered once for each wallet, read anew each time, and is nobody else’s', async () => {
  await using w = await world()
  const [mine, theirs] = [await w.user(), await w.user()]
  const { contract } = await newToken()
  const both = await Promise.all([register(mine, contract), register(mine, contract)])
  const ids = both.map(({ body }) => body.token.id)
  expect(ids[0]).toBe(ids[1])
  await w.advance(60)
  const later = (await register(mine, contract)).body.token
  expect(later.id).toBe(ids[0])
  expect(later.checked_at > later.created_at).toBe(true)
  for (const method of ['GET', 'DELETE'])
    expect((await theirs.send(method, `/api/tokens/${ids[0]}`)).status).toBe(404)
  expect((await theirs.get('/api/tokens')).body.tokens).toEqual([])
  expect((await register(theirs, contract)).body.token.id).not.toBe(ids[0])
  const page = await mine.get('/api/tokens?limit=1')
  expect(page.body).toMatchObject({ has_more: false, tokens: [{ id: ids[0] }] })
})

test('the report tells of a B20, of a token of Circle’s kind, and of a proxy, and how it knows', async () => {
  await using w = await world()
  const user = await w.user()
  await user.post('/api/dev/faucet', { wallet_address: user.wallet, amount: 1, asset: 'DB20' })
  const b20 = (await register(user, B20!.contract)).body.token
  expect(b20).toMatchObject({ type: 'B20', symbol: 'DB20', decimals: 8 })
  expect(b20.safety).toMatchObject({
    pausable: yes('B20'),
    blocklist: yes('policies'),
    rebasing: yes('multiplier'),
    upgradeable: not('no'),
    eip3009: not('no'),
    eip2612: yes('permit'),
    permit2: yes(''),
  })
  const circle = (await register(user, await newCircleToken())).body.token
  expect(circle).toMatchObject({ symbol: 'EURC', name: 'Euro Coin', type: 'ERC20', decimals: 6 })
  expect(circle.safety).toMatchObject({
    // Nobody holds this token, so the simulation assumes a balance.
    fee_on_transfer: { finding: 'no', found_by: expect.stringContaining('assumed') },
    pausable: yes('paused'),
    blocklist: yes('isBlacklisted'),
    eip3009: yes('transferWithAuthorization'),
    eip2612: yes('permit'),
  })
  const odd = await newToken({ manner: 'Honest', proxied: true })
  const proxied = (await register(user, odd.contract)).body.token
  expect(proxied.safety).toMatchObject({
    pausable: yes('paused'),
    blocklist: yes('isBlacklisted'),
    rebasing: yes('rebase'),
    upgradeable: yes('EIP-1967'),
  })
})

test('a token whose transfers fail, or do not move what they say, is refused', async () => {
  await using w = await world()
  const user = await w.user()
  const cases: [Manner, string][] = [
    ['TakesFee', 'token_takes_fee'],
    ['MovesNothing', 'token_takes_fee'],
    ['Paused', 'token_not_transferable'],
    ['Refuses', 'token_not_transferable'],
    ['OnlyOnce', 'token_not_transferable'],
    ['BurnsGas', 'token_not_transferable'],
  ]
  for (const [manner, code] of cases) {
    const { contract } = await newToken({ manner })
    const refused = await register(user, contract)
    expect([manner, refused.status, refused.body.code]).toEqual([manner, 422, code])
  }
  // A pause ends, and a blocked holder is one of many: neither refuses the token for good.
  const { contract, setManner, setBlacklisted, holder, mint } = await newToken({ manner: 'Paused' })
  expect((await register(user, contract)).status).toBe(422)
  await setManner('Honest')
  await setBlacklisted(holder)
  expect((await register(user, contract)).body.code).toBe('token_not_transferable')
  await mint(user.account.address, 5n)
  expect((await register(user, contract)).status).toBe(200)
  expect((await user.get('/api/tokens')).body.tokens).toHaveLength(1)
})

test('what is no token, or has no name that can be shown, is refused', async () => {
  await using w = await world()
  const user = await w.user()
  const { contract } = await newToken()
  const nobody = randomHex(20)
  const cases: [code: string, status: number, reply: ReturnType<User['post']>][] = [
    ['invalid_asset', 400, register(user, w.chain.asset.contract)],
    ['invalid_network', 400, register(user, contract, 'eip155:8453')],
    ['invalid_field', 400, register(user, '0x12')],
    ['missing_field', 400, user.post('/api/tokens', { network: NETWORK })],
    ['unknown_field', 400, user.post('/api/tokens', { network: NETWORK, address: contract, x: 1 })],
    ['token_unreadable', 422, register(user, nobody)],
    ['token_unreadable', 422, register(user, user.wallet)],
    ['token_unreadable', 422, register(user, await place(erc1271Wallet.deployedBytecode))],
    ['token_unreadable', 422, register(user, (await newToken({ decimals: 77 })).contract)],
    ['token_unreadable', 422, register(user, (await newToken({ symbol: '' })).contract)],
    [
      'token_unreadable',
      422,
      register(user, (await newToken({ symbol: '\u202e\u0000 ' })).contract),
    ],
    [
      'token_unreadable',
      422,
      register(user, (await newToken({ symbol: 'x'.repeat(2_000) })).contract),
    ],
  ]
  for (const [code, status, reply] of cases) {
    const answer = await reply
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code])
  }
  expect((await user.get('/api/tokens')).body.tokens).toEqual([])
})

test('what a hostile token calls itself is shown without what cannot be seen, and cut', async () => {
  await using w = await world()
  const user = await w.user()
  const hostile = await newToken({
    symbol: `\u202eCDSU\u0007\n<script>${'y'.repeat(100)}`,
    name: `Free\u0000\u200b  money\r\n${'💸'.repeat(200)}`,
    decimals: 0,
  })
  const { token } = (await register(user, hostile.contract)).body
  expect(token.symbol).toBe(`CDSU <script>${'y'.repeat(19)}`)
  expect(token.name).toBe(`Free money ${'💸'.repeat(89)}`)
  expect(token.decimals).toBe(0)
})

test('registering needs its scope, and the database keeps what was registered', async () => {
  await using w = await world()
  const user = await w.user()
  const { contract } = await newToken()
  expect(
    (await w.call('POST', '/api/tokens', { network: NETWORK, address: contract })).status,
  ).toBe(401)
  const made = await user.post('/api/keys/restricted', { name: 'x', scopes: ['facilitator:read'] })
  const weak = { key: made.body.api_key }
  const refused = await user.post('/api/tokens', { network: NETWORK, address: contract }, weak)
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden_scope'])
  expect((await user.get('/api/tokens', weak)).status).toBe(200)
  const { token } = (await register(user, contract)).body
  const attempts = [
    sql`update registered_tokens set address = ${DEV!.contract} where id = ${token.id}`,
    sql`update registered_tokens set wallet_address = 'x' where id = ${token.id}`,
    sql`update registered_tokens set decimals = 37 where id = ${token.id}`,
    sql`update registered_tokens set symbol = ${'a\u0007'} where id = ${token.id}`,
    sql`delete from registered_tokens where id = ${token.id}`,
  ]
  for (const attempt of attempts)
    await expect(w.write((tx) => attempt.execute(tx))).rejects.toThrow()
  expect((await user.get(`/api/tokens/${token.id}`)).body.token).toEqual(token)
})

// One registration makes some fifty RPC calls.
test('a wallet registers thirty tokens a minute at most, and another wallet has its own count', async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  const nobody = () => privateKeyToAccount(generatePrivateKey()).address
  const statuses: number[] = []
  for (let i = 0; i < 32; i++) statuses.push((await register(user, nobody())).status)
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 422), 429, 429])
  expect((await register(other, nobody())).status).toBe(422)
  expect((await user.get('/api/tokens')).status).toBe(200)
})
