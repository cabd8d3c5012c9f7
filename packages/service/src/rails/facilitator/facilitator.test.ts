import { ExactEvmScheme as ExactClient } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  ask,
  asset,
  NETWORK,
  newAddress,
  officialServer,
  PRICE,
  settle,
  shop,
} from '../../../test/actors/facilitator-kit.ts'
import { until } from '../../../test/until.ts'
import { freshAccount } from '../../../test/world/chain.ts'
import { world } from '../../../test/world.ts'
import {
  AUTH_CAPTURE_ESCROW,
  RECEIVER_REFUND_COLLECTOR,
} from '../../base/protocols/x402/escrow-abi.ts'

test('a seller of the official packages is paid through this facilitator', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  await using server = await officialServer(w, seller, payTo)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const client = new x402Client().register(NETWORK, new ExactClient(payer))
  const response = await wrapFetchWithPayment(fetch, client)(server.url)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ report: 42 })
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response')!)
  expect(receipt).toMatchObject({ success: true, network: NETWORK, payer: payer.address })
  expect(await paid()).toBe(PRICE)
  const [settlement] = (await seller.get('/api/x402/settlements')).body.settlements
  expect(settlement).toMatchObject({
    status: 'completed',
    transaction: receipt.transaction,
    amount: String(PRICE),
    pay_to: payTo,
  })
  const one = await seller.get(`/api/x402/settlements/${settlement.id}`)
  expect(one.body.settlement).toEqual(settlement)
})

test('a payment of x402 v1 is verified and settled too', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const { paymentPayload } = await ask(payer, payTo)
  const v1 = {
    x402Version: 1,
    paymentPayload: {
      x402Version: 1,
      scheme: 'exact',
      network: 'base-sepolia',
      payload: paymentPayload.payload,
    },
    paymentRequirements: {
      scheme: 'exact',
      network: 'base-sepolia',
      maxAmountRequired: String(PRICE),
      payTo,
      asset: asset.contract,
      maxTimeoutSeconds: 60,
      resource: 'https://seller.example/x',
    },
  }
  const verified = await w.call('POST', '/api/x402/verify', v1)
  expect(verified.body).toEqual({ isValid: true, payer: payer.address })
  const settled = await settle(seller, v1)
  expect(settled.body).toMatchObject({ success: true, network: 'base-sepolia' })
  expect(await paid()).toBe(PRICE)
})

test('what it settles is reported to anybody; with relayers without gas it takes nothing on', async () => {
  await using w = await world()
  const broke = await w.call('GET', '/api/x402/supported')
  expect(broke.body.kinds).toEqual([])
  await w.withGas()
  const { status, body } = await w.call('GET', '/api/x402/supported')
  expect(status).toBe(200)
  expect(body).toEqual({
    kinds: [
      {
        x402Version: 2,
        scheme: 'exact',
        network: NETWORK,
        extra: { assetTransferMethods: ['eip3009', 'permit2'] },
      },
      {
        x402Version: 2,
        scheme: 'upto',
        network: NETWORK,
        extra: { facilitatorAddress: w.chain.relayers[0]!.address },
      },
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
      {
        x402Version: 2,
        scheme: 'auth-capture',
        network: NETWORK,
        extra: {
          facilitatorAddress: w.chain.relayers[0]!.address,
          authCaptureEscrow: AUTH_CAPTURE_ESCROW,
          refundCollector: RECEIVER_REFUND_COLLECTOR,
        },
      },
    ],
    extensions: ['bazaar', 'payment-identifier', 'eip2612GasSponsoring'],
    signers: { [NETWORK]: [w.chain.relayers[0]!.address] },
  })
})

