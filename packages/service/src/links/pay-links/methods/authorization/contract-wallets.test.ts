import { serializeErc6492Signature } from 'viem'
import { expect, test } from 'vitest'
import { asset } from '../../../../../test/actors/facilitator-kit.ts'
import {
  payloadFor,
  presentX402,
  sellByLink,
  signedAs,
} from '../../../../../test/actors/link-kit.ts'
import {
  changeOwner,
  deployedAccount,
  newFactory,
  undeployedAccount,
} from '../../../../../test/actors/smart-account-kit.ts'
import { freshAccount } from '../../../../../test/world/chain.ts'
import { world } from '../../../../../test/world.ts'
import { authorizationTypedData } from '../../../../base/protocols/evm/eip3009/authorization.ts'

const messageOf = ({ payload: { authorization: a } }: Awaited<ReturnType<typeof payloadFor>>) =>
  authorizationTypedData(asset, {
    from: a.from,
    to: a.to,
    nonce: a.nonce,
    value: BigInt(a.value),
    validAfter: BigInt(a.validAfter),
    validBefore: BigInt(a.validBefore),
  })

test('a contract wallet pays a link once, and gets its receipt again after its owner changed', async () => {
  await using w = await world()
  await w.withGas()
  const payer = await deployedAccount()
  const sold = await sellByLink(w, { max_uses: 0 })
  const { code } = sold.link
  const payload = await payloadFor(w, payer, sold)
  const stranger = await freshAccount()
  const forged = signedAs(payload, await stranger.signTypedData(messageOf(payload)))
  const refused = await presentX402(w, code, forged)
  expect([refused.status, refused.body.error]).toEqual([402, 'invalid_exact_evm_signature'])
  const paid = await presentX402(w, code, payload)
  expect(paid.body, paid.text).toMatchObject({ status: 'SETTLED', amount: 0.01 })
  expect((await presentX402(w, code, forged)).body.error).toBe('invalid_exact_evm_signature')
  expect((await presentX402(w, code, payload)).body).toEqual(paid.body)

  await changeOwner(payer, stranger.address)
  // The bytes that were good when they paid stay good. So is what the wallet's owner signs now.
  expect((await presentX402(w, code, payload)).body).toEqual(paid.body)
  expect((await presentX402(w, code, forged)).body).toEqual(paid.body)
  const later = await presentX402(w, code, await payloadFor(w, payer, sold))
  expect([later.status, later.body.error]).toEqual([402, 'invalid_exact_evm_signature'])
  await w.runJobs()
  const link = (await w.call('GET', `/api/paylinks/${code}`)).body
  expect(link.uses).toBe(1)
  expect(await w.faults()).toEqual([])
})

test('a wallet that is not deployed yet pays a link if its factory is allowed', async () => {
  const factory = await newFactory()
  await using w = await world({ settings: { accountFactories: [factory] } })
  await w.withGas()
  const payer = await undeployedAccount(factory)
  const sold = await sellByLink(w, { max_uses: 0 })
  const { code } = sold.link
  expect(await w.chain.rpc.getCode({ address: payer.address })).toBeUndefined()
  const before = await w.treasuryOnChain()
  const payload = await payloadFor(w, payer, sold)
  const paid = await presentX402(w, code, payload)
  expect(paid.body, paid.text).toMatchObject({ status: 'SETTLED' })
  expect((await w.treasuryOnChain()) - before).toBe(10_000n)
  expect(await w.chain.rpc.getCode({ address: payer.address })).toBeDefined()
  expect((await presentX402(w, code, payload)).body).toEqual(paid.body)
  // Deployed now: the wrapped signature is judged by the contract, and its factory is not called.
  const again = await presentX402(w, code, await payloadFor(w, payer, sold))
  expect(again.body, again.text).toMatchObject({ status: 'SETTLED' })
  expect(again.body.settlement_id).not.toBe(paid.body.settlement_id)
  await w.runJobs()
  expect(await w.faults()).toEqual([])
})

test('a factory that is not allowed, a wallet of another, and a broken wrapping cost no gas', async () => {
  const [allowed, other] = [await newFactory(), await newFactory()]
  await using w = await world({ settings: { accountFactories: [allowed] } })
  await w.withGas()
  const sold = await sellByLink(w, { max_uses: 0 })
  const present = async (payload: object) =>
    (await presentX402(w, sold.link.code, payload)).body.error
  const payer = await undeployedAccount(other)
  const payload = await payloadFor(w, payer, sold)
  expect(await present(payload)).toBe('eip6492_factory_not_allowed')
  // The call of an allowed factory that deploys something else.
  const inner = await payer.owner.signTypedData(messageOf(payload))
  const wrap = (data: `0x${string}`) =>
    serializeErc6492Signature({ address: allowed, data, signature: inner })
  expect(await present(signedAs(payload, wrap('0x12345678')))).toBe('invalid_exact_evm_signature')
  expect(await present(signedAs(payload, `0x00${'6492'.repeat(16)}`))).toBe(
    'invalid_exact_evm_signature',
  )
  const poor = await undeployedAccount(allowed)
  const rich = await payloadFor(w, poor, sold, { value: 10_000n })
  await w.withGas()
  expect(await present(rich)).toBeUndefined()
  const relayer = w.chain.relayers[0]!.address
  expect(await w.chain.rpc.getTransactionCount({ address: relayer })).toBe(1)
})
