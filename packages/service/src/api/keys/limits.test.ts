import { expect, test } from 'vitest'
import { type User, type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import { sha256Hex } from '../../base/kernel/secrets.ts'

const generate = (w: World, key: string) => w.call('POST', '/api/keys/generate', undefined, { key })
async function signIn(w: World, user: User): Promise<string> {
  const asked = await w.call('POST', '/api/auth/challenge', { wallet_address: user.wallet })
  const signature = await user.account.signMessage({ message: asked.body.message })
  const { message } = asked.body
  const answer = await w.call('POST', '/api/auth/verify', { message, signature })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.token
}
const sessionsOf = async (user: User, key = user.key) =>
  (await user.get('/api/sessions', { key })).body.sessions as { id: string; is_current: boolean }[]
const statusOf = async (user: User, key: string) => (await user.get('/api/cards', { key })).status

test('forty keys and sessions of a wallet have one limit among them, and another wallet its own', async () => {
  const limit = 100
  await using w = await world({ settings: { rateLimitPerMinute: limit } })
  const user = await w.user()
  const keys = [user.key, await signIn(w, user)]
  for (let n = 0; n < 38; n++) keys.push((await generate(w, user.key)).body.api_key)
  const other = await w.user()
  await other.get('/api/cards')
  const statuses: number[] = []
  for (const key of [...keys, ...keys, ...keys, ...keys]) statuses.push(await statusOf(user, key))
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(limit)
  const refused = await user.get('/api/cards', { key: keys[7]! })
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await other.get('/api/cards')).status).toBe(200)
})

