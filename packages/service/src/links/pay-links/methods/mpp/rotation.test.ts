import { expect, test } from 'vitest'
import {
  bodyOf,
  cardCredential,
  challengeIn,
  credentialOf,
  mppShop,
  payByWallet,
  withCredential,
} from '../../../../../test/actors/mpp-payers.ts'
import { world } from '../../../../../test/world.ts'
import { randomHex, Secret } from '../../../../base/kernel/secrets.ts'
import { checkOrigin } from '../../../../base/protocols/mpp/binding.ts'
import { Keyring } from '../../../../base/signing-keys/keyring.ts'
import { mppKeysOf } from '../../../../run/app.ts'

const newSecret = () => new Secret(randomHex(32).slice(2))

test('with a new secret before it, what the old one bound is still paid, and new challenges are of the new one', async () => {
  await using w = await world()
  const s = await mppShop(w, { type: 'RECURRING', max_uses: 0 })
  const byWallet = await credentialOf(s.url, await s.payer())
  const byCard = await cardCredential(s)

  const next = newSecret()
  w.services.mppKeys = mppKeysOf(new Keyring([next, w.secret]))
  for (const credential of [byWallet, byCard]) {
    const answer = await withCredential(s.url, credential)
    expect(answer.status, await answer.text()).toBe(200)
  }
  const fresh = challengeIn(await fetch(s.url), 'evm')
  const made = { realm: fresh.realm, scope: s.link.code }
  checkOrigin(fresh, { ...made, keys: mppKeysOf(new Keyring([next])).challenges })
  expect(() =>
    checkOrigin(fresh, { ...made, keys: mppKeysOf(new Keyring([w.secret])).challenges }),
  ).toThrow()
  const answer = await withCredential(s.url, await cardCredential(s))
  expect(answer.status, await answer.text()).toBe(200)
  expect(await s.received()).toBeCloseTo(3 * 0.4975, 6)
  expect(await w.faults()).toEqual([])
})

test('a secret that is taken out binds nothing any more; its payers are asked anew, and a card loses nothing', async () => {
  await using w = await world()
  const s = await mppShop(w)
  const payer = await s.payer()
  const byWallet = await credentialOf(s.url, payer)
  const byCard = await cardCredential(s)
  expect(await s.cardNow()).toMatchObject({ held: 0.5 })

  w.services.mppKeys = mppKeysOf(new Keyring([newSecret()]))
  for (const credential of [byWallet, byCard]) {
    const answer = await withCredential(s.url, credential)
    expect(answer.status).toBe(402)
    expect(await bodyOf(answer)).toMatchObject({ error: 'challenge_unknown' })
    expect(challengeIn(answer, 'evm').id).toBeTruthy()
  }
  expect(await s.received()).toBe(0)
  expect((await payByWallet(payer)(s.url)).status).toBe(200)
  expect(await s.received()).toBe(0.4975)
  await w.advance(301)
  await w.runJobs()
  expect(await s.cardNow()).toMatchObject({ held: 0, spent: 0 })
  expect(await w.faults()).toEqual([])
})
