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

// SameSite lets a page of another port of this host, or of a neighboring subdomain, send the cookie along.
test('the cookie lets a page of the service change something, and no other page and no form', async () => {
  await using w = await world()
  const user = await w.user()
  const token = await signIn(w, user)
  const [cookie, host] = [`purser_session=${token}`, '192.168.1.9:4021']
  const own = { cookie, host, origin: `http://${host}` }
  const generate = (headers: Record<string, string>) =>
    w.call('POST', '/api/keys/generate', undefined, { headers })
  expect((await generate(own)).status).toBe(200)
  expect((await generate({ ...own, 'content-type': 'application/json' })).status).toBe(200)
  const neighbour = { ...own, origin: 'http://192.168.1.9:3000' }
  const rebound = { cookie, host: 'evil.example:4021', origin: 'http://evil.example:4021' }
  for (const headers of [neighbour, rebound, { cookie, host }, { ...own, origin: 'null' }])
    expect(await generate(headers)).toMatchObject({
      status: 403,
      body: { code: 'origin_not_allowed' },
    })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
    expect(await generate({ ...own, 'content-type': type })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    })
  // Reads: a link of another page may lead here, but no page of another origin or name reads by the session.
  expect((await list(w, { cookie, host, 'sec-fetch-site': 'cross-site' })).status).toBe(200)
  for (const headers of [neighbour, rebound, { cookie, host: 'evil.example' }])
    expect((await list(w, headers)).body.code).toBe('origin_not_allowed')
  // Nothing of this is asked of a key, or of the token of a session in a header.
  for (const credential of [user.key, token])
    expect((await generate({ ...rebound, authorization: `Bearer ${credential}` })).status).toBe(200)
})

test('at a name that is not known nobody signs in, and the page there names the setting', async () => {
  await using w = await world({ settings: { hosts: ['pay.lan'] } })
  const user = await w.user()
  const asked = await w.call('POST', '/api/auth/challenge', { wallet_address: user.wallet })
  const { message } = asked.body
  const signature = await user.account.signMessage({ message })
  const verify = (host: string, origin?: string) =>
    w.call(
      'POST',
      '/api/auth/verify',
      { message, signature },
      { headers: { host, ...(origin && { origin }) } },
    )
  const refused = await verify('evil.example', 'http://evil.example')
  expect(refused).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
  // A program gets its token by any name, and no cookie.
  const opened = await verify('purser.cluster.example')
  expect(opened.body.token).toMatch(/^purser_session_/)
  expect(opened.headers['set-cookie']).toBeUndefined()
  for (const path of ['/', '/cards']) {
    const see = (host: string) =>
      w.call('GET', path, undefined, { headers: { host, accept: 'text/html' } })
    const page = await see('evil.example')
    expect(page.status).toBe(403)
    expect(page.text).toContain('PURSER_HOSTS')
    expect((await see('pay.lan')).status).toBe(200)
  }
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
