import { expect, test } from 'vitest'
import { world } from '../../../../test/world.ts'

const ask = (method: unknown, params?: unknown) => ({ jsonrpc: '2.0', id: 7, method, params })
const said = (...parts: unknown[]) => ask('SendMessage', { message: { role: 'ROLE_USER', parts } })

test('a message that names a pay link is answered with its price and its URL, and nothing is paid', async () => {
  await using w = await world()
  const seller = await w.user()
  const card = await seller.card({ limit: 1 })
  const { code } = (await seller.post('/api/paylinks', { card_id: card.id, amount: 0.25 })).body
  for (const part of [
    { text: `What does ${code} cost?` },
    { text: `https://shop.example/pay/${code.toLowerCase()}` },
    { data: { pay_link_code: code } },
  ]) {
    const { status, body } = await w.call('POST', '/a2a', said(part))
    expect([status, body.id, body.error]).toEqual([200, 7, undefined])
    const [text, data] = body.result.message.parts
    expect(text.text).toContain(`${code} asks for 0.25 USDC. Pay it at`)
    expect(data.data).toMatchObject({ payment: { pay_link_code: code, amount: 0.25 } })
    expect(data.data.url).toMatch(new RegExp(`/pay/${code}$`))
  }
  const unknown = await w.call('POST', '/a2a', said({ text: 'PL_AAAAAAAAAA' }))
  expect(unknown.body.result.message.parts[1].data.code).toBe('not_found')
  const none = await w.call('POST', '/a2a', said({ text: 'hello' }))
  expect(none.body.result.message.parts[0].text).toMatch(/^Name a pay link/)
})

test('each other method, and each request that is none, has the error that A2A has for it', async () => {
  await using w = await world()
  const codes = async (body: unknown, headers = {}) => {
    const { status, body: answered } = await w.call('POST', '/a2a', body, { headers })
    expect(status).toBe(200)
    return answered.error?.code
  }
  expect(await codes(ask('GetTask', { id: 'x' }))).toBe(-32001)
  expect(await codes(ask('CancelTask', { id: 'x' }))).toBe(-32001)
  expect(await codes(ask('SendStreamingMessage'))).toBe(-32004)
  expect(await codes(ask('CreateTaskPushNotificationConfig'))).toBe(-32003)
  expect(await codes(ask('toString'))).toBe(-32601)
  expect(await codes(ask(5))).toBe(-32600)
  expect(await codes({})).toBe(-32600)
  expect(await codes(ask('SendMessage'))).toBe(-32602)
  expect(await codes(said('PL_AAAAAAAAAA'))).toBe(-32602)
  expect(await codes(ask('ListTasks'), { 'a2a-version': '1.0' })).toBeUndefined()
  expect(await codes(ask('ListTasks'), { 'a2a-version': '0.3' })).toBe(-32009)
})
