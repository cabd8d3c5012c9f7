import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { encodeFunctionData, parseAbi, parseSignature } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  facilitatorClient,
  NETWORK,
  newAddress,
  settle,
} from '../../../../test/actors/facilitator-kit.ts'
import {
  askByPermit,
  type PermitChanges,
  registerToken,
} from '../../../../test/actors/permit2-kit.ts'
import { newToken, sendBy, type TestToken } from '../../../../test/actors/token-kit.ts'
import { officialPermitSeller } from '../../../../test/sellers/permit-sellers.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { readTokenBalance } from '../../../chain/client/tokens/calls.ts'

const ABI = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
const VALUE = 250_000n
const NAME = { name: 'Euro Coin', version: '2' }

let w: World
let seller: User
let token: TestToken
beforeAll(async () => {
  w = await world()
  await w.withGas()
  seller = await w.user()
  token = await newToken({ name: NAME.name, symbol: 'EURC', circle: true, held: 1n })
  await registerToken(seller, token.contract)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

/** A payer who has let Permit2 move nothing. */
async function payerOf(value = VALUE) {
  const payer = await freshAccount()
  await token.mint(payer.address, value)
  return payer
}
const balanceOf = (address: Address) => readTokenBalance(w.chain, token.contract, address)
const read = (functionName: 'nonces' | 'allowance', args: readonly Address[]): Promise<bigint> =>
  w.chain.rpc.readContract({
    address: token.contract,
    abi: ABI,
    functionName,
    args,
  } as never) as Promise<bigint>
const carried = () => w.chain.rpc.getTransactionCount({ address: w.chain.relayers[0]!.address })

type Info = Record<string, string>

/** The extension as the official client writes it. */
async function sponsored(payer: PrivateKeyAccount, changes: Info = {}, by = payer) {
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3_600)
  const nonce = await read('nonces', [payer.address])
  const signature = await by.signTypedData({
    domain: { ...NAME, chainId: 84_532, verifyingContract: token.contract },
    types: {
      Permit: [
        'owner:address',
        'spender:address',
        'value:uint256',
        'nonce:uint256',
        'deadline:uint256',
      ].map((field) => ({ name: field.split(':')[0]!, type: field.split(':')[1]! })),
    },
    primaryType: 'Permit',
    message: { owner: payer.address, spender: PERMIT2, value: VALUE, nonce, deadline },
  })
  const info: Info = {
    from: payer.address,
    asset: token.contract,
    spender: PERMIT2,
    amount: String(VALUE),
    nonce: String(nonce),
    deadline: String(deadline),
    signature,
    version: '1',
    ...changes,
  }
  return { eip2612GasSponsoring: { info } }
}

const asked = (
  payer: PrivateKeyAccount,
  payTo: Address,
  extensions?: PermitChanges['extensions'],
) =>
  askByPermit(payer, payTo, {
    permit: { token: token.contract, value: VALUE },
    requirements: { amount: String(VALUE), asset: token.contract },
    ...(extensions && { extensions }),
  })

test('the official client pays a seller of the official packages without an allowance and without gas of its own', async () => {
  const facilitator = await facilitatorClient(w, seller)
  expect((await w.call('GET', '/api/x402/supported')).body.extensions).toContain(
    'eip2612GasSponsoring',
  )
  const payTo = newAddress()
  await using shop = await officialPermitSeller({
    amount: VALUE,
    facilitator,
    payTo,
    token: { contract: token.contract, ...NAME },
  })
  const payer = await payerOf(2n * VALUE)
  const scheme = new ExactEvmScheme(payer, { rpcUrl: w.rpcUrl })
  const client = new x402Client().register(NETWORK, scheme)
  client.setSpendControls({ allowedAssets: [{ network: NETWORK, asset: token.contract }] })
  const pay = wrapFetchWithPayment(fetch, client)
  for (const paid of [1n, 2n]) {
    const response = await pay(shop.url)
    expect(response.status, await response.clone().text()).toBe(200)
    expect(decodePaymentResponseHeader(response.headers.get('payment-response')!)).toMatchObject({
      success: true,
      payer: payer.address,
    })
    expect(await balanceOf(payTo)).toBe(paid * VALUE)
    // It allows what it pays, and no more.
    expect(await read('allowance', [payer.address, PERMIT2])).toBe(0n)
  }
  expect(await w.chain.rpc.getTransactionCount({ address: payer.address })).toBe(0)
  const { settlements } = (await seller.get('/api/x402/settlements')).body
  expect(settlements).toMatchObject(
    Array(2).fill({ scheme: 'exact', asset_transfer_method: 'permit2', status: 'completed' }),
  )
})

test('without the permit of the token there is no allowance; the seller’s own words sent back are none', async () => {
  const payer = await payerOf()
  const before = await carried()
  for (const extensions of [
    undefined,
    {},
    { eip2612GasSponsoring: { info: { description: 'accepted here', version: '1' } } },
  ]) {
    const { body } = await asked(payer, newAddress(), extensions)
    expect((await settle(seller, body)).body.errorReason).toBe('permit2_allowance_required')
  }
  expect(await carried()).toBe(before)
})

test('a permit of the token that is another’s, elsewhere, of another amount, late or forged costs no gas', async () => {
  const [payer, stranger] = [await payerOf(), await freshAccount()]
  const before = await carried()
  const late = String(Math.floor(Date.now() / 1000))
  const cases: [reason: string, extensions: object][] = [
    ['eip2612_from_mismatch', await sponsored(payer, { from: stranger.address })],
    ['eip2612_asset_mismatch', await sponsored(payer, { asset: w.chain.asset.contract })],
    ['eip2612_spender_not_permit2', await sponsored(payer, { spender: stranger.address })],
    ['permit2_2612_amount_mismatch', await sponsored(payer, { amount: String(VALUE + 1n) })],
    ['eip2612_deadline_expired', await sponsored(payer, { deadline: late })],
    ['invalid_eip2612_extension_format', await sponsored(payer, { amount: '1e6' })],
    ['invalid_eip2612_extension_format', await sponsored(payer, { signature: '0x12' })],
    ['invalid_eip2612_extension_format', await sponsored(payer, { deadline: '-1' })],
    ['permit2_allowance_required', await sponsored(payer, {}, stranger)],
    ['permit2_allowance_required', await sponsored(payer, { deadline: '99999999999' })],
  ]
  for (const [reason, extensions] of cases) {
    const { body } = await asked(payer, newAddress(), extensions)
    const { status, body: answered } = await settle(seller, body)
    expect([reason, status, answered.errorReason]).toEqual([reason, 200, reason])
    const verified = await w.call('POST', '/api/x402/verify', body)
    expect(verified.body).toMatchObject({ isValid: false, invalidReason: reason })
  }
  expect(await carried()).toBe(before)
  expect(await read('allowance', [payer.address, PERMIT2])).toBe(0n)
})

test('somebody who is first with the permit of the token takes nothing by it, and the payment is settled once', async () => {
  const [payer, payTo, runner] = [await payerOf(), newAddress(), await freshAccount()]
  const extensions = await sponsored(payer)
  const { body } = await asked(payer, payTo, extensions)
  const { info } = extensions.eip2612GasSponsoring
  const { r, s, yParity } = parseSignature(info.signature as Address)
  const args = [payer.address, PERMIT2, VALUE, BigInt(info.deadline!), 27 + yParity, r, s] as const
  await sendBy(
    runner,
    token.contract,
    encodeFunctionData({ abi: ABI, functionName: 'permit', args }),
  )
  expect(await read('allowance', [payer.address, PERMIT2])).toBe(VALUE)
  const replies = await Promise.all([1, 2, 3, 4, 5].map(() => settle(seller, body)))
  expect(replies.filter((reply) => reply.body.success)).toHaveLength(1)
  expect(await balanceOf(payTo)).toBe(VALUE)
  // The same payment without the permit beside it is the same payment.
  const { extensions: _, ...bare } = body.paymentPayload as { extensions?: object }
  const again = await settle(seller, { ...body, paymentPayload: bare })
  expect(again.body).toMatchObject({ success: false, errorReason: 'duplicate_settlement' })
  expect(await balanceOf(payTo)).toBe(VALUE)
})