test('of a hundred keys asked for at once a wallet gets fifty in all', async () => {
  await using w = await world()
  const user = await w.user()
  const replies = await Promise.all(Array.from({ length: 100 }, () => generate(w, user.key)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(49)
  for (const refused of replies.filter(({ status }) => status !== 200))
    expect(refused).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  const spare = replies.find(({ status }) => status === 200)?.body.api_key as string
  await user.send('DELETE', `/api/keys/${sha256Hex(spare)}`)
  expect((await generate(w, user.key)).status).toBe(200)
  expect((await generate(w, user.key)).status).toBe(409)
  expect((await generate(w, (await w.user()).key)).status).toBe(200)
})

test('a key that has expired gives its place to another', async () => {
  await using w = await world()
  const user = await w.user()
  const short = { name: 'x', scopes: ['cards:read'], expires_in: 1 }
  for (let n = 0; n < 49; n++)
    expect((await user.post('/api/keys/restricted', short)).status).toBe(200)
  expect((await generate(w, user.key)).status).toBe(409)
  await w.advance(3601)
  expect((await generate(w, user.key)).status).toBe(200)
})

test('the database has no place for a fifty-first key, and takes none from a key that is good', async () => {
  await using w = await world()
  const user = await w.user()
  for (let n = 0; n < 49; n++) await generate(w, user.key)
  const copy = (place: string) =>
    w.write((tx) =>
      sql`insert into api_keys (hash, hint, wallet_address, created_at, place)
        select sha256('another'), hint, wallet_address, created_at, ${sql.raw(place)} from api_keys limit 1`.execute(
        tx,
      ),
    )
  await expect(copy('7')).rejects.toMatchObject({ constraint: 'one_key_per_place' })
  for (const place of ['51', 'null'])
    await expect(copy(place)).rejects.toMatchObject({ constraint: 'fifty_keys_at_most' })
  const free = w.write((tx) => sql`update api_keys set place = null where place = 7`.execute(tx))
  await expect(free).rejects.toMatchObject({ code: '23514' })
})

test('a key falls with the one that made it if asked, at any depth, and no other', async () => {
  await using w = await world()
  const user = await w.user()
  const make = async (by: string) => (await generate(w, by)).body.api_key as string
  const [stolen, good] = [await make(user.key), await make(user.key)]
  const child = await make(stolen)
  const narrow = { name: 'x', scopes: ['keys:write', 'cards:read'] }
  const grandchild = (await user.post('/api/keys/restricted', narrow, { key: child })).body
  expect(grandchild.key.made_by).toBe(sha256Hex(child))
  const gone = await user.send('DELETE', `/api/keys/${sha256Hex(stolen)}?descendants=true`)
  expect(gone).toMatchObject({ status: 200, body: { success: true, revoked_keys: 3 } })
  for (const key of [stolen, child, grandchild.api_key]) expect(await statusOf(user, key)).toBe(401)
  for (const key of [user.key, good]) expect(await statusOf(user, key)).toBe(200)
  const events = await all(w.db.reader, sql`select from events where type = 'key.revoked'`)
  expect(events).toHaveLength(3)
})

test('without being asked, what a key made stays, and can still fall with it after', async () => {
  await using w = await world()
  const user = await w.user()
  const stolen = (await generate(w, user.key)).body.api_key
  const child = (await generate(w, stolen)).body.api_key
  const path = `/api/keys/${sha256Hex(stolen)}`
  expect((await user.send('DELETE', path)).body).toEqual({ success: true, revoked_keys: 1 })
  expect(await statusOf(user, child)).toBe(200)
  for (const wrong of ['yes', '1'])
    expect((await user.send('DELETE', `${path}?descendants=${wrong}`)).status).toBe(400)
  expect((await user.send('DELETE', `${path}?descendants=true`)).body.revoked_keys).toBe(1)
  expect(await statusOf(user, child)).toBe(401)
})

test('a restricted key ends neither a stronger key with its descendants nor a session', async () => {
  await using w = await world()
  const user = await w.user()
  const token = await signIn(w, user)
  const strong = (await generate(w, token)).body.api_key
  const narrow = { name: 'x', scopes: ['keys:write', 'keys:read', 'cards:read'] }
  const weak = (await user.post('/api/keys/restricted', narrow, { key: strong })).body.api_key
  const [session] = await sessionsOf(user, weak)
  const refused = { status: 403, body: { code: 'scope_escalation' } }
  for (const path of [
    `/api/keys/${sha256Hex(strong)}?descendants=true`,
    `/api/sessions/${session?.id}`,
    `/api/sessions/${session?.id}?descendants=true`,
  ])
    expect(await user.send('DELETE', path, undefined, { key: weak })).toMatchObject(refused)
  for (const key of [strong, weak, token]) expect(await statusOf(user, key)).toBe(200)
})

// A key made while its maker is being revoked must be revoked too, or not be made.
test('no descendant slips through while its maker falls', async () => {
  await using w = await world()
  const user = await w.user()
  const stolen = (await generate(w, user.key)).body.api_key
  const [gone, ...made] = await Promise.all([
    user.send('DELETE', `/api/keys/${sha256Hex(stolen)}?descendants=true`),
    ...Array.from({ length: 12 }, () => generate(w, stolen)),
  ])
  expect(gone?.status).toBe(200)
  for (const { body } of made.filter(({ status }) => status === 200))
    expect(await statusOf(user, body.api_key)).toBe(401)
})

test('sessions are listed and ended, with the keys that they made if asked, also after their time', async () => {
  await using w = await world()
  const user = await w.user()
  const [here, there] = [await signIn(w, user), await signIn(w, user)]
  const made = (await generate(w, there)).body.api_key
  const sessions = await sessionsOf(user, here)
  expect(sessions).toHaveLength(3)
  expect(sessions.map(({ is_current }) => is_current)).toEqual([false, true, false])
  const [{ id } = { id: '' }] = sessions
  const keys = (await user.get('/api/keys')).body.keys
  expect(keys[0]).toMatchObject({ key_hash: sha256Hex(made), made_by: id })
  const end = (path: string) => user.send('DELETE', path)
  expect((await end(`/api/sessions/${id}`)).body).toEqual({ success: true, revoked_keys: 0 })
  expect(await statusOf(user, there)).toBe(401)
  expect(await statusOf(user, made)).toBe(200)
  expect((await end(`/api/sessions/${id}?descendants=true`)).body.revoked_keys).toBe(1)
  expect(await statusOf(user, made)).toBe(401)
  expect(await statusOf(user, here)).toBe(200)
  const stranger = await w.user()
  for (const path of [`/api/sessions/${sessions[1]?.id}`, '/api/sessions/lgn_x'])
    expect(await stranger.send('DELETE', path)).toMatchObject({ status: 404 })
})

test("a wallet's twenty-first session ends its oldest; twenty at once are twenty", async () => {
  await using w = await world()
  const user = await w.user()
  const first = await signIn(w, user)
  for (let n = 0; n < 18; n++) await signIn(w, user)
  await Promise.all(Array.from({ length: 6 }, () => signIn(w, user)))
  expect(await sessionsOf(user)).toHaveLength(20)
  expect(await statusOf(user, first)).toBe(401)
})

// Anybody may ask for a challenge for any wallet.
test('a hundred challenges of a wallet are twenty rows, and the wallet still signs in', async () => {
  await using w = await world()
  const user = await w.user()
  const ask = () => w.call('POST', '/api/auth/challenge', { wallet_address: user.wallet })
  const asked = await Promise.all(Array.from({ length: 100 }, ask))
  expect(asked.map(({ status }) => status).every((status) => status === 200)).toBe(true)
  const open = sql`select from auth_challenges where used_at is null`
  expect(await all(w.db.reader, open)).toHaveLength(20)
  await signIn(w, user)
  await w.advance(301)
  await ask()
  expect(
    await all(w.db.reader, sql`select from auth_challenges where place is not null`),
  ).toHaveLength(1)
})
