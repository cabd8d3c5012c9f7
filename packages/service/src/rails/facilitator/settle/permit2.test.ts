import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactClient } from '@x402/evm/exact/client'
import { ExactEvmScheme as ExactServer } from '@x402/evm/exact/server'
import { paymentMiddleware } from '@x402/express'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import { type Address, getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import walletArtifact from '../../../../../../contracts/build/Erc1271Wallet.json' with {
  type: 'json',
}
import { newContract } from '../../../../../../contracts/token.ts'
import { NETWORK, newAddress, settle } from '../../../../test/actors/facilitator-kit.ts'
import {
  approve,
  askByPermit,
  cancelPermit,
  carryPermit,
  DEV,
  FUNDS,
  PRICE,
  permitPayer,
  permitShop,
  registerToken,
  transferDev,
} from '../../../../test/actors/permit2-kit.ts'
import { newToken } from '../../../../test/actors/token-kit.ts'
import { until } from '../../../../test/until.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { readTokenBalance } from '../../../chain/client/tokens/calls.ts'
import { mine } from '../../../run/embedded/dev/chain.ts'
import { mintToken } from '../../../run/embedded/dev/tokens.ts'

/** A seller by the protocol's own packages, who asks for the token by Permit2. */
async function officialSeller(w: World, seller: User, payTo: Address) {
  const base = await w.listen()
  const auth = { Authorization: `Bearer ${seller.key}` }
  const facilitator = new HTTPFacilitatorClient({
    url: `${base}/api/x402`,
    createAuthHeaders: async () => ({ verify: auth, settle: auth, supported: {}, bazaar: {} }),
  })
  const resources = new x402ResourceServer(facilitator).register(NETWORK, new ExactServer())
  const price = {
    amount: String(PRICE),
    asset: DEV.contract,
    extra: { assetTransferMethod: 'permit2' },
  }
  const accepts = {
    scheme: 'exact',
    network: NETWORK,
    payTo,
    price,
    maxTimeoutSeconds: 60,
  } as const
  const app = express()
  app.use(paymentMiddleware({ 'GET /paid': { accepts, description: 'A report' } }, resources))
  app.get('/paid', (_, response) => void response.json({ report: 42 }))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/paid`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('the official client pays a seller of the official packages in a token of 18 decimals by Permit2', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  await using server = await officialSeller(w, seller, payTo)
  const payer = await permitPayer()
  const client = new x402Client()
    .setSpendControls({ allowedAssets: [{ network: NETWORK, asset: DEV.contract }] })
    .register(NETWORK, new ExactClient(payer))
  const response = await wrapFetchWithPayment(fetch, client)(server.url)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ report: 42 })
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
  expect(receipt).toMatchObject({ success: true, network: NETWORK, payer: payer.address })
  expect(await paid()).toBe(PRICE)
  expect(await readTokenBalance(w.chain, DEV.contract, payer.address)).toBe(FUNDS - PRICE)
  const [settlement] = (await seller.get('/api/x402/settlements')).body.settlements
  expect(settlement).toMatchObject({
    status: 'completed',
    transaction: receipt.transaction,
    asset: DEV.contract,
    asset_transfer_method: 'permit2',
    amount: String(PRICE),
    pay_to: payTo,
  })
  await w.safe()
  await until(
    async () => {
      await w.advance(5)
      await w.runJobs()
      return (await seller.get(`/api/x402/settlements/${settlement.id}`)).body.settlement.finality
    },
    (seen) => expect(seen).toBe('final'),
  )
})

test('a payment that was taken is a duplicate for whoever presents it again, and moves nothing', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const other = await w.user()
  await registerToken(other, DEV.contract)
  const { body, permit } = await askByPermit(await permitPayer(), payTo)
  const verified = await w.call('POST', '/api/x402/verify', body)
  expect(verified.body).toEqual({ isValid: true, payer: permit.from })
  const named = await settle(seller, body, 'its name')
  expect(named.body).toMatchObject({ success: true, payer: permit.from, amount: String(PRICE) })
  expect((await settle(seller, body, 'its name')).body).toEqual(named.body)
  for (const who of [seller, other])
    expect((await settle(who, body)).body.errorReason).toBe('duplicate_settlement')
  expect((await w.call('POST', '/api/x402/verify', body)).body).toMatchObject({
    isValid: false,
    invalidReason: 'permit2_invalid_nonce',
  })
  expect(await paid()).toBe(PRICE)
})

test('of ten who present one payment at once a success is reported to one, and it is paid once', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const { body } = await askByPermit(await permitPayer(), payTo)
  const replies = await Promise.all(Array.from({ length: 10 }, () => settle(seller, body)))
  const [success, ...none] = replies.filter((reply) => reply.body.success)
  expect([success?.status, none]).toEqual([200, []])
  for (const reply of replies.filter((one) => !one.body.success))
    expect(reply.body.errorReason).toBe('duplicate_settlement')
  expect(await paid()).toBe(PRICE)
})

test('two permits of one nonce are one payment, whatever else they say', async () => {
  await using w = await world()
  const { seller, payTo } = await permitShop(w)
  const payer = await permitPayer()
  const first = await askByPermit(payer, payTo)
  const twin = await askByPermit(payer, newAddress(), { permit: { nonce: first.permit.nonce } })
  const replies = await Promise.all([settle(seller, first.body), settle(seller, twin.body)])
  expect(replies.filter(({ body }) => body.success)).toHaveLength(1)
  expect(await readTokenBalance(w.chain, DEV.contract, payer.address)).toBe(FUNDS - PRICE)
})

test('many payments of one payer to one seller are each found by their own transfer', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const payer = await permitPayer()
  const asked = await Promise.all(Array.from({ length: 6 }, () => askByPermit(payer, payTo)))
  const replies = await Promise.all(asked.map(({ body }) => settle(seller, body)))
  expect(replies.map(({ body }) => body.success)).toEqual(Array(6).fill(true))
  expect(new Set(replies.map(({ body }) => body.transaction)).size).toBe(6)
  expect(await paid()).toBe(6n * PRICE)
})

test('every refusal has the name that x402 gives it, of both operations alike, and costs nothing', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const payer = await permitPayer()
  const now = BigInt(Math.floor(Date.now() / 1000))
  const stranger = privateKeyToAccount(generatePrivateKey())
  const unregistered = await newToken()
  const by = (changes: Parameters<typeof askByPermit>[2]) =>
    askByPermit(payer, payTo, changes).then(({ body }) => body)
  const spent = await askByPermit(payer, payTo)
  await cancelPermit(payer, spent.permit.nonce)
  const cases: [reason: string, body: object][] = [
    ['invalid_permit2_spender', await by({ spender: newAddress() })],
    ['invalid_permit2_recipient_mismatch', await by({ permit: { to: newAddress() } })],
    ['permit2_amount_mismatch', await by({ permit: { value: PRICE - 1n } })],
    ['permit2_amount_mismatch', await by({ permit: { value: PRICE + 1n } })],
    ['permit2_token_mismatch', await by({ permit: { token: unregistered.contract } })],
    ['permit2_deadline_expired', await by({ permit: { validBefore: now + 3n } })],
    ['permit2_deadline_expired', await by({ permit: { validBefore: 0n } })],
    ['permit2_not_yet_valid', await by({ permit: { validAfter: now + 600n } })],
    ['invalid_permit2_signature', await by({ by: stranger })],
    ['invalid_permit2_signature', await by({ shown: { nonce: '7' } })],
    ['invalid_payload', await by({ shown: { nonce: '-7' } })],
    ['invalid_payload', await by({ shown: { nonce: 7 } })],
    ['invalid_payload', await by({ shown: { permitted: null } })],
    ['invalid_payload', await by({ shown: { witness: [] } })],
    ['invalid_payload', await by({ shown: { deadline: '1e3' } })],
    ['invalid_exact_evm_recipient_mismatch', await by({ accepted: { payTo: newAddress() } })],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      await by({ accepted: { amount: '1' } }),
    ],
    ['invalid_payment_requirements', await by({ requirements: { amount: '0' } })],
    ['invalid_payment_requirements', await by({ requirements: { amount: '9'.repeat(78) } })],
    ['invalid_network', await by({ requirements: { network: 'eip155:8453' } })],
    [
      'invalid_payment_requirements',
      await by({
        requirements: { asset: unregistered.contract },
        permit: { token: unregistered.contract },
      }),
    ],
    [
      'unsupported_scheme',
      await by({
        requirements: { asset: w.chain.asset.contract },
        permit: { token: w.chain.asset.contract },
      }),
    ],
    ['invalid_payment_requirements', (await askByPermit(payer, w.chain.treasury.address)).body],
    ['permit2_invalid_nonce', spent.body],
    [
      'permit2_allowance_required',
      (await askByPermit(await permitPayer({ allowed: 0n }), payTo)).body,
    ],
    [
      'permit2_allowance_required',
      (await askByPermit(await permitPayer({ allowed: PRICE - 1n }), payTo)).body,
    ],
    [
      'permit2_insufficient_balance',
      (await askByPermit(await permitPayer({ held: PRICE - 1n }), payTo)).body,
    ],
  ]
  for (const [reason, body] of cases) {
    const verified = await w.call('POST', '/api/x402/verify', body)
    expect([reason, verified.status, verified.body.invalidReason]).toEqual([reason, 200, reason])
    const settled = await settle(seller, body)
    expect([reason, settled.status, settled.body.errorReason]).toEqual([reason, 200, reason])
    expect(settled.body).toMatchObject({ success: false, transaction: '' })
    for (const text of [verified.body.invalidMessage, settled.body.errorMessage])
      expect(text).not.toMatch(/0x[0-9a-f]{64}|viem|http:|TypeError|undefined/i)
  }
  expect(await paid()).toBe(0n)
  expect((await seller.get('/api/x402/settlements')).body.settlements).toEqual([])
  expect(await w.chain.rpc.getTransactionCount({ address: w.chain.relayers[0]!.address })).toBe(0)
})

test('a payer that takes its money away after it signed pays nothing', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const payer = await permitPayer()
  const { body } = await askByPermit(payer, payTo)
  await transferDev(payer, FUNDS)
  expect((await settle(seller, body)).body.errorReason).toBe('permit2_insufficient_balance')
  expect(await paid()).toBe(0n)
})

test('a permit that somebody else has just carried counts, once; what only looks like it does not', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const payer = await permitPayer()
  const ahead = await askByPermit(payer, payTo)
  const hash = await carryPermit(ahead)
  const replies = [await settle(seller, ahead.body), await settle(seller, ahead.body)]
  expect(replies[0]!.body).toMatchObject({ success: true, transaction: hash })
  expect(replies[1]!.body.errorReason).toBe('duplicate_settlement')
  expect(await paid()).toBe(PRICE)
  // A payment of the same amount that was made by another permit, and this one cancelled.
  const other = await askByPermit(payer, payTo)
  const cancelled = await askByPermit(payer, payTo)
  await carryPermit(other)
  await cancelPermit(payer, cancelled.permit.nonce)
  expect((await settle(seller, cancelled.body)).body.errorReason).toBe('permit2_invalid_nonce')
  // And one that was carried so long ago that it was paid for something else.
  const old = await askByPermit(payer, payTo)
  await carryPermit(old)
  await w.advance(180)
  expect((await settle(seller, old.body)).body.errorReason).toBe('permit2_invalid_nonce')
})

test('a contract pays by what it takes for its owner’s signature, and no other', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await permitShop(w)
  const owner = privateKeyToAccount(generatePrivateKey())
  const { address } = await newContract({ rpcUrl: w.rpcUrl }, walletArtifact, [owner.address])
  const from = getAddress(address)
  await w.mined(await mintToken({ rpcUrl: w.rpcUrl, token: DEV, to: from, amount: FUNDS }))
  const unallowed = await askByPermit(owner, payTo, { from })
  expect((await settle(seller, unallowed.body)).body.errorReason).toBe('permit2_allowance_required')
  await allowAs(w, from)
  const stranger = privateKeyToAccount(generatePrivateKey())
  const forged = await askByPermit(owner, payTo, { from, by: stranger })
  expect((await settle(seller, forged.body)).body.errorReason).toBe('invalid_permit2_signature')
  expect((await settle(seller, unallowed.body)).body).toMatchObject({ success: true, payer: from })
  expect(await paid()).toBe(PRICE)
  // Permit2 looks at the nonce before the signature: what was paid already would pass with any.
  const ahead = await askByPermit(owner, payTo, { from })
  await carryPermit(ahead)
  const { payload, ...rest } = ahead.body.paymentPayload
  const signature = await stranger.signMessage({ message: 'mine' })
  const stolen = {
    ...ahead.body,
    paymentPayload: { ...rest, payload: { ...payload, signature } },
  }
  expect((await settle(seller, stolen)).body.errorReason).toBe('invalid_permit2_signature')
  expect((await settle(seller, ahead.body)).body).toMatchObject({ success: true, payer: from })
})

/** Lets Permit2 move the tokens of an address whose key nobody has. */
async function allowAs(w: World, from: Address): Promise<void> {
  const rpc = (method: string, ...params: unknown[]) =>
    w.chain.rpc.request({ method, params } as never)
  await rpc('anvil_setBalance', from, '0xde0b6b3a7640000')
  await rpc('anvil_impersonateAccount', from)
  const data = `0x095ea7b3${'22d473030f116ddee9f6b43ac78ba3'.padStart(64, '0')}${'f'.repeat(64)}`
  const hash = await rpc('eth_sendTransaction', { from, to: DEV.contract, data })
  await mine({ rpcUrl: w.rpcUrl, blocks: 1 })
  await w.mined(hash as `0x${string}`)
}

test('amounts are as large as a token can have, and as small', async () => {
  await using w = await world()
  const { seller, payTo } = await permitShop(w)
  const huge = await newToken({ decimals: 36 })
  await registerToken(seller, huge.contract)
  const payer = await freshAccount()
  const all = 2n ** 255n
  await huge.mint(payer.address, all)
  await approve(payer, huge.contract)
  for (const value of [1n, all - 1n]) {
    const { body } = await askByPermit(payer, payTo, {
      permit: { token: huge.contract, value },
      requirements: { asset: huge.contract, amount: String(value) },
    })
    expect((await settle(seller, body)).body).toMatchObject({
      success: true,
      amount: String(value),
    })
  }
  expect(await readTokenBalance(w.chain, huge.contract, payTo)).toBe(all)
  const [newest] = (await seller.get('/api/x402/settlements')).body.settlements
  expect(newest.amount).toBe(String(all - 1n))
})

test('a token counts for the wallet that registered it, until it removes it', async () => {
  await using w = await world()
  const { seller, payTo, id } = await permitShop(w)
  const other = await w.user()
  const payer = await permitPayer()
  const { body } = await askByPermit(payer, payTo)
  const refused = (await settle(other, body)).body
  expect(refused.errorReason).toBe('invalid_payment_requirements')
  expect(refused.errorMessage).toContain('/api/tokens')
  await seller.send('DELETE', `/api/tokens/${id}`)
  expect((await settle(seller, body)).body.errorReason).toBe('invalid_payment_requirements')
  await registerToken(seller, DEV.contract)
  expect((await settle(seller, body)).body.success).toBe(true)
})

test('a token that turns on its payers after it was registered costs no gas, and a pause ends', async () => {
  await using w = await world()
  const { seller, payTo } = await permitShop(w)
  const odd = await newToken({ manner: 'Honest' })
  await registerToken(seller, odd.contract)
  const payer = await freshAccount()
  await odd.mint(payer.address, FUNDS)
  await approve(payer, odd.contract)
  const { body } = await askByPermit(payer, payTo, {
    permit: { token: odd.contract },
    requirements: { asset: odd.contract },
  })
  const turns = ['Paused', 'Refuses', 'BurnsGas', 'TakesFee', 'MovesNothing'] as const
  for (const manner of turns) {
    await odd.setManner(manner)
    const refused = (await settle(seller, body)).body
    expect([manner, refused.errorReason]).toEqual([manner, 'permit2_simulation_failed'])
  }
  expect(await w.chain.rpc.getTransactionCount({ address: w.chain.relayers[0]!.address })).toBe(0)
  await odd.setManner('Honest')
  expect((await settle(seller, body)).body.success).toBe(true)
})

test('the database claims a nonce of a payer once, and keeps by what a payment is moved', async () => {
  await using w = await world()
  const { seller, payTo } = await permitShop(w)
  const { body } = await askByPermit(await permitPayer(), payTo)
  const { extra } = (await settle(seller, body)).body
  const copy = sql`insert into x402_settlements (id, wallet_address, network, token, method, payer, nonce, pay_to, amount,
      valid_before, from_block, x402_version, payload_hash, next_answer_at, created_at)
    select 'fst_copy', wallet_address, network, 'another token', method, payer, nonce, pay_to, amount, valid_before,
      from_block, x402_version, payload_hash, now(), now() from x402_settlements where id = ${extra.settlement_id}`
  await expect(w.write((tx) => copy.execute(tx))).rejects.toThrow('one_claim_per_permit')
  const change = sql`update x402_settlements set method = 'eip3009' where id = ${extra.settlement_id}`
  await expect(w.write((tx) => change.execute(tx))).rejects.toThrow('what it pays cannot change')
})
