import { UptoEvmScheme } from '@x402/evm/upto/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  asset,
  facilitatorClient,
  NETWORK,
  newAddress,
  settle,
  shop,
} from '../../../../test/actors/facilitator-kit.ts'
import { encode, receiveX402, signedAs } from '../../../../test/actors/link-kit.ts'
import {
  approve,
  askByUpto,
  cancelPermit,
  DEV,
  MOST,
  permitPayer,
  registerToken,
  type UptoChanges,
} from '../../../../test/actors/permit2-kit.ts'
import { officialPermitSeller } from '../../../../test/sellers/permit-sellers.ts'
import { until } from '../../../../test/until.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { sql } from '../../../base/db/sql.ts'
import { Secret } from '../../../base/kernel/secrets.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { localSigner } from '../../../chain/client/signers/local.ts'
import { readTokenBalance } from '../../../chain/client/tokens/calls.ts'
import { findAuthorizationClaims } from '../../../chain/transfers/store.ts'
import { fundGas } from '../../../run/embedded/dev/chain.ts'

const USED = 250_000n

/** A seller who is paid at the wallet of the key. */
async function ownShop(w: World) {
  const { seller } = await shop(w)
  const payTo = seller.account.address
  return { seller, payTo, paid: () => readAssetBalance(w.chain, payTo) }
}

/** A payer with 2 USDC, all of which Permit2 may move. */
async function payerOfUsdc() {
  const account = await freshAccount({ usdc: 2n * MOST })
  await approve(account, asset.contract)
  return account
}

const verify = (w: World, body: object) => w.call('POST', '/api/x402/verify', body)
const transactions = (w: World) =>
  w.chain.rpc.getTransactionCount({ address: w.chain.relayers[0]!.address })
const settlements = async (seller: User) =>
  (await seller.get('/api/x402/settlements')).body.settlements

test('the official client allows a seller of the official packages 1.00, and pays the 0.25, or nothing, that was used', async () => {
  await using w = await world()
  const { seller, payTo } = await ownShop(w)
  const facilitator = await facilitatorClient(w, seller)
  let used = USED
  await using shopOf = await officialPermitSeller({
    amount: MOST,
    used: () => used,
    facilitator,
    payTo,
  })
  const payer = await payerOfUsdc()
  const pay = wrapFetchWithPayment(
    fetch,
    new x402Client().register(NETWORK, new UptoEvmScheme(payer)),
  )
  const buy = async () => {
    const response = await pay(shopOf.url)
    expect(response.status, await response.clone().text()).toBe(200)
    return decodePaymentResponseHeader(response.headers.get('payment-response')!)
  }
  const receipt = await buy()
  expect(receipt).toMatchObject({ success: true, payer: payer.address, amount: String(USED) })
  expect(await readAssetBalance(w.chain, shopOf.payTo)).toBe(USED)
  const [settlement] = await settlements(seller)
  expect(settlement).toMatchObject({
    status: 'completed',
    transaction: receipt.transaction,
    amount: String(USED),
    scheme: 'upto',
    asset_transfer_method: 'permit2',
    pay_to: shopOf.payTo,
  })
  used = 0n
  expect(await buy()).toMatchObject({ success: true, transaction: '', amount: '0' })
  expect(await readAssetBalance(w.chain, payer.address)).toBe(2n * MOST - USED)
  expect([await transactions(w), (await settlements(seller)).length]).toEqual([1, 1])
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

test('one permit is used once: ten at once, another amount later, and nothing later', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await ownShop(w)
  const { body, permit } = await askByUpto(w, await payerOfUsdc(), payTo)
  expect((await verify(w, body(MOST))).body).toEqual({ isValid: true, payer: permit.from })
  const amounts = [USED, USED, USED, USED, USED, 1_000n, 1_000n, MOST, MOST, MOST]
  const replies = await Promise.all(amounts.map((amount) => settle(seller, body(amount))))
  const taken = replies.filter((reply) => reply.body.success)
  expect(taken).toHaveLength(1)
  for (const reply of replies.filter((one) => !one.body.success))
    expect(['duplicate_settlement', 'permit2_invalid_nonce']).toContain(reply.body.errorReason)
  const won = BigInt(taken[0]?.body.amount)
  expect(await paid()).toBe(won)
  for (const amount of [won, won + 1n, 1_000n, 0n])
    expect((await settle(seller, body(amount))).body).toMatchObject({ success: false })
  expect(await paid()).toBe(won)
  expect(await transactions(w)).toBe(1)
  const [settlement] = await settlements(seller)
  expect(
    await findAuthorizationClaims(w.db.reader, [
      { network: NETWORK, payer: permit.from, nonce: permit.nonce },
    ]),
  ).toMatchObject([{ kind: 'facilitator', ref: settlement.id }])
})

test('a request that is repeated by its key is answered again; with another amount it is refused', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await ownShop(w)
  const { body } = await askByUpto(w, await payerOfUsdc(), payTo)
  const first = await settle(seller, body(USED), 'month')
  expect(first.body).toMatchObject({ success: true, amount: String(USED) })
  expect((await settle(seller, body(USED), 'month')).body).toEqual(first.body)
  expect((await settle(seller, body(USED + 1n), 'month')).status).toBe(409)
  expect((await settle(seller, body(USED + 1n), 'other')).body.errorReason).toBe(
    'duplicate_settlement',
  )
  expect(await paid()).toBe(USED)
})

