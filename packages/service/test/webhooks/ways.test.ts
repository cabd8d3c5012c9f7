import { expect, test } from 'vitest'
import { issue, open } from '../actors/attack-kit.ts'
import { world } from '../world.ts'
import { prove, register } from './kit.ts'
import { receiver } from './receiver.ts'

// A public client knows three protocols and two modes by closed lists, and refuses an event with any other word.
test.each([
  [{ accepted_protocols: ['card'] }, undefined, 'card', undefined],
  [{}, 'x402', 'x402', 'x402'],
  [{}, 'mpp', 'mpp', 'mpp'],
])(
  'a payment of %j by %s says its rail, and its protocol if it has one',
  async (link, by, rail, protocol) => {
    await using w = await world()
    await using hook = await receiver()
    await prove(w)
    const [seller, payer] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
    await register(seller, { url: hook.url })
    const [till, card] = [await issue(seller, 1), await issue(payer, 5)]
    const { code } = await open(seller, till, link)
    const paid = await payer.post(`/api/pay/${code}/settle`, {
      ...{ payer_card_id: card.id, payer_card_token: card.token },
      ...(by !== undefined && { protocol: by }),
    })
    expect(paid.status, paid.text).toBe(200)
    const received = (await seller.get('/api/payments')).body.payments[0]
    expect((await seller.post(`/api/payments/${received.id}/refund`)).status).toBe(200)
    await w.deliver()
    const sentTo = (await payer.get('/api/events')).body.events
    const events = [...hook.got.map(({ event }) => event), ...sentTo].filter(({ type }) =>
      ['payment.settled', 'payment.sent', 'payment.refunded'].includes(type),
    )
    expect(events).toHaveLength(4)
    for (const { type, data } of events) {
      expect([type, data.rail, data.protocol]).toEqual([type, rail, protocol])
      expect('protocol' in data).toBe(protocol !== undefined)
      if (type !== 'payment.refunded') expect(data.settlement_mode).toBe('CUSTODIAL')
      expect(data).not.toHaveProperty('mode')
    }
    const { timeline } = (await seller.get(`/api/payments/${received.id}`)).body.payment
    for (const { data } of timeline) {
      expect([data.rail, data.protocol, data.settlement_mode]).toEqual([
        rail,
        protocol,
        'CUSTODIAL',
      ])
      expect(data).not.toHaveProperty('mode')
    }
  },
)
