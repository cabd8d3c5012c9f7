import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signWebhook, verifyWebhook, WebhookError } from '../purser.ts'

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`
const SECRET = secretOf()
const NOW = new Date('2026-07-16T12:00:00Z')
const unix = (at: Date) => String(Math.floor(at.getTime() / 1000))
const EVENT = { id: 'evt_1', type: 'card.frozen', data: { card_id: 'card_1', reason: 'lost 💳' } }
const BODY = JSON.stringify(EVENT)

/** As the package of Standard Webhooks signs. */
const standard = (secret = SECRET, body = BODY, at = NOW) => ({
  'webhook-id': EVENT.id,
  'webhook-timestamp': unix(at),
  'webhook-signature': new Webhook(secret).sign(EVENT.id, at, body),
})
/** As Node signs, with the whole text of the secret. */
const own = (secret = SECRET, body = BODY, at = NOW) => {
  const t = unix(at)
  return {
    'Purser-Signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`,
  }
}
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const faultOf = (verified: Promise<unknown>): Promise<unknown> =>
  verified.then(
    () => 'none',
    (error) => (error instanceof WebhookError ? error.code : error),
  )

test.each([
  ['Standard Webhooks', standard],
  ['Purser-Signature', own],
])('%s: a delivery is verified, whatever holds its headers and body', async (_, sign) => {
  const bytes = new TextEncoder().encode(BODY)
  const spelled = Object.fromEntries(
    Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  for (const headers of [sign(), new Headers(sign()), spelled])
    for (const body of [BODY, bytes, Buffer.from(bytes)])
      expect(await verifyWebhook(body, headers, SECRET, { now: NOW })).toEqual(EVENT)
})

test.each([
  ['Standard Webhooks', standard],
  ['Purser-Signature', own],
])('%s: another body, secret, time or signature is refused by name', async (_, sign) => {
  const check = (headers: Record<string, string>, body = BODY, secret = SECRET, now = NOW) =>
    faultOf(verifyWebhook(body, headers, secret, { now }))
  expect(await check(sign())).toBe('none')
  expect(await check(sign(), `${BODY} `)).toBe('wrong_signature')
  expect(await check(sign(), BODY, secretOf())).toBe('wrong_signature')
  expect(await check(sign(), BODY, SECRET, later(301))).toBe('too_old')
  expect(await check(sign(), BODY, SECRET, later(-301))).toBe('too_new')
  expect(await check(sign(), BODY, SECRET, later(299))).toBe('none')
  const options = { now: later(301), toleranceSeconds: 400 }
  expect(await faultOf(verifyWebhook(BODY, sign(), SECRET, options))).toBe('none')
  const changed = (of: Record<string, string>, from: RegExp, to: string) =>
    Object.fromEntries(Object.entries(of).map(([name, text]) => [name, text.replace(from, to)]))
  const moved = changed(sign(), new RegExp(unix(NOW)), unix(later(5)))
  expect(await check(moved)).toBe('wrong_signature')
  expect(await check(changed(sign(), /v1/, 'v2'))).toBe('invalid_header')
  expect(await check(changed(sign(), new RegExp(unix(NOW)), 'now'))).toBe('invalid_header')
})

test('while a secret is rotated either secret and either signature is enough', async () => {
  const [older, newer] = [secretOf(), secretOf()]
  const both = standard(newer)
  both['webhook-signature'] += ` ${standard(older)['webhook-signature']} v1a,other`
  const twice = `${own(newer)['Purser-Signature']},${own(older)['Purser-Signature'].split(',')[1]}`
  for (const headers of [both, { 'purser-signature': twice }]) {
    for (const secrets of [older, newer, [secretOf(), older]])
      expect(await verifyWebhook(BODY, headers, secrets, { now: NOW })).toEqual(EVENT)
    expect(await faultOf(verifyWebhook(BODY, headers, secretOf(), { now: NOW }))).toBe(
      'wrong_signature',
    )
  }
})

test('what is no delivery is refused by name', async () => {
  const check = (
    body: unknown,
    headers: Record<string, string>,
    secret: string | string[] = SECRET,
  ) => faultOf(verifyWebhook(body as string, headers, secret, { now: NOW }))
  expect(await check(BODY, {})).toBe('missing_header')
  expect(await check(BODY, { 'webhook-signature': 'v1,AAAA' })).toBe('missing_header')
  expect(await check(BODY, { 'purser-signature': 't=1' })).toBe('invalid_header')
  expect(await check(EVENT, standard())).toBe('invalid_body')
  expect(await check('{', standard(SECRET, '{'))).toBe('invalid_body')
  for (const secret of ['', 'whsec_', 'secret', 'whsec_not base64', 'whsec_AAAAA', []])
    expect(await check(BODY, standard(), secret)).toBe('invalid_secret')
  for (const base64 of ['', '=', 'A'.repeat(5), 'A'.repeat(45)])
    expect(await check(BODY, { ...standard(), 'webhook-signature': `v1,${base64}` })).toBe(
      'invalid_header',
    )
})

test('what signWebhook signs the package of Standard Webhooks verifies, and Node', async () => {
  const headers = await signWebhook(BODY, SECRET, { id: EVENT.id })
  expect(new Webhook(SECRET).verify(BODY, headers)).toEqual(EVENT)
  const [, t = '', hex] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['purser-signature'] ?? '') ?? []
  expect(createHmac('sha256', SECRET).update(`${t}.${BODY}`).digest('hex')).toBe(hex)
})
