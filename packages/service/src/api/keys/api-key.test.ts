import { expect, test } from 'vitest'
import { type User, type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import { sha256Hex } from '../../base/kernel/secrets.ts'
import { mintFirstKey } from './api-key.ts'

const CARD = `card_${'0'.repeat(26)}`
const OTHER_CARD = `card_${'1'.repeat(26)}`
const restricted = (user: User, body: object, key = user.key) =>
  user.post('/api/keys/restricted', { name: 'agent', scopes: ['cards:read'], ...body }, { key })
const generate = (w: World, key: string) => w.call('POST', '/api/keys/generate', undefined, { key })

test('a key is made with nothing else in the answer, and works', async () => {
  await using w = await world()
  const user = await w.user()
  const { status, body } = await user.post('/api/keys/generate')
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['api_key'])
  expect(body.api_key).toMatch(/^purser_test_[A-Za-z0-9_-]{49}$/)
  const valid = await w.call('POST', '/api/keys/validate', undefined, { key: body.api_key })
  expect(valid.status).toBe(200)
  expect(valid.body).toEqual({
    valid: true,
    wallet_address: user.wallet,
    authenticated_at: expect.stringMatching(/^\d{4}-.*Z$/),
    is_operator: false,
  })
})

test('keys are listed newest first, by page, without their text', async () => {
  await using w = await world()
  const user = await w.user()
  const other = await w.user()
  const made = [user.key]
  for (let i = 0; i < 4; i++) made.push((await user.post('/api/keys/generate')).body.api_key)
  const expected = made.reverse().map(sha256Hex)

  const listed: any[] = []
  for (let after = ''; ; ) {
    const page = await user.get(`/api/keys?limit=2${after && `&after=${after}`}`)
    expect(page.status).toBe(200)
    listed.push(...page.body.keys)
    after = page.body.keys.at(-1).key_hash
    if (!page.body.has_more) break
  }
  expect(listed.map((key) => key.key_hash)).toEqual(expected)
  expect(listed[0]).toEqual({
    key_hash: expected[0],
    key_hint: `purser_test_…${made[0]!.slice(-4)}`,
    status: 'active',
    created_at: expect.any(String),
    revoked_at: null,
    last_used_at: null,
    name: null,
    scopes: null,
    expires_at: null,
    card_ids: null,
    max_amount: null,
    made_by: sha256Hex(user.key),
  })
  for (const after of ['x', '0'.repeat(64), sha256Hex(other.key)])
    expect(await user.get(`/api/keys?after=${after}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_field', param: 'after' },
    })
  expect((await user.get('/api/keys?limit=0')).status).toBe(400)
  expect((await user.get('/api/keys?limit=101')).status).toBe(400)
})

test('a revoked key is refused at once, and revoking again changes nothing', async () => {
  await using w = await world()
  const user = await w.user()
  const { api_key: key } = (await user.post('/api/keys/generate')).body
  const revoke = () => user.send('DELETE', `/api/keys/${sha256Hex(key)}`)
  expect((await user.get('/api/keys', { key })).status).toBe(200)
  expect(await revoke()).toMatchObject({ status: 200, body: { success: true } })
  const refused = await user.get('/api/keys', { key })
  expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })

  const revokedAt = async () =>
    (await user.get('/api/keys')).body.keys.find((k: any) => k.key_hash === sha256Hex(key))
  const first = await revokedAt()
  expect(first.status).toBe('revoked')
  await w.advance(60)
  expect(await revoke()).toMatchObject({ status: 200, body: { success: true } })
  expect((await revokedAt()).revoked_at).toBe(first.revoked_at)
  const events = await all<{ type: string }>(
    w.db.reader,
    sql`select type from events where subject = ${sha256Hex(key)} order by seq`,
  )
  expect(events.map((event) => event.type)).toEqual(['key.created', 'key.revoked'])
})

test("another wallet's key is as one that does not exist", async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  const answers = []
  for (const hash of [sha256Hex(other.key), 'f'.repeat(64), 'nonsense']) {
    const { status, body } = await user.send('DELETE', `/api/keys/${hash}`)
    answers.push({ status, error: body.error, code: body.code })
  }
  expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  expect((await other.get('/api/keys')).status).toBe(200)
})

test('a restricted key is limited as asked, and says so', async () => {
  await using w = await world()
  const user = await w.user()
  const { status, body } = await restricted(user, {
    scopes: ['keys:read', 'cards:read'],
    card_ids: [CARD],
    max_amount: '12.5',
    expires_in: 2,
  })
  expect(status).toBe(200)
  expect(body.key).toMatchObject({
    key_hash: sha256Hex(body.api_key),
    name: 'agent',
    status: 'active',
    scopes: ['keys:read', 'cards:read'],
    card_ids: [CARD],
    max_amount: 12.5,
  })
  expect(Date.parse(body.key.expires_at) - Date.parse(body.key.created_at)).toBe(2 * 3_600_000)
  const key = body.api_key
  expect((await user.get('/api/keys', { key })).body.keys[0]).toEqual({
    ...body.key,
    // Written asynchronously, after the answer.
    last_used_at: expect.toSatisfy((at: unknown) => at === null || typeof at === 'string'),
  })
  expect(await generate(w, key)).toMatchObject({ status: 403, body: { code: 'forbidden_scope' } })
  await w.advance(2 * 3600 + 1)
  expect(await user.get('/api/keys', { key })).toMatchObject({
    status: 401,
    body: { code: 'invalid_api_key' },
  })
})

test.each([
  [{ scopes: [] }, 'invalid_field'],
  [{ scopes: ['cards:read', 'cards:read'] }, 'invalid_field'],
  [{ scopes: ['cards:admin'] }, 'invalid_field'],
  [{ scopes: 'cards:read' }, 'invalid_field'],
  [{ name: '' }, 'invalid_field'],
  [{ name: 'a\u0000b' }, 'invalid_field'],
  [{ name: 'a'.repeat(101) }, 'invalid_field'],
  [{ card_ids: [] }, 'invalid_field'],
  [{ card_ids: [CARD, CARD] }, 'invalid_field'],
  [{ card_ids: ['pl_1'] }, 'invalid_field'],
  [{ max_amount: 0 }, 'invalid_amount'],
  [{ max_amount: '1.0000001' }, 'invalid_amount'],
  [{ max_amount: -1 }, 'invalid_amount'],
  [{ max_amount: true }, 'invalid_amount'],
  [{ expires_in: -1 }, 'invalid_field'],
  [{ expires_in: '2' }, 'invalid_field'],
  [{ wallet_address: '0x' }, 'unknown_field'],
])('a restricted key with %j is refused', async (body, code) => {
  await using w = await world()
  expect(await restricted(await w.user(), body)).toMatchObject({ status: 400, body: { code } })
})

test('a key makes no key that may do more than itself', async () => {
  await using w = await world()
  const user = await w.user()
  const own = {
    scopes: ['keys:write', 'cards:read', 'cards:write'],
    card_ids: [CARD],
    max_amount: 10,
    expires_in: 2,
  }
  const { api_key: key } = (await restricted(user, own)).body
  const stronger = [
    [{ scopes: ['treasury:read'] }, 'scopes'],
    [{ scopes: ['cards:read', 'keys:read'] }, 'scopes'],
    [{ card_ids: [OTHER_CARD] }, 'card_ids'],
    [{ card_ids: [CARD, OTHER_CARD] }, 'card_ids'],
    [{ card_ids: undefined }, 'card_ids'],
    [{ max_amount: '10.000001' }, 'max_amount'],
    [{ max_amount: undefined }, 'max_amount'],
    [{ expires_in: 3 }, 'expires_in'],
    [{ expires_in: 0 }, 'expires_in'],
    [{ expires_in: undefined }, 'expires_in'],
  ] as const
  for (const [change, param] of stronger)
    expect(await restricted(user, { ...own, expires_in: 1, ...change }, key)).toMatchObject({
      status: 403,
      body: { code: 'scope_escalation', param },
    })
  expect(await generate(w, key)).toMatchObject({ status: 403, body: { code: 'scope_escalation' } })
  const weaker = { ...own, scopes: ['cards:read'], max_amount: 9, expires_in: 1 }
  expect((await restricted(user, weaker, key)).status).toBe(200)
  expect((await restricted(user, { ...own, expires_in: 1 }, key)).status).toBe(200)
})

test('a key revokes itself and what may do no more than it, nothing else', async () => {
  await using w = await world()
  const user = await w.user()
  const own = { scopes: ['keys:write', 'cards:read'], expires_in: 2 }
  const make = async (body: object) => (await restricted(user, body)).body.api_key as string
  const [key, weaker, stronger] = await Promise.all([
    make(own),
    make({ ...own, expires_in: 1 }),
    make({ ...own, scopes: ['cards:write'] }),
  ])
  const { api_key: full } = (await user.post('/api/keys/generate')).body
  const revoke = (other: string) =>
    user.send('DELETE', `/api/keys/${sha256Hex(other)}`, undefined, { key })
  for (const other of [full, stronger])
    expect(await revoke(other)).toMatchObject({ status: 403, body: { code: 'scope_escalation' } })
  expect((await user.get('/api/keys', { key: full })).status).toBe(200)
  expect((await revoke(weaker)).status).toBe(200)
  expect((await revoke(key)).status).toBe(200)
  expect((await revoke(stronger)).status).toBe(401)
})

// Keys are revoked after a leak: a key that is being revoked must not make another key meanwhile.
test('a key that is revoked while it makes another leaves none made after', async () => {
  await using w = await world()
  const user = await w.user()
  const { api_key: leaked } = (await user.post('/api/keys/generate')).body
  const [, ...made] = await Promise.all([
    user.send('DELETE', `/api/keys/${sha256Hex(leaked)}`),
    ...Array.from({ length: 10 }, () => generate(w, leaked)),
  ])
  const count = made.filter((reply) => reply.status === 200).length
  expect(made.every(({ status }) => status === 200 || status === 401)).toBe(true)
  expect((await user.get('/api/keys')).body.keys).toHaveLength(2 + count)
  expect((await generate(w, leaked)).status).toBe(401)
})

test('no credential stands in the database, in any table or form', async () => {
  await using w = await world()
  const user = await w.user()
  const headers = { 'idempotency-key': 'once' }
  const made = await user.post('/api/keys/generate', undefined, { headers })
  const again = await user.post('/api/keys/generate', undefined, { headers })
  expect(again.body).toEqual(made.body)
  const narrow = await restricted(user, {})
  const challenge = await w.call('POST', '/api/auth/challenge', { wallet_address: user.wallet })
  const { message } = challenge.body
  const signature = await user.account.signMessage({ message })
  const session = await w.call('POST', '/api/auth/verify', { message, signature })

  const tables = await all<{ name: string }>(
    w.db.reader,
    sql`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(10)
  const rows: string[] = []
  for (const { name } of tables)
    for (const { row } of await all<{ row: string }>(
      w.db.reader,
      sql`select t::text as row from ${sql.raw(name)} t`,
    ))
      rows.push(row)
  const text = rows.join('\n')
  expect(text).toContain(sha256Hex(user.key))
  for (const secret of [
    user.key,
    made.body.api_key,
    narrow.body.api_key,
    session.body.token,
  ] as string[]) {
    const body = secret.split('_').slice(2).join('_')
    for (const form of [body.slice(0, 43), Buffer.from(body).toString('hex')])
      expect(text.includes(form)).toBe(false)
  }
})

test('the database refuses to change a key or to take its revocation back', async () => {
  await using w = await world()
  const user = await w.user()
  const { key } = (await restricted(user, {})).body
  await user.send('DELETE', `/api/keys/${key.key_hash}`)
  for (const change of [
    'scopes = null',
    `wallet_address = '0x${'0'.repeat(40)}'`,
    'revoked_at = null',
    'expires_at = null, max_amount = 1',
  ])
    await expect(
      w.write((tx) =>
        sql`update api_keys set ${sql.raw(change)} where encode(hash, 'hex') = ${key.key_hash}`.execute(
          tx,
        ),
      ),
    ).rejects.toMatchObject({ code: '23514' })
  await expect(w.write((tx) => sql`delete from api_keys`.execute(tx))).rejects.toThrow()
})

test('of two first keys of a wallet at once one is made, and none of a wallet that signed in', async () => {
  await using w = await world()
  const wallet = `0x${'51'.repeat(20)}` as const
  const mint = (address: `0x${string}`) =>
    w.db.write((tx) => mintFirstKey(tx, new Date(), address, 'test'))
  const [one, two] = await Promise.allSettled([mint(wallet), mint(wallet)])
  const made = [one, two].filter(({ status }) => status === 'fulfilled')
  expect(made).toHaveLength(1)
  const known = await w.user()
  await expect(mint(known.wallet as `0x${string}`)).rejects.toMatchObject({ code: 'invalid_state' })
  const rows = await all(
    w.db.reader,
    sql`select made_by from api_keys where wallet_address = ${wallet}`,
  )
  expect(rows).toEqual([{ madeBy: null }])
})
