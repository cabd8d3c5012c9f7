import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { authorizationTypedData } from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { type Challenge, readChallenges } from '../../src/base/protocols/mpp/headers/challenge.ts'
import { writeCredential } from '../../src/base/protocols/mpp/headers/credential.ts'
import { challengeNonce, evmPayload } from '../../src/base/protocols/mpp/methods/evm.ts'
import { cardOf, issue, open } from '../actors/attack-kit.ts'
import { type OwnWorld, ownWorld } from './own-world.ts'

/** A link, and a payer's credential for its evm challenge. */
async function shop({ w, payer: fund }: OwnWorld) {
  const seller = await w.user({ treasury: 5 })
  const card = await issue(seller, 1)
  const link = await open(seller, card)
  const payer = await fund()
  const asked = await w.call('GET', `/pay/${link.code}`)
  const challenge = readChallenges(asked.headers['www-authenticate']).challenges[0] as Challenge
  const signed = await sign(w, payer, { challenge, to: link.deposit_address })
  const { headerValue } = writeCredential({ challenge, payload: evmPayload(signed) })
  return {
    ...{ payer, link, signed, challenge },
    pay: () =>
      w.call('GET', `/pay/${link.code}`, undefined, { headers: { authorization: headerValue } }),
    received: async () => (await cardOf(seller, card.id)).received,
  }
}

async function sign(
  { chain }: OwnWorld['w'],
  account: PrivateKeyAccount,
  of: { challenge: Challenge; to: `0x${string}` },
) {
  const authorization = {
    ...{ from: account.address, to: of.to, value: 1_000_000n, validAfter: 0n },
    validBefore: BigInt(Math.floor(Date.parse(of.challenge.expires ?? '') / 1000)),
    nonce: challengeNonce(of.challenge),
  }
  const typed = authorizationTypedData(chain.asset, authorization)
  return { authorization, signature: await account.signTypedData(typed) }
}

type Answered = Awaited<ReturnType<OwnWorld['w']['call']>>

/**
 * Expects an answer that asks to wait and repeat the request. With a challenge in it, a client would sign a second
 * time.
 */
function expectPending(answer: Answered): void {
  expect([answer.status, answer.body.code]).toEqual([503, 'settlement_pending'])
  expect(answer.headers['retry-after']).toBeTruthy()
  // A page of another site must be able to read it too.
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['access-control-expose-headers']).toContain('Retry-After')
  expect(answer.body.status_url).toContain('/status')
  for (const name of ['www-authenticate', 'payment-required', 'payment-receipt'])
    expect(answer.headers[name]).toBeUndefined()
}

test.concurrent('while no block holds it a payment by MPP is pending, and the same credential gets the receipt later', async () => {
  await using own = await ownWorld()
  const s = await shop(own)
  expectPending(await s.pay())
  await own.blocks(1)
  const paid = await s.pay()
  expect(paid.status, paid.text).toBe(200)
  expect(paid.headers['payment-receipt']).toBeTruthy()
  expect((await s.pay()).headers['payment-receipt']).toBe(paid.headers['payment-receipt'])
  expect(await s.received()).toBe(0.995)
  await own.until(async () => (await own.usdcOf(s.link.deposit_address)) === 0n)
  await own.expectBooksToMatch()
})

test.concurrent('a payment that somebody else has carried is pending until its block is safe, and never asked for again', async () => {
  await using own = await ownWorld()
  const s = await shop(own)
  await own.carry(s.signed)
  expectPending(await s.pay())
  expect(await s.received()).toBe(0)
  await own.blocks(6)
  const paid = await own.during(s.pay())
  expect(paid.status, paid.text).toBe(200)
  expect(paid.headers['payment-receipt']).toBeTruthy()
  expect(await s.received()).toBe(0.995)
  await own.until(async () => (await own.usdcOf(s.link.deposit_address)) === 0n)
  await own.expectBooksToMatch()
})

test.concurrent('an authorization that its payer has cancelled is refused with a fresh challenge', async () => {
  await using own = await ownWorld()
  const s = await shop(own)
  await own.cancel(s.payer, s.signed.authorization.nonce)
  const refused = await s.pay()
  expect(refused.status).toBe(402)
  expect(refused.body.type).toBe('https://paymentauth.org/problems/verification-failed')
  expect(refused.headers['www-authenticate']).toBeTruthy()
  expect(await s.received()).toBe(0)
})
