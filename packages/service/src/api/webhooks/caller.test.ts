import { expect, test } from 'vitest'
import { ENDPOINT, register } from '../../../test/webhooks/kit.ts'
import { world } from '../../../test/world.ts'

test('a key needs the scopes of webhooks, and one that is limited to cards has no use of them', async () => {
  await using w = await world()
  const user = await w.user()
  const { id } = await register(user)
  const keyWith = async (body: object) => {
    const made = await user.post('/api/keys/restricted', { name: 'agent', ...body })
    expect(made.status, made.text).toBe(200)
    return { key: made.body.api_key as string }
  }
  const scopes = ['webhooks:read', 'webhooks:write']
  const [reader, writer, narrow] = [
    await keyWith({ scopes: ['webhooks:read'] }),
    await keyWith({ scopes: ['webhooks:write'] }),
    await keyWith({ scopes, card_ids: [`card_${'0'.repeat(26)}`] }),
  ]
  const refused = { status: 403, body: { code: 'forbidden_scope' } }
  const reads = ['/api/webhooks', '/api/webhooks/deliveries']
  const writes = [
    ['POST', '/api/webhooks', { url: ENDPOINT }],
    ['PATCH', `/api/webhooks/${id}`, { description: 'x' }],
    ['POST', `/api/webhooks/${id}/rotate-secret`, undefined],
    ['DELETE', `/api/webhooks/${id}`, undefined],
  ] as const
  for (const path of reads) {
    expect((await user.get(path, reader)).status).toBe(200)
    for (const key of [writer, narrow]) expect(await user.get(path, key)).toMatchObject(refused)
  }
  for (const [method, path, body] of writes) {
    for (const key of [reader, narrow])
      expect(await user.send(method, path, body, key)).toMatchObject(refused)
    expect((await user.send(method, path, body, writer)).status, `${method} ${path}`).toBe(200)
  }
})

// Its webhook would be sent what the key itself may not read.
test('a key without events:read makes no key that can write webhooks', async () => {
  await using w = await world()
  const user = await w.user()
  const own = ['keys:write', 'webhooks:write']
  const mint = (scopes: string[], key = user.key) =>
    user.post('/api/keys/restricted', { name: 'x', scopes }, { key })
  const blind = (await mint(own)).body.api_key
  expect(await mint(['webhooks:write'], blind)).toMatchObject({
    status: 403,
    body: { code: 'scope_escalation', param: 'scopes' },
  })
  const seeing = (await mint([...own, 'events:read'])).body.api_key
  expect((await mint(['webhooks:write'], seeing)).status).toBe(200)
})