test('without gas a payment is given back: nothing was sent, and it may be settled later', async () => {
  await using w = await world({ settings: { facilitator: { payTo: 'any', waitMs: 1_500 } } })
  const seller = await w.user()
  const payTo = newAddress()
  const body = await ask(await freshAccount({ usdc: 1_000_000n }), payTo)
  const refused = await settle(seller, body, 'a key')
  expect(refused.body).toMatchObject({ success: false, errorReason: 'unexpected_settle_error' })
  expect((await seller.get('/api/x402/settlements')).body.settlements).toEqual([])
  await w.withGas()
  await until(
    async () => (await settle(seller, body, 'a key')).body,
    (seen) => expect(seen).toMatchObject({ success: true }),
  )
})

test('every refusal is an outcome of the protocol by its name, in words of our own, of both operations alike', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const poor = await freshAccount()
  const other = privateKeyToAccount(generatePrivateKey())
  const now = BigInt(Math.floor(Date.now() / 1000))
  const good = await ask(payer, payTo)
  const { payload } = good.paymentPayload
  const withAuthorization = (change: object) => ({
    ...good,
    paymentPayload: {
      ...good.paymentPayload,
      payload: { ...payload, authorization: { ...payload.authorization, ...change } },
    },
  })
  const cases: [reason: string, body: object][] = [
    ['invalid_x402_version', { ...good, x402Version: 3 }],
    ['unsupported_scheme', await ask(payer, payTo, { requirements: { scheme: 'deferred' } })],
    [
      'unsupported_scheme',
      await ask(payer, payTo, { requirements: { extra: { assetTransferMethod: 'erc7710' } } }),
    ],
    [
      'invalid_payload',
      await ask(payer, payTo, { requirements: { extra: { assetTransferMethod: 'permit2' } } }),
    ],
    ['invalid_network', await ask(payer, payTo, { requirements: { network: 'eip155:1' } })],
    ['invalid_network', await ask(payer, payTo, { requirements: { network: 'solana:x' } })],
    ['invalid_payment_requirements', await ask(payer, payTo, { requirements: { amount: '0100' } })],
    ['invalid_payment_requirements', await ask(payer, payTo, { requirements: { amount: '1e4' } })],
    ['invalid_payment_requirements', await ask(payer, payTo, { requirements: { payTo: 'me' } })],
    [
      'invalid_payment_requirements',
      await ask(payer, payTo, { requirements: { asset: newAddress() } }),
    ],
    [
      'invalid_exact_evm_token_name_mismatch',
      await ask(payer, payTo, { requirements: { extra: { name: 'USD Coin', version: '2' } } }),
    ],
    [
      'invalid_exact_evm_token_version_mismatch',
      await ask(payer, payTo, { requirements: { extra: { name: 'USDC', version: '1' } } }),
    ],
    ['invalid_exact_evm_recipient_mismatch', await ask(payer, payTo, { to: newAddress() })],
    [
      'invalid_exact_evm_recipient_mismatch',
      await ask(payer, payTo, { accepted: { payTo: newAddress() } }),
    ],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      await ask(payer, payTo, { value: PRICE - 1n }),
    ],
    [
      'invalid_exact_evm_payload_authorization_value_mismatch',
      await ask(payer, payTo, { accepted: { amount: '1' } }),
    ],
    [
      'invalid_payment_requirements',
      await ask(payer, payTo, { accepted: { maxTimeoutSeconds: 61 } }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_before',
      await ask(payer, payTo, { validBefore: now + 3n }),
    ],
    [
      'invalid_exact_evm_payload_authorization_valid_after',
      await ask(payer, payTo, { validAfter: now + 600n }),
    ],
    ['invalid_exact_evm_signature', await ask(payer, payTo, { by: other })],
    ['invalid_exact_evm_signature', withAuthorization({ nonce: `0x${'ab'.repeat(32)}` })],
    ['invalid_exact_evm_insufficient_balance', await ask(poor, payTo)],
    ['invalid_payload', withAuthorization({ value: 10_000 })],
    ['invalid_payload', withAuthorization({ nonce: '0x12' })],
    [
      'invalid_payload',
      { ...good, paymentPayload: { x402Version: 2, accepted: good.paymentRequirements } },
    ],
    ['invalid_payload', { ...good, paymentPayload: { x402Version: 2 } }],
    [
      'invalid_payload',
      await ask(payer, payTo, {
        extensions: { 'payment-identifier': { info: { required: true } } },
      }),
    ],
    [
      'invalid_payload',
      await ask(payer, payTo, {
        extensions: { 'payment-identifier': { info: { required: true, id: 'short' } } },
      }),
    ],
    ['invalid_payment_requirements', await ask(payer, w.chain.treasury.address)],
  ]
  for (const [reason, body] of cases) {
    const verified = await w.call('POST', '/api/x402/verify', body)
    expect([reason, verified.status, verified.body.invalidReason]).toEqual([reason, 200, reason])
    expect(verified.body.isValid).toBe(false)
    const settled = await settle(seller, body)
    expect([reason, settled.status, settled.body.errorReason]).toEqual([reason, 200, reason])
    expect(settled.body).toMatchObject({ success: false, transaction: '', network: NETWORK })
    for (const text of [verified.body.invalidMessage, settled.body.errorMessage])
      expect(text).not.toMatch(/0x[0-9a-f]{64}|viem|http:|TypeError|undefined/i)
  }
  expect(await paid()).toBe(0n)
  expect((await seller.get('/api/x402/settlements')).body.settlements).toEqual([])
  // The authorization itself was good all the time.
  expect((await settle(seller, good)).body).toMatchObject({ success: true, payer: payer.address })
})

