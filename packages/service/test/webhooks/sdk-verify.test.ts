import { expect, test } from 'vitest'
import { verifyWebhook } from '../../../sdk/src/purser.ts'
import { world } from '../world.ts'
import { events, prove } from './delivery-kit.ts'
import { register } from './kit.ts'
import { receiver } from './receiver.ts'

test('the SDK verifies what the service delivers by either scheme, and with both secrets while they change', async () => {
  await using w = await world()
  await prove(w)
  await using there = await receiver()
  const user = await w.user()
  const { id, secret } = await register(user, { url: there.url })
  await events(w, user, [1])
  await w.deliver()
  const rotated = (await user.post(`/api/webhooks/${id}/rotate-secret`)).body.secret as string
  await events(w, user, [2])
  await w.deliver()

  const verified = async (secrets: string | string[], own: boolean) => {
    const ids: (string | undefined)[] = []
    for (const { body, headers } of there.got) {
      const given = own ? { 'purser-signature': headers['purser-signature'] } : headers
      const event = await verifyWebhook(body, given, secrets).catch(() => undefined)
      ids.push(event?.id)
    }
    return ids
  }
  const [first, second] = there.got.map(({ event }) => event.id)
  expect(there.got).toHaveLength(2)
  for (const own of [false, true]) {
    expect(await verified(secret, own)).toEqual([first, second])
    expect(await verified(rotated, own)).toEqual([undefined, second])
    expect(await verified([rotated, secret], own)).toEqual([first, second])
  }
})
