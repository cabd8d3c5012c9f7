import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { expect, test } from 'vitest'
import { newAddress } from '../../../test/actors/facilitator-kit.ts'
import { buy } from '../../../test/sellers/bazaar-kit.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { world } from '../../../test/world.ts'

test('a seller of its own learns who comes back and has paid it, once for each message', async () => {
  await using w = await world()
  await w.withGas()
  const seller = await w.user()
  const account = await freshAccount({ usdc: 1_000_000n })
  const resource = 'https://shop.example/report'
  const headerOf = async (nonce: string) => {
    const info = {
      ...{ domain: 'shop.example', uri: resource, version: '1', chainId: w.chain.network },
      ...{ type: 'eip191' as const, nonce, issuedAt: w.now().toISOString() },
    }
    return encodeSIWxHeader(await createSIWxPayload(info, account, resource))
  }
  const verify = async (header: string, more: object = {}, by = seller) =>
    (await by.post('/api/x402/sign-in', { header, resource, ...more })).body
  const first = await headerOf('abcdefgh12345678')
  expect(await verify(first, { resource: 'https://evil.example/report' })).toMatchObject({
    verified: false,
    reason: 'invalid_siwx_domain_mismatch',
  })
  expect(await verify(first)).toEqual({ verified: true, paid: false, address: account.address })
  expect(await verify(first)).toMatchObject({ verified: false, reason: 'invalid_siwx_nonce' })
  await buy(seller, newAddress(), { url: resource }, account)
  const paid = await verify(await headerOf('abcdefgh12345679'))
  expect(paid).toMatchObject({ verified: true, paid: true })
  expect(paid.settlement_id).toMatch(/^fst_/)
  // Another resource of the seller, and another seller, were not paid.
  const other = { resource: `${resource}/2` }
  expect(await verify(await headerOf('abcdefgh12345670'), other)).toMatchObject({ paid: false })
  const rival = await w.user()
  const theirs = await verify(await headerOf('abcdefgh12345671'), {}, rival)
  expect(theirs).toMatchObject({ verified: true, paid: false })
  const late = await headerOf('abcdefgh12345672')
  await w.advance(400)
  expect(await verify(late)).toMatchObject({ reason: 'invalid_siwx_issued_at_too_old' })
})
