import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import walletArtifact from '../../../../../../contracts/build/Erc1271Wallet.json' with {
  type: 'json',
}
import { newContract } from '../../../../../../contracts/token.ts'
import { ask, newAddress, PRICE, settle, shop } from '../../../../test/actors/facilitator-kit.ts'
import { encode, signedAs } from '../../../../test/actors/link-kit.ts'
import {
  deployedAccount,
  newFactory,
  undeployedAccount,
} from '../../../../test/actors/smart-account-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { mine, mintUsdc } from '../../../run/embedded/dev/chain.ts'

const named = (id: string) => ({
  extensions: { 'payment-identifier': { info: { required: true, id } } },
})

test('of ten who present one payment at once a success is reported to one, and it is paid once', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const body = await ask(await freshAccount({ usdc: 1_000_000n }), payTo)
  const replies = await Promise.all(Array.from({ length: 10 }, () => settle(seller, body)))
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const [success, ...none] = replies.filter(({ body }) => body.success)
  expect(none).toEqual([])
  for (const { body } of replies.filter((reply) => !reply.body.success))
    expect(body).toMatchObject({
      errorReason: 'duplicate_settlement',
      extra: success!.body.extra,
    })
  expect(await paid()).toBe(PRICE)
  // Later, and by somebody else, it is none either; a stranger learns nothing of the settlement.
  expect((await settle(seller, body)).body.errorReason).toBe('duplicate_settlement')
  const stranger = await w.user()
  const strange = await settle(stranger, body)
  expect(strange.body).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
  expect(strange.body.extra).toBeUndefined()
  const { settlement_id: id } = success!.body.extra
  expect((await seller.get(`/api/x402/settlements/${id}`)).status).toBe(200)
  expect((await stranger.get(`/api/x402/settlements/${id}`)).status).toBe(404)
})

test('the same request under its name gets the same answer again, by payment identifier or Idempotency-Key', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const body = await ask(payer, payTo, named('pay_0123456789abcdef'))
  const replies = await Promise.all(Array.from({ length: 4 }, () => settle(seller, body)))
  replies.push(await settle(seller, body))
  expect(replies.map(({ body }) => body.success)).toEqual(Array(5).fill(true))
  expect(new Set(replies.map(({ body }) => body.transaction)).size).toBe(1)
  expect(await paid()).toBe(PRICE)
  // The name stands for that payment alone.
  const other = await settle(seller, await ask(payer, payTo, named('pay_0123456789abcdef')))
  expect(other.body).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
  expect((await settle(await w.user(), body)).body.errorReason).toBe('duplicate_settlement')

  const keyed = await ask(payer, payTo)
  const first = await settle(seller, keyed, 'till 7')
  const again = await settle(seller, keyed, 'till 7')
  expect(first.body.success).toBe(true)
  expect(again.body).toEqual(first.body)
  expect(again.headers['idempotency-hit']).toBe('true')
  expect((await settle(seller, keyed, 'till 8')).body.errorReason).toBe('duplicate_settlement')
  expect(await paid()).toBe(2n * PRICE)
})

test('a payment that was refused may be settled once what was wrong is right', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount()
  const body = await ask(payer, payTo)
  const poor = await settle(seller, body)
  expect(poor.body.errorReason).toBe('invalid_exact_evm_insufficient_balance')
  const { chainId } = w.chain
  await w.mined(await mintUsdc({ rpcUrl: w.rpcUrl, chainId, to: payer.address, amount: PRICE }))
  expect((await settle(seller, body)).body.success).toBe(true)
  expect(await paid()).toBe(PRICE)
})

test('a payer that moves its money between verify and settle has not paid, and costs no gas', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount({ usdc: PRICE })
  const body = await ask(payer, payTo)
  expect((await w.call('POST', '/api/x402/verify', body)).body.isValid).toBe(true)
  await w.transfer(payer, newAddress(), PRICE)
  const relayer = w.chain.relayers[0]!.address
  const sent = await w.chain.rpc.getTransactionCount({ address: relayer })
  const reply = await settle(seller, body)
  expect(reply.body.errorReason).toBe('invalid_exact_evm_insufficient_balance')
  expect(await paid()).toBe(0n)
  expect(await w.chain.rpc.getTransactionCount({ address: relayer })).toBe(sent)
})

