import { expect, test } from 'vitest'
import { ENDPOINT, insertDelivery, register } from '../../../../test/webhooks/kit.ts'
import { receiver } from '../../../../test/webhooks/receiver.ts'
import { world } from '../../../../test/world.ts'

test('the log has pages, newest first, of one webhook or of all, and counts by status', async () => {
  await using w = await world()
  const [user, other] = [await w.user(), await w.user()]
  const [first, second] = [await register(user), await register(user)]
  const theirs = await register(other)
  await insertDelivery(w, other, { webhookId: theirs.id })
  const ids: string[] = []
  for (let n = 0; n < 5; n++) {
    ids.unshift(
      await insertDelivery(w, user, {
        webhookId: first.id,
        status: n === 0 ? 'DELIVERED' : 'PENDING',
      }),
    )
    await w.advance(1)
  }
  ids.unshift(await insertDelivery(w, user, { webhookId: second.id }))
  const log = async (query: string) => {
    const { status, body, text } = await user.get(`/api/webhooks/deliveries?${query}`)
    expect(status, text).toBe(200)
    return { ...body, deliveries: body.deliveries.map(({ id }: { id: string }) => id) }
  }
  expect(await log('')).toEqual({ deliveries: ids, total: 6, page: 1, pages: 1, limit: 50 })
  expect(await log('page=2&limit=4')).toEqual({
    deliveries: ids.slice(4),
    total: 6,
    page: 2,
    pages: 2,
    limit: 4,
  })
  expect(await log('page=9')).toMatchObject({ deliveries: [], total: 6 })
  expect(await log(`webhook_id=${second.id}`)).toMatchObject({ deliveries: [ids[0]], total: 1 })
  expect(await log('status=DELIVERED')).toMatchObject({ deliveries: [ids[5]], total: 1 })
  expect(await log(`webhook_id=${second.id}&status=FAILED`)).toMatchObject({ total: 0 })
  const shown = (await user.get('/api/webhooks/deliveries?limit=1')).body.deliveries[0]
  expect(shown).toEqual({
    id: ids[0],
    webhook_id: second.id,
    event_id: ids[0]?.split(':')[1],
    status: 'PENDING',
    status_code: null,
    attempts: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    url: ENDPOINT,
    has_payload: false,
    next_attempt_at: expect.any(String),
    error: null,
    response_head: null,
  })
  for (const query of ['page=0', 'page=x', 'limit=101', 'limit=0', 'status=SENT'])
    expect((await user.get(`/api/webhooks/deliveries?${query}`)).status, query).toBe(400)
})

test('a delivery is shown with the bytes that are sent, to its own wallet', async () => {
  await using w = await world()
  await using hook = await receiver()
  const [user, other] = [await w.user(), await w.user()]
  const { id } = await register(user, { url: hook.url })
  await user.post(`/api/webhooks/${id}/test`)
  await w.deliver()
  const [listed] = (await user.get('/api/webhooks/deliveries')).body.deliveries
  const { body } = await user.get(`/api/webhooks/deliveries/${listed.id}/body`)
  expect(body.delivery).toEqual({ ...listed, body: hook.got[0]?.body.toString() })
  expect(JSON.parse(body.delivery.body)).toMatchObject({
    id: listed.event_id,
    type: 'webhook.test',
  })
  for (const [who, which] of [
    [other, listed.id],
    [user, `${id}:evt_none`],
    [user, id],
  ] as const)
    expect((await who.get(`/api/webhooks/deliveries/${which}/body`)).body.code).toBe('not_found')
})
