import {
  concatHex,
  createTestClient,
  getContractAddress,
  type Hex,
  http,
  pad,
  serializeErc6492Signature,
  toHex,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type World, world } from '../../../test/world.ts'
import { all, one, sql } from '../../base/db/sql.ts'
import { randomHex, Secret } from '../../base/kernel/secrets.ts'
import { Keyring } from '../../base/signing-keys/keyring.ts'
import { openChain } from '../../chain/client/chain.ts'
import { localSigner } from '../../chain/client/signers/local.ts'

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const ask = async (w: World, wallet: string) =>
  (await w.call('POST', '/api/auth/challenge', { wallet_address: wallet })).body as {
    message: string
    nonce: string
    expires_at: string
  }
const verify = (w: World, message: string, signature: string) =>
  w.call('POST', '/api/auth/verify', { message, signature })
async function signedBy(w: World, account: PrivateKeyAccount) {
  const { message, nonce } = await ask(w, account.address)
  return { message, nonce, signature: await account.signMessage({ message }) }
}

test('a wallet signs in with a message, and the token is its credential for twelve hours', async () => {
  await using w = await world()
  const account = newAccount()
  const asked = await ask(w, account.address.toLowerCase())
  expect(asked.message).toContain(account.address)
  expect(asked.message).toContain(`Nonce: ${asked.nonce}`)
  expect(asked.message).toContain(`Chain ID: ${w.chain.chainId}`)
  const { host } = new URL(w.services.settings.publicUrl)
  expect(asked.message.startsWith(`${host} wants you to sign in`)).toBe(true)
  expect(Date.parse(asked.expires_at) - w.now().getTime()).toBeLessThanOrEqual(300_000)

  const signature = await account.signMessage({ message: asked.message })
  const { status, body, headers } = await verify(w, asked.message, signature)
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['expires_at', 'token', 'wallet_address'])
  expect(body.wallet_address).toBe(account.address)
  expect(body.token).toMatch(/^purser_session_[A-Za-z0-9_-]{49}$/)
  expect(headers['set-cookie']).toBe(
    `purser_session=${body.token}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`,
  )
  const validate = () => w.call('POST', '/api/keys/validate', undefined, { key: body.token })
  expect(await validate()).toMatchObject({
    status: 200,
    body: { valid: true, wallet_address: account.address },
  })
  await w.advance(12 * 3600 + 1)
  expect(await validate()).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
})

test('the cookie is Secure where the site is', async () => {
  await using w = await world({ settings: { publicUrl: 'https://pay.example.com' } })
  const signed = await signedBy(w, newAccount())
  const { headers } = await verify(w, signed.message, signed.signature)
  expect(headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
  // By an address and without TLS, where a browser would drop a Secure cookie.
  const again = await signedBy(w, newAccount())
  const at = { host: '10.0.0.9:4021', origin: 'http://10.0.0.9:4021' }
  const plain = await w.call(
    'POST',
    '/api/auth/verify',
    { message: again.message, signature: again.signature },
    { headers: at },
  )
  expect(plain.headers['set-cookie']).toMatch(/; SameSite=Strict$/)
})

test('a nonce works once', async () => {
  await using w = await world()
  const signed = await signedBy(w, newAccount())
  expect((await verify(w, signed.message, signed.signature)).status).toBe(200)
  const again = await verify(w, signed.message, signed.signature)
  expect(again).toMatchObject({ status: 401, body: { code: 'invalid_nonce' } })
})

// A page and an attacker who copied the request may send it at once. There must be one session.
test('twenty verifications of one nonce at once give one token', async () => {
  await using w = await world()
  const signed = await signedBy(w, newAccount())
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => verify(w, signed.message, signed.signature)),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  expect(replies.filter((reply) => reply.body.code === 'invalid_nonce')).toHaveLength(19)
  expect(await all(w.db.reader, sql`select 1 from sessions`)).toHaveLength(1)
})

