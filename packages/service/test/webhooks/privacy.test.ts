import { pino } from 'pino'
import { expect, test } from 'vitest'
import { issue, open, payWith } from '../actors/attack-kit.ts'
import { world } from '../world.ts'
import { prove, register } from './kit.ts'
import { receiver } from './receiver.ts'

// A seller's webhook is the seller's own: what it is sent must not tell whose card paid, and the other way round.
test('neither side of a payment is sent anything of the card of the other', async () => {
  await using w = await world()
  await using atSeller = await receiver()
  await using atBuyer = await receiver()
  await prove(w)
  const [seller, buyer] = [await w.user({ treasury: 20 }), await w.user({ treasury: 20 })]
  await register(seller, { url: atSeller.url })
  await register(buyer, { url: atBuyer.url })
  const till = await issue(seller, 5, { purpose: 'the till of the seller' })
  const card = await issue(buyer, 5, { purpose: 'a present for Ada' })
  const link = await open(seller, till, { amount: 1, memo: 'a book' })
  expect((await payWith(w, link.code, card)).status).toBe(200)
  await w.deliver()
  expect(atSeller.types()).toContain('payment.settled')
  expect(atBuyer.types()).toContain('payment.sent')
  const sent = (there: typeof atSeller) => there.got.map(({ body }) => body.toString()).join('\n')
  for (const word of [card.id, card.token, 'Ada', buyer.wallet, buyer.key])
    expect(sent(atSeller)).not.toContain(word)
  for (const word of [till.id, till.token, 'the till', seller.key])
    expect(sent(atBuyer)).not.toContain(word)
  const wallets = new Map([
    [seller, atSeller],
    [buyer, atBuyer],
  ])
  for (const [user, there] of wallets) {
    const log = await user.get('/api/webhooks/deliveries?limit=100')
    const ids = log.body.deliveries.map((row: { event_id: string }) => row.event_id).sort()
    expect(ids).toEqual(there.got.map(({ event }) => event.id).sort())
    for (const { event } of there.got) expect(log.text).not.toContain(JSON.stringify(event.data))
  }
})

test('no secret of a webhook reaches the log of the service, whatever it is asked and however it fails', async () => {
  await using w = await world()
  await using there = await receiver(() => 500)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  Object.assign(w.services, { log })
  const user = await w.user()
  const { id, secret } = await register(user, { url: `${there.url}?key=s3cr3t-of-the-url` })
  const rotated = (await user.post(`/api/webhooks/${id}/rotate-secret`)).body.secret
  await user.post(`/api/webhooks/${id}/test`)
  there.state.manner = () => 'drop'
  await w.advance(20)
  await user.post(`/api/webhooks/${id}/test`)
  await user.post('/api/webhooks', { url: 'https://10.0.0.1/?key=s3cr3t-of-the-url' })
  await w.advance(20)
  await w.deliver()
  log.info('the end')
  const text = lines.join('')
  expect(text).toContain('the end')
  for (const word of [secret, rotated, secret.slice(6), rotated.slice(6), 's3cr3t-of-the-url'])
    expect(text).not.toContain(word)
  const received = there.got.map(({ headers, body }) => JSON.stringify(headers) + body).join('')
  for (const word of [secret, rotated]) expect(received).not.toContain(word.slice(6))
})
