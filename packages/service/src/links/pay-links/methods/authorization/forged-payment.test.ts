import { expect, test } from 'vitest'
import {
  encode,
  payloadFor,
  presentX402,
  receiveX402,
  sellByLink,
  signedAs,
} from '../../../../../test/actors/link-kit.ts'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { world } from '../../../../../test/world.ts'

// All of the payment but its signature is public on the chain.
test("payer and nonce of a settled payment with anybody's signature buy no receipt", async () => {
  await using w = await world()
  await w.withGas()
  for (const made of [{}, { type: 'RECURRING', max_uses: 0 }]) {
    const sold = await sellByLink(w, made)
    const { seller, link, url } = sold
    const payload = await payloadFor(w, await freshAccount({ usdc: 1_000_000n }), sold)
    expect((await presentX402(w, link.code, payload)).status).toBe(200)
    const thief = await freshAccount()
    const forged = signedAs(payload, await thief.signMessage({ message: 'mine' }))
    const reply = await presentX402(w, link.code, forged)
    expect(reply.text).not.toContain('stl_')
    expect(reply.status).toBe(link.max_uses === 0 ? 402 : 410)
    expect((await receiveX402(seller, encode(forged), url)).body).toMatchObject({
      verified: false,
      reason: 'invalid_exact_evm_signature',
    })
    expect((await presentX402(w, link.code, payload)).body).toMatchObject({ status: 'SETTLED' })
  }
  expect(await w.faults()).toEqual([])
})

test('a forged header of a payment that is on its way, or failed, tells nothing of it', async () => {
  await using w = await world()
  const sold = await sellByLink(w, { max_uses: 0 })
  const payload = await payloadFor(w, await freshAccount({ usdc: 1_000_000n }), sold)
  // The relayer has no gas: the claim waits.
  expect((await presentX402(w, sold.link.code, payload)).status).toBe(502)
  const thief = await freshAccount()
  const forged = signedAs(payload, await thief.signMessage({ message: 'mine' }))
  const reply = await presentX402(w, sold.link.code, forged)
  expect([reply.status, reply.body.error]).toEqual([402, 'invalid_exact_evm_signature'])
})