test('a wrong signature is refused and does not use the nonce up', async () => {
  await using w = await world()
  const account = newAccount()
  const { message } = await ask(w, account.address)
  const wrong = await newAccount().signMessage({ message })
  for (const signature of [wrong, '0x00', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`])
    expect(await verify(w, message, signature)).toMatchObject({
      status: 401,
      body: { code: 'invalid_signature' },
    })
  expect((await verify(w, message, await account.signMessage({ message }))).status).toBe(200)
})

// A wallet's signature of some other text must not sign anybody in.
test('a message that differs in anything from the challenge is refused, well signed or not', async () => {
  await using w = await world()
  const account = newAccount()
  const other = newAccount()
  const { message, nonce } = await ask(w, account.address)
  const { host } = new URL(w.services.settings.publicUrl)
  const changed = [
    message.replace(host, 'evil.example'),
    message.replace(account.address, other.address),
    message.replace(/Chain ID: \d+/, 'Chain ID: 1'),
    message.replace(/Expiration Time: .*/, 'Expiration Time: 2099-01-01T00:00:00.000Z'),
    message.replace('Sign in', 'Log in'),
    `${message}\nResources:\n- https://evil.example`,
    `${message}\n`,
    message.replaceAll('\n', '\r\n'),
    `Nonce: ${nonce}\n`,
  ]
  for (const text of changed)
    for (const signer of [account, other]) {
      const reply = await verify(w, text, await signer.signMessage({ message: text }))
      expect(reply.status).toBe(401)
      expect(reply.body.code).toMatch(/^invalid_(signature|nonce)$/)
    }
  const unknown = message.replace(nonce, 'f'.repeat(32))
  const signature = await account.signMessage({ message: unknown })
  expect((await verify(w, unknown, signature)).body.code).toBe('invalid_nonce')
  expect(await all(w.db.reader, sql`select 1 from sessions`)).toHaveLength(0)
})

test('a challenge is no good after five minutes, and is forgotten', async () => {
  await using w = await world()
  const signed = await signedBy(w, newAccount())
  await w.advance(301)
  const late = await verify(w, signed.message, signed.signature)
  expect(late).toMatchObject({ status: 401, body: { code: 'invalid_nonce' } })
  const { keyTasks } = await import('./jobs.ts')
  for (const task of keyTasks) await task.handle(w.services, {}, w.now())
  expect(await all(w.db.reader, sql`select 1 from auth_challenges`)).toHaveLength(0)
})

test('what is no address, or another network, is refused', async () => {
  await using w = await world()
  const challenge = (body: unknown) => w.call('POST', '/api/auth/challenge', body)
  const { address } = newAccount()
  expect(await challenge({})).toMatchObject({ status: 400, body: { code: 'missing_field' } })
  expect((await challenge({ wallet_address: '0x12' })).status).toBe(400)
  expect((await challenge({ wallet_address: address, extra: 1 })).body.code).toBe('unknown_field')
  // An example of EIP-55 with one letter in the other case. One address of two thousand has letters of one case only.
  const mistyped = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect((await challenge({ wallet_address: mistyped })).body.code).toBe('invalid_address')
  const network = 'eip155:1'
  expect((await challenge({ wallet_address: address, network })).body.code).toBe('invalid_network')
})

test('signing out ends the session at once, and is not for keys', async () => {
  await using w = await world()
  const signed = await signedBy(w, newAccount())
  const { token } = (await verify(w, signed.message, signed.signature)).body
  const made = await w.call('POST', '/api/keys/generate', undefined, { key: token })
  const logout = (key: string) => w.call('POST', '/api/auth/logout', undefined, { key })
  expect(await logout(made.body.api_key)).toMatchObject({ status: 400 })
  const done = await logout(token)
  expect(done).toMatchObject({ status: 200, body: { success: true } })
  expect(done.headers['set-cookie']).toMatch(/^purser_session=; Path=\/; Max-Age=0;/)
  expect((await logout(token)).status).toBe(401)
})

/** Code of a contract that answers every call with this word: EIP-1271's magic value, or another. */
const answering = (word: Hex): Hex =>
  concatHex(['0x7f', pad(word, { dir: 'right', size: 32 }), '0x5f5260205ff3'])
const YES = answering('0x1626ba7e')
const NO = answering('0xffffffff')
const CREATE2_FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

test('a contract wallet signs in if its contract says so (EIP-1271)', async () => {
  await using w = await world()
  const chain = createTestClient({ mode: 'anvil', transport: http(w.rpcUrl) })
  const { address } = newAccount()
  const signatures = ['0x', '0x1234', `0x${'12'.repeat(65)}`, `0x${'12'.repeat(400)}`]
  for (const bytecode of ['0x', NO, '0xfe', '0x5f5ffd'] as const) {
    await chain.setCode({ address, bytecode })
    const { message } = await ask(w, address)
    for (const signature of signatures)
      expect(await verify(w, message, signature)).toMatchObject({
        status: 401,
        body: { code: 'invalid_signature' },
      })
  }
  await chain.setCode({ address, bytecode: YES })
  for (const signature of signatures) {
    const { message } = await ask(w, address)
    expect((await verify(w, message, signature)).status).toBe(200)
  }
})

test('a contract wallet that is yet to be deployed signs in (EIP-6492)', async () => {
  await using w = await world()
  const [size] = [pad(`0x${((YES.length - 2) / 2).toString(16)}`, { size: 1 })]
  const bytecode = concatHex(['0x60', size, '0x80600a5f395ff3fe', YES])
  const salt = randomHex(32)
  const address = getContractAddress({ opcode: 'CREATE2', from: CREATE2_FACTORY, salt, bytecode })
  const { message } = await ask(w, address)
  const signature = serializeErc6492Signature({
    address: CREATE2_FACTORY,
    data: concatHex([salt, bytecode]),
    signature: '0x1234',
  })
  expect((await verify(w, message, '0x1234')).body.code).toBe('invalid_signature')
  expect(await verify(w, message, signature)).toMatchObject({
    status: 200,
    body: { wallet_address: address },
  })
})

// A factory that numbers its accounts gives the next address to the next caller. A stranger could show an account of
// his own at that address, and keep a key to an account that somebody else will own.
test('an account that is yet to be deployed signs in by a known factory alone', async () => {
  await using w = await world()
  const chain = createTestClient({ mode: 'anvil', transport: http(w.rpcUrl) })
  const factory = newAccount().address
  const init = concatHex([
    '0x60',
    toHex((YES.length - 2) / 2, { size: 1 }),
    '0x80600a5f395ff3fe',
    YES,
  ])
  // Makes the account by CREATE, for any calldata.
  const prefix = concatHex([
    '0x60',
    toHex((init.length - 2) / 2, { size: 1 }),
    '0x80600c5f395f5ff000',
  ])
  await chain.setCode({ address: factory, bytecode: concatHex([prefix, init]) })
  await chain.setNonce({ address: factory, nonce: 1 })
  const next = getContractAddress({ from: factory, nonce: 1n })
  const { message } = await ask(w, next)
  const signature = serializeErc6492Signature({ address: factory, data: '0x', signature: '0x1234' })
  expect((await verify(w, message, signature)).body.code).toBe('invalid_signature')
})

// A failed chain call must not be reported as a wrong signature, nor use the wallet's challenge up.
test('a chain that does not answer is said to, and the nonce can be used after', async () => {
  await using w = await world()
  const account = newAccount()
  const signed = await signedBy(w, account)
  const { chain } = w
  w.services.chain = openChain({
    asset: chain.asset,
    rpcUrls: ['http://127.0.0.1:9'],
    treasury: localSigner(new Secret(generatePrivateKey())),
    relayers: [],
    secrets: new Keyring([new Secret('00'.repeat(32))]),
  })
  const unanswered = await verify(w, signed.message, '0x1234')
  expect(unanswered).toMatchObject({ status: 502, body: { code: 'chain_unavailable' } })
  // A wallet with a key needs no chain.
  expect((await verify(w, signed.message, signed.signature)).status).toBe(200)
})

test('the database refuses a second session for one challenge', async () => {
  await using w = await world()
  const signed = await signedBy(w, newAccount())
  await verify(w, signed.message, signed.signature)
  const second = w.write((tx) =>
    sql`insert into sessions (id, place, hash, nonce, wallet_address, created_at, expires_at)
      select 'lgn_2', 2, sha256(hash), nonce, wallet_address, created_at, expires_at from sessions`.execute(
      tx,
    ),
  )
  await expect(second).rejects.toMatchObject({ constraint: 'one_session_per_challenge' })
  expect(
    await one(w.db.reader, sql`select 1 from auth_challenges where used_at is not null`),
  ).toBeDefined()
})
