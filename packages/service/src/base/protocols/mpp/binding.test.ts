import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkBinding, makeChallenge, olderChallengeId } from './binding.ts'
import { PAYMENT_AUTHORIZATION_HEADER } from './headers/challenge.ts'
import { MppRefusal } from './refusal.ts'

const key = Buffer.alloc(32, 7)
const at = new Date('2026-11-26T12:00:00Z')
const made = (header?: typeof PAYMENT_AUTHORIZATION_HEADER) =>
  makeChallenge(key, {
    realm: 'purser.example',
    method: 'evm',
    intent: 'charge',
    terms: { amount: '10000' },
    scope: 'PL_A',
    salt: 'salt',
    expires: new Date('2026-11-26T12:05:00Z'),
    ...(header && { header }),
  })
const expected = { keys: [key] as const, realm: 'purser.example', scope: 'PL_A', at }
const macOf = (slots: (string | undefined)[]) =>
  createHmac('sha256', key).update(slots.join('|')).digest('base64url')

// draft-httpauth-payment-02, "Recommended: HMAC-SHA256 Binding": an eighth slot is appended for a header.
test('an id is made in the order of the newest draft', () => {
  const plain = made()
  const { realm, method, intent, request, expires, opaque } = plain
  const slots = [realm, method, intent, request, expires, '', opaque]
  expect(plain.id).toBe(macOf(slots))
  expect(made(PAYMENT_AUTHORIZATION_HEADER).id).toBe(
    macOf([...slots, PAYMENT_AUTHORIZATION_HEADER]),
  )
})

test('an id in the older order, with the header before the opaque value, is ours too', () => {
  const challenge = made(PAYMENT_AUTHORIZATION_HEADER)
  const older = { ...challenge, id: olderChallengeId(key, challenge) }
  expect(older.id).not.toBe(challenge.id)
  for (const one of [challenge, older]) checkBinding(one, expected)
})

test('neither order lets a header be added, taken away, or swapped for another field', () => {
  const withHeader = made(PAYMENT_AUTHORIZATION_HEADER)
  const { header: _, ...without } = withHeader
  const plain = made()
  for (const forged of [
    without,
    { ...without, id: olderChallengeId(key, withHeader) },
    { ...plain, header: PAYMENT_AUTHORIZATION_HEADER } as const,
    { ...withHeader, digest: withHeader.opaque, opaque: '' },
    // No such opaque value comes from the wire; it names no scope either.
    { ...plain, opaque: `${plain.opaque}|${PAYMENT_AUTHORIZATION_HEADER}`, id: withHeader.id },
  ])
    expect(() => checkBinding(forged as typeof plain, expected)).toThrow(MppRefusal)
})