test("a body that is none is 400, and a payment to a link's own address is for the link alone", async () => {
  await using w = await world()
  const { seller, payTo } = await shop(w)
  for (const body of [{}, { paymentPayload: 'x', paymentRequirements: {} }, { paymentPayload: {} }])
    for (const path of ['/api/x402/verify', '/api/x402/settle'])
      expect(['missing_field', 'invalid_field']).toContain(
        (await seller.post(path, body)).body.code,
      )
  const rich = await w.user({ treasury: 10 })
  const card = (await rich.post('/api/issue', { purpose: 'x', limit_amount: 1 })).body.card
  const link = (await rich.post('/api/paylinks', { card_id: card.id, amount: 0.01 })).body
  const payer = await freshAccount({ usdc: 1_000_000n })
  const toLink = await ask(payer, link.deposit_address)
  expect((await settle(seller, toLink)).body.errorReason).toBe('invalid_payment_requirements')
  expect(payTo).not.toBe(link.deposit_address)
})

test('settling needs a key, and of a restricted one its scope', async () => {
  await using w = await world()
  const { seller, payTo } = await shop(w)
  const body = await ask(await freshAccount({ usdc: 1_000_000n }), payTo)
  expect((await w.call('POST', '/api/x402/settle', body)).status).toBe(401)
  const mint = async (scopes: string[]) =>
    (await seller.post('/api/keys/restricted', { name: 'till', scopes })).body.api_key
  const weak = await w.call('POST', '/api/x402/settle', body, {
    key: await mint(['payments:write', 'paylinks:write']),
  })
  expect([weak.status, weak.body.code]).toEqual([403, 'forbidden_scope'])
  const till = await mint(['facilitator:write'])
  expect((await w.call('POST', '/api/x402/settle', body, { key: till })).body.success).toBe(true)
  const read = await w.call('GET', '/api/x402/settlements', undefined, { key: till })
  expect(read.status).toBe(403)
})

test('an operator may bind sellers to their own wallets', async () => {
  await using w = await world({ settings: { facilitator: { payTo: 'wallet', waitMs: 12_000 } } })
  const { seller, payTo } = await shop(w)
  const payer = await freshAccount({ usdc: 1_000_000n })
  const elsewhere = await settle(seller, await ask(payer, payTo))
  expect(elsewhere.body.errorReason).toBe('invalid_payment_requirements')
  const own = await settle(seller, await ask(payer, seller.account.address))
  expect(own.body.success).toBe(true)
})