test('a payment that somebody else has just carried to the chain counts, once; an old one does not', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const runner = await freshAccount()
  const header = (body: Awaited<ReturnType<typeof ask>>) =>
    Buffer.from(JSON.stringify(body.paymentPayload)).toString('base64')
  const body = await ask(payer, payTo)
  await w.frontRun(header(body), runner)
  const reply = await settle(seller, body)
  expect(reply.body).toMatchObject({ success: true, payer: payer.address })
  expect((await settle(seller, body)).body.errorReason).toBe('duplicate_settlement')
  expect(await paid()).toBe(PRICE)
  const left = await sql`select 1 from chain_sends where ref like 'x402:%'`.execute(w.db.reader)
  expect(left.rows).toEqual([])

  const old = await ask(payer, payTo)
  await w.frontRun(header(old), runner)
  await w.advance(50)
  const late = { ...w.clock }
  w.clock.offsetMs += 121_000
  const refused = await settle(seller, old)
  w.clock.offsetMs = late.offsetMs
  expect(refused.body.errorReason).toBe('invalid_exact_evm_nonce_already_used')
})

test("a contract pays by what it takes for its owner's signature, and no other", async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const owner = await freshAccount()
  const chain = { rpcUrl: w.rpcUrl, chainId: w.chain.chainId }
  const contract = await newContract(chain, walletArtifact, [owner.address])
  const to = getAddress(contract.address)
  await w.mined(await mintUsdc({ ...chain, to, amount: 1_000_000n }))
  await mine({ ...chain, blocks: 1 })
  const payer = { ...owner, address: to, signTypedData: owner.signTypedData }
  const good = await ask(payer, payTo)
  expect((await w.call('POST', '/api/x402/verify', good)).body).toEqual({
    isValid: true,
    payer: to,
  })
  const stolen = await ask(payer, payTo, { by: await freshAccount() })
  for (const path of ['/api/x402/verify', '/api/x402/settle']) {
    const { body } = await seller.post(path, stolen)
    expect(body.invalidReason ?? body.errorReason).toBe('invalid_exact_evm_signature')
  }
  // Together with another, in a transaction of its own or in the same batch.
  const other = await ask(await freshAccount({ usdc: PRICE }), payTo)
  const replies = await Promise.all([settle(seller, good), settle(seller, other)])
  for (const { body } of replies) expect(body.success).toBe(true)
  expect(await paid()).toBe(2n * PRICE)
})

// The token looks at the nonce before the signature: what was paid already would pass with any signature.
test("a contract's payment that the chain shows is nobody's with another signature", async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await deployedAccount()
  const body = await ask(payer, payTo)
  await w.frontRun(encode(body.paymentPayload), await freshAccount())
  const thief = await freshAccount()
  const forged = {
    ...body,
    paymentPayload: signedAs(body.paymentPayload, await thief.signMessage({ message: 'mine' })),
  }
  expect((await w.call('POST', '/api/x402/verify', forged)).body.invalidReason).toBe(
    'invalid_exact_evm_signature',
  )
  expect((await settle(seller, forged)).body.errorReason).toBe('invalid_exact_evm_signature')
  expect((await settle(seller, body)).body).toMatchObject({ success: true, payer: payer.address })
  expect(await paid()).toBe(PRICE)
})

test('a wallet that is not deployed yet pays a seller if its factory is allowed', async () => {
  const [factory, other] = [await newFactory(), await newFactory()]
  await using w = await world({ settings: { accountFactories: [factory] } })
  const { seller, payTo, paid } = await shop(w)
  const body = await ask(await undeployedAccount(factory), payTo)
  expect((await w.call('POST', '/api/x402/verify', body)).body.isValid).toBe(true)
  const settled = await settle(seller, body)
  expect(settled.body, settled.text).toMatchObject({ success: true })
  expect((await settle(seller, body)).body.errorReason).toBe('duplicate_settlement')
  const foreign = await ask(await undeployedAccount(other), payTo)
  expect((await settle(seller, foreign)).body.errorReason).toBe('eip6492_factory_not_allowed')
  const poor = await ask(await undeployedAccount(factory), payTo, {
    value: 2_000_000n,
    requirements: { amount: '2000000' },
  })
  expect((await settle(seller, poor)).body.errorReason).toBe(
    'invalid_exact_evm_insufficient_balance',
  )
  expect(await paid()).toBe(PRICE)
})

test('many payments at once share transactions, and each is found by its own log', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payers = await Promise.all(
    Array.from({ length: 4 }, () => freshAccount({ usdc: 1_000_000n })),
  )
  const bodies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(payers[i % payers.length]!, payTo)),
  )
  const relayer = w.chain.relayers[0]!.address
  const before = await w.chain.rpc.getTransactionCount({ address: relayer })
  const replies = await Promise.all(bodies.map((body) => settle(seller, body)))
  expect(replies.map(({ body }) => body.success)).toEqual(Array(40).fill(true))
  expect(await paid()).toBe(40n * PRICE)
  const sent = (await w.chain.rpc.getTransactionCount({ address: relayer })) - before
  expect(sent).toBeLessThan(20)
  const { rows } = await sql<{
    logs: string
  }>`select tx_hash || ' ' || log_index as logs from x402_settlements`.execute(w.db.reader)
  expect(new Set(rows.map(({ logs }) => logs)).size).toBe(40)
})
