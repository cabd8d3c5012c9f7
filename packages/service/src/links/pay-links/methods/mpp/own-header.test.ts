import { expect, test } from 'vitest'
import {
  bodyOf,
  challengeIn,
  credentialOf,
  mppShop,
  payByWallet,
} from '../../../../../test/actors/mpp-payers.ts'
import { world } from '../../../../../test/world.ts'
import { challengeId, olderChallengeId } from '../../../../base/protocols/mpp/binding.ts'
import { writeChallenge } from '../../../../base/protocols/mpp/headers/challenge.ts'

// draft-httpauth-payment-02, "Credentials": a request may keep its Authorization, and pay in a header of its own.
const BEARER = { authorization: 'Bearer mine' }

test('the official client pays beside an Authorization of its own, with ids in the newest order and in the older', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING', max_uses: 0 })
  const paid = await payByWallet(await s.payer())(s.url, { headers: BEARER })
  expect([paid.status, paid.headers.get('cache-control')]).toEqual([200, 'private, no-store'])

  const asked = await fetch(s.url, { headers: BEARER })
  const challenge = challengeIn(asked, 'evm')
  const [key] = w.services.mppKeys.challenges
  expect([challenge.header, challenge.id]).toEqual([
    'Payment-Authorization',
    challengeId(key, challenge),
  ])
  const older = { ...challenge, id: olderChallengeId(key, challenge) }
  const answers = (async () =>
    new Response('{}', {
      status: 402,
      headers: { 'www-authenticate': writeChallenge(older) },
    })) as typeof fetch
  let sent: Headers | undefined
  await payByWallet(await s.payer(), (async (url, init) => {
    sent = new Headers(init?.headers)
    return sent.has('payment-authorization') ? fetch(url, init) : answers(url)
  }) as typeof fetch)(s.url, { headers: BEARER }).then((answer) => expect(answer.status).toBe(200))
  expect(sent?.get('authorization')).toBe(BEARER.authorization)
  expect(await s.received()).toBeCloseTo(2 * 0.4975, 6)
  expect(await w.faults()).toEqual([])
})

// Newest replay rules: a proof pays once, and in the field that its challenge selected; no shared cache keeps an answer.
test('a credential in another field satisfies nothing, and ten at once settle once', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING', max_uses: 0 })
  const usual = await credentialOf(s.url, await s.payer())
  const own = await credentialOf(s.url, await s.payer(), { headers: BEARER })
  for (const headers of [{ authorization: own }, { 'payment-authorization': usual }]) {
    const answer = await fetch(s.url, { headers })
    expect(answer.status).toBe(402)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(await bodyOf(answer)).toMatchObject({ error: 'credential_misplaced' })
  }
  expect(await s.received()).toBe(0)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      fetch(s.url, { headers: { ...BEARER, 'payment-authorization': own } }),
    ),
  )
  const receipts = new Set(answers.map(({ headers }) => headers.get('payment-receipt')))
  receipts.delete(null)
  expect(receipts.size).toBe(1)
  for (const answer of answers) {
    expect(answer.headers.get('cache-control')).toMatch(/private|no-store/)
    expect([200, 503]).toContain(answer.status)
  }
  expect(await s.received()).toBe(0.4975)
  const other = await fetch(s.url, { headers: { ...BEARER, 'payment-authorization': usual } })
  expect(other.status).toBe(402)
})