test('only the key of the payee says how much was used: the payer cannot be first with almost nothing', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await ownShop(w)
  const { body } = await askByUpto(w, await payerOfUsdc(), payTo)
  const other = await w.user()
  for (const amount of [0n, 1_000n, MOST])
    expect((await settle(other, body(amount))).body).toMatchObject({
      success: false,
      errorReason: 'invalid_payment_requirements',
      transaction: '',
    })
  expect((await settle(seller, body(USED))).body.success).toBe(true)
  expect(await paid()).toBe(USED)
})

test('more than was allowed, another facilitator, and every other lie are refused by name and cost nothing', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await ownShop(w)
  const payer = await payerOfUsdc()
  const of = async (changes: UptoChanges, amount = USED) =>
    (await askByUpto(w, payer, payTo, changes)).body(amount)
  const cancelled = await askByUpto(w, payer, payTo)
  await cancelPermit(payer, cancelled.permit.nonce)
  const cases: [reason: string, body: object][] = [
    ['invalid_upto_evm_payload_settlement_exceeds_amount', await of({}, MOST + 1n)],
    ['upto_facilitator_mismatch', await of({ facilitator: newAddress() })],
    [
      'invalid_permit2_signature',
      await of({
        facilitator: newAddress(),
        witness: { facilitator: w.chain.relayers[0]!.address },
      }),
    ],
    ['invalid_payload', await of({ witness: { facilitator: 'me' } })],
    ['invalid_permit2_recipient_mismatch', await of({ permit: { to: newAddress() } })],
    ['permit2_amount_mismatch', await of({ permit: { value: MOST - 1n } })],
    ['permit2_amount_mismatch', await of({ accepted: { amount: '5' } })],
    ['invalid_exact_evm_recipient_mismatch', await of({ accepted: { payTo: newAddress() } })],
    ['invalid_payment_requirements', await of({ accepted: { amount: '1e6' } })],
    ['invalid_payment_requirements', await of({ token: DEV.contract })],
    ['unsupported_scheme', await of({ accepted: { scheme: 'exact' } })],
    ['permit2_deadline_expired', await of({ permit: { validBefore: 0n } })],
    ['amount_below_minimum', await of({}, 1n)],
    ['permit2_invalid_nonce', cancelled.body(USED)],
    ['permit2_invalid_nonce', cancelled.body(0n)],
    ['upto_facilitator_mismatch', await of({ facilitator: newAddress() }, 0n)],
  ]
  for (const [reason, body] of cases) {
    const { status, body: answered } = await settle(seller, body)
    expect([reason, status, answered.errorReason]).toEqual([reason, 200, reason])
    expect(answered).toMatchObject({ success: false, transaction: '' })
  }
  for (const amount of [0n, USED, MOST + 1n])
    expect((await verify(w, await of({}, amount))).body.invalidReason).toBe(
      'permit2_amount_mismatch',
    )
  expect((await verify(w, await of({ facilitator: newAddress() }, MOST))).body).toMatchObject({
    isValid: false,
    invalidReason: 'upto_facilitator_mismatch',
    payer: payer.address,
  })
  expect([await paid(), await transactions(w), await settlements(seller)]).toEqual([0n, 0, []])
})

