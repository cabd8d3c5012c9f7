import { expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { newCredential } from './credential.ts'

const list = (w: World, headers: Record<string, string>) =>
  w.call('GET', '/api/keys', undefined, { headers })
async function signIn(w: World, user: User): Promise<string> {
  const asked = await w.call('POST', '/api/auth/challenge', { wallet_address: user.wallet })
  const { message } = asked.body
  const signature = await user.account.signMessage({ message })
  return (await w.call('POST', '/api/auth/verify', { message, signature })).body.token
}

test('without a credential the answer says how to send one', async () => {
  await using w = await world()
  const reply = await list(w, {})
  expect(reply).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
})

test('the scheme is read in any case', async () => {
  await using w = await world()
  const { key } = await w.user()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer '])
    expect((await list(w, { authorization: `${scheme} ${key}` })).status).toBe(200)
})

test('a credential that is not good is refused in one way, whatever is wrong with it', async () => {
  await using w = await world()
  const { key } = await w.user()
  const headers = [
    '',
    key,
    'Bearer',
    'Bearer nonsense',
    `Basic ${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
    `Bearer ${newCredential('test').text}`,
    `Bearer ${newCredential('live').text}`,
    `Bearer ${newCredential('session').text}`,
  ]
  const answers = new Set<string>()
  for (const authorization of headers) {
    const { status, body } = await list(w, { authorization })
    answers.add(JSON.stringify({ status, code: body.code, error: body.error }))
  }
  expect([...answers]).toHaveLength(1)
  expect([...answers][0]).toContain('"status":401,"code":"invalid_api_key"')
})

test("the web page's cookie counts where there is no header, and holds sessions alone", async () => {
  await using w = await world()
  const user = await w.user()
  const token = await signIn(w, user)
  const cookie = `purser_session=${token}`
  expect((await list(w, { cookie })).status).toBe(200)
  const wrongHeader = { cookie, authorization: 'Bearer nonsense' }
  expect((await list(w, wrongHeader)).body.code).toBe('invalid_api_key')
  expect((await list(w, { cookie: `purser_session=${user.key}` })).body.code).toBe(
    'invalid_api_key',
  )
})

// SameSite allows a neighboring subdomain, or another port of the same host, to send the cookie.
test('the cookie does not let a page of another origin change anything', async () => {
  await using w = await world()
  const cookie = `purser_session=${await signIn(w, await w.user())}`
  const generate = (headers: Record<string, string>) =>
    w.call('POST', '/api/keys/generate', undefined, { headers: { cookie, ...headers } })
  expect((await generate({})).status).toBe(200)
  expect((await generate({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  for (const site of ['same-site', 'cross-site', 'none'])
    expect(await generate({ 'sec-fetch-site': site })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
  expect((await list(w, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(200)
})

test('the last use of a key is noted, to the minute', async () => {
  await using w = await world()
  const user = await w.user()
  const lastUse = async (): Promise<string | null> =>
    (await user.get('/api/keys')).body.keys[0].last_used_at
  await Promise.all(Array.from({ length: 20 }, lastUse))
  await until(lastUse, (seen) => expect(seen).not.toBeNull())
  const first = await lastUse()
  await w.advance(30)
  await lastUse()
  expect(await lastUse()).toBe(first)
  await w.advance(31)
  await lastUse()
  await until(lastUse, (seen) => expect(seen).not.toBe(first))
})
