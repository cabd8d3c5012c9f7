import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'
import { dropNulls } from './absent.ts'

const after = (body: unknown, schema: Parameters<typeof dropNulls>[1]) => {
  dropNulls(body, schema)
  return body
}

test('an optional member that is null is absent, but where null is a value, or the member is required', () => {
  const schema = Type.Object({
    must: Type.String(),
    may: Type.Optional(Type.String()),
    either: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    anything: Type.Optional(Type.Unknown()),
    word: Type.Optional(Type.Literal('on')),
    inner: Type.Optional(Type.Object({ may: Type.Optional(Type.Number()) })),
    free: Type.Optional(Type.Record(Type.String(), Type.String())),
  })
  const body = {
    must: null,
    may: null,
    either: null,
    anything: null,
    word: null,
    inner: { may: null },
    free: { x: null },
    unknown: null,
  }
  expect(after(body, schema)).toEqual({
    must: null,
    either: null,
    anything: null,
    inner: {},
    free: { x: null },
    unknown: null,
  })
  expect(after({ may: null }, Type.Union([schema, Type.Null()]))).toEqual({})
  for (const other of [null, 'text', 7, [null]]) expect(after(other, schema)).toEqual(other)
})

test('null and absence are one request: of AP2, of cards, and under one Idempotency-Key', async () => {
  await using w = await world()
  const user = await w.user({ treasury: 100 })
  const order = { purpose: 'agent', limit_amount: 10 }
  const key = { headers: { 'idempotency-key': 'one' } }
  const first = await user.post('/api/issue', { ...order, mcc_locks: null, metadata: null }, key)
  expect(first.status, first.text).toBe(200)
  expect((await user.post('/api/issue', order, key)).body).toEqual(first.body)
  const { card } = first.body
  const link = (await user.post('/api/paylinks', { card_id: card.id, amount: null, memo: null }))
    .body
  expect(link.amount).toBeNull()
  const settled = await user.post('/api/ap2/settle', {
    pay_link_code: link.code,
    closed_mandate: 'x',
    open_mandate: null,
    card_token: card.token,
  })
  expect(settled.body.code).toBe('mandate_malformed')
  const missing = await user.post('/api/ap2/settle', { pay_link_code: null })
  expect(missing.status).toBe(400)
})
