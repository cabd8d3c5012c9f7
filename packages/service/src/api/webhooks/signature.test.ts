import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signatureHeaders } from './signature.ts'

const newSecret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`

test("the Standard Webhooks library accepts a delivery under each live secret, and no other's", () => {
  const [current, previous, other] = [newSecret(1), newSecret(2), newSecret(3)]
  const body = Buffer.from('{"text":"Zürich €"}')
  const headers = signatureHeaders({
    eventId: 'evt_1',
    sentAt: new Date(),
    body,
    secrets: [current, previous],
  })

  for (const secret of [current, previous])
    expect(new Webhook(secret).verify(body, headers)).toEqual({ text: 'Zürich €' })
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow('No matching signature')
})
