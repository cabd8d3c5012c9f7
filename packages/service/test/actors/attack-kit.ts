import { createWalletClient, http, type PrivateKeyAccount } from 'viem'
import { expect } from 'vitest'
import { randomHex } from '../../src/base/kernel/secrets.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../src/base/protocols/evm/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../../src/base/protocols/evm/eip3009/calldata.ts'
import { independentCalls, MULTICALL3 } from '../../src/chain/client/multicall.ts'
import { freshAccount } from '../world/chain.ts'
import type { User, World } from '../world.ts'
import { type SignedTransfer, xPayment } from './authorizations.ts'

export type Held = { id: string; token: string }

export async function issue(
  user: Pick<User, 'post'>,
  limit: number,
  more: object = {},
): Promise<Held> {
  const made = await user.post('/api/issue', { purpose: 'x', limit_amount: limit, ...more })
  expect(made.status, made.text).toBe(200)
  return made.body.card
}
export async function open(user: User, card: Held, link: object = {}) {
  const made = await user.post('/api/paylinks', { card_id: card.id, amount: 1, ...link })
  expect(made.status, made.text).toBe(200)
  return made.body as { code: string; deposit_address: `0x${string}` }
}
export const cardOf = async (u: Pick<User, 'get'>, id: string) =>
  (await u.get(`/api/cards/${id}`)).body.card
export const balanceOf = async (u: User) => (await u.get('/api/balance')).body.balances[0].available
export const payWith = (w: World, code: string, card: Held, key?: string) =>
  w.call(
    'POST',
    `/api/pay/${code}/settle`,
    { payer_card_id: card.id, payer_card_token: card.token },
    { headers: key === undefined ? {} : { 'idempotency-key': key } },
  )

export async function signed(
  w: World,
  from: PrivateKeyAccount,
  to: `0x${string}`,
  value: bigint,
): Promise<SignedTransfer> {
  const authorization: TransferAuthorization = {
    from: from.address,
    to,
    value,
    validAfter: 0n,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
    nonce: randomHex(32),
  }
  const signature = await from.signTypedData(authorizationTypedData(w.chain.asset, authorization))
  return { authorization, signature }
}

/** The payment as a client of x402 v1 sends it. */
export const present = (w: World, code: string, payment: SignedTransfer) =>
  w.call('GET', `/pay/${code}`, undefined, { headers: xPayment(payment) })

/** Submits the signed transfers to the chain in one transaction, as anybody may. */
export async function carry(w: World, payments: SignedTransfer[]): Promise<`0x${string}`> {
  const runner = await freshAccount()
  const wallet = createWalletClient({ account: runner, transport: http(w.rpcUrl) })
  const calls = payments.map((p) => transferWithAuthorizationData(p.authorization, p.signature))
  const data = independentCalls(w.chain.asset.contract, calls)
  const hash = await wallet.sendTransaction({ chain: null, to: MULTICALL3, data })
  await w.mined(hash)
  return hash
}
export const report = (w: World, code: string, tx_hash: string, more: object = {}) =>
  w.call('POST', `/api/pay/${code}/settle`, { tx_hash, ...more })
