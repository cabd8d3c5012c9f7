import type { Address, Hex } from 'viem'
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import {
  type ItemResult,
  type Pull,
  pullCall,
  readPulled,
  readSettled,
  type SignedAuthorization,
  settleCall,
} from '../packages/service/src/chain/relay/batch/contract.ts'
import { testChain } from '../packages/service/test/world/chain.ts'
import { type Contract, newSigner, sendCall, signMessage, type Token } from './token.ts'

export const DOLLAR = 1_000_000n
export const FOR_EVER = 2n ** 40n
export const settled: ItemResult = { state: 'settled' }
export const notTried: ItemResult = { state: 'not_tried' }
export const failed = (reason: string): ItemResult => ({ state: 'failed', reason })
export const NO_REASON = 'it ran out of its gas, or was reverted without a reason'

export type Terms = Partial<SignedAuthorization['authorization']>

/** A dollar for an account that holds nothing yet, unless the terms say otherwise, signed with `key`. */
export async function authorize(
  token: Pick<Token, 'domain'>,
  key: Hex,
  terms: Terms & { from: Address },
): Promise<SignedAuthorization> {
  const authorization = {
    to: newSigner().address,
    value: DOLLAR,
    validAfter: 0n,
    validBefore: FOR_EVER,
    nonce: randomHex(32),
    ...terms,
  }
  const { asBytes } = await signMessage(token, key, 'TransferWithAuthorization', authorization)
  return { authorization, signature: asBytes.at(-1) as Hex }
}

export const pullOf = (terms: Partial<Pull> & { from: Address }): Pull => ({
  to: newSigner().address,
  value: DOLLAR,
  ref: randomHex(32),
  ...terms,
})

type Batch = {
  by: Contract
  of: { address: Address }
  from: Address
  gas?: bigint
  gasPerItem?: bigint
}

/** Sends the batch with its own gas limit, or with `gas`, and reads the result of each item. */
export async function settle(items: SignedAuthorization[], { by, of, from, ...given }: Batch) {
  const call = settleCall(by.address, of.address, items, given.gasPerItem)
  const limit = given.gas ?? call.gas
  const receipt = await sendCall(testChain(), { ...call, from, gas: limit })
  const parties = { settler: by.address, token: of.address }
  return { receipt, limit, results: readSettled(receipt, parties, items) }
}

/** As `settle`, for pulls. */
export async function pull(items: Pull[], { by, of, from, ...given }: Batch) {
  const call = pullCall(by.address, of.address, items, given.gasPerItem)
  const limit = given.gas ?? call.gas
  const receipt = await sendCall(testChain(), { ...call, from, gas: limit })
  return { receipt, limit, results: readPulled(receipt, { settler: by.address }, items) }
}