test('a registered token is paid by upto, and a permit of one nonce is one payment by either scheme', async () => {
  await using w = await world()
  const { seller, payTo } = await ownShop(w)
  const payer = await permitPayer()
  await registerToken(seller, DEV.contract)
  const { body, permit } = await askByUpto(w, payer, payTo, { token: DEV.contract })
  expect((await settle(seller, body(7n))).body).toMatchObject({ success: true, amount: '7' })
  expect(await readTokenBalance(w.chain, DEV.contract, payTo)).toBe(7n)
  const copy = (method: string) =>
    w.write((tx) =>
      sql`insert into x402_settlements (id, wallet_address, network, token, method, payer, nonce, pay_to, amount,
          valid_before, from_block, x402_version, payload_hash, next_answer_at, created_at)
        select 'fst_' || ${method}::text, wallet_address, network, ${asset.contract}, ${method}, payer, nonce, pay_to, amount,
          valid_before, from_block, x402_version, payload_hash, now(), created_at
        from x402_settlements where nonce = ${permit.nonce}`.execute(tx),
    )
  for (const method of ['upto', 'permit2'])
    await expect(copy(method)).rejects.toThrow('one_claim_per_permit')
})

test('the relayer that the payer signed carries it, and no other; without gas it is given back', async () => {
  await using w = await world({ settings: { facilitator: { payTo: 'any', waitMs: 3_000 } } })
  const { seller, payTo, paid } = await ownShop(w)
  const second = localSigner(new Secret(generatePrivateKey()))
  ;(w.chain.relayers as (typeof second)[]).push(second)
  const payer = await payerOfUsdc()
  const asked = await askByUpto(w, payer, payTo, { facilitator: second.address })
  const broke = await settle(seller, asked.body(USED))
  expect(broke.body).toMatchObject({ success: false, errorReason: 'unexpected_settle_error' })
  expect(await settlements(seller)).toEqual([])
  await fundGas({ rpcUrl: w.rpcUrl, address: second.address, wei: 10n ** 19n })
  const others = await Promise.all(
    [1, 2, 3].map(() => askByUpto(w, payer, payTo, { facilitator: second.address })),
  )
  const replies = await Promise.all(
    [asked, ...others].map(({ body }) => settle(seller, body(USED))),
  )
  expect(replies.map(({ body }) => body.success)).toEqual(Array(4).fill(true))
  expect(await paid()).toBe(4n * USED)
  const counts = [await transactions(w), await w.chain.rpc.getTransactionCount(second)]
  expect(counts).toEqual([0, 4])
})

test('five permits over a balance that covers two cost two transactions, and the rest may come again', async () => {
  await using w = await world()
  const { seller, payTo, paid } = await ownShop(w)
  const payer = await payerOfUsdc()
  const asked = await Promise.all(Array.from({ length: 5 }, () => askByUpto(w, payer, payTo)))
  const replies = await Promise.all(asked.map(({ body }) => settle(seller, body(MOST))))
  expect(replies.filter(({ body }) => body.success)).toHaveLength(2)
  for (const { body } of replies.filter((reply) => !reply.body.success))
    expect(['funds_in_flight', 'permit2_insufficient_balance']).toContain(body.errorReason)
  expect([await paid(), await transactions(w)]).toEqual([2n * MOST, 2])
  expect(await settlements(seller)).toHaveLength(2)
})

test('a wallet that was paid by upto learns that its payment settled, and uses it once', async () => {
  await using w = await world()
  const { seller } = await ownShop(w)
  const { body } = await askByUpto(w, await payerOfUsdc(), seller.account.address)
  const { paymentPayload } = body(USED)
  const receive = () => receiveX402(seller, encode(paymentPayload), paymentPayload.resource.url)
  expect((await receive()).body.reason).toBe('not_settled')
  expect((await settle(seller, body(USED))).body.success).toBe(true)
  for (const already_used of [false, true])
    expect((await receive()).body).toMatchObject({ verified: true, already_used })
  const forged = signedAs(paymentPayload, `0x${'11'.repeat(65)}`)
  expect(
    (await receiveX402(seller, encode(forged), paymentPayload.resource.url)).body.verified,
  ).toBe(false)
})
