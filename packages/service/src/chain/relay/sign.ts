import { reach } from '../../base/kernel/fault-points.ts'
import { keccak } from '../../base/protocols/evm/keccak.ts'
import type { Chain } from '../client/chain.ts'
import { feesFor, type Head } from '../client/head.ts'
import type { Signer } from '../client/signers/signer.ts'
import type { Relay } from './relay.ts'
import { type Attempt, type SendState, storeAttempt } from './store.ts'

export const relayerOf = (chain: Chain, address: string | null): Signer | undefined =>
  chain.relayers.find((relayer) => relayer.address === address)

type Signing = { head: Head; before?: Attempt | undefined }

/**
 * Signs a send under its nonce and stores the bytes; they replace those of an earlier attempt. Broadcasts nothing.
 * Undefined if another process stored its bytes first, or the relayer's key is not here.
 */
export async function signAttempt(
  { db, chain }: Relay,
  send: SendState,
  signing: Signing,
): Promise<Attempt | undefined> {
  const attempt = await makeAttempt(chain, send, signing)
  if (!attempt) return undefined
  const stored = await db.write((tx) => storeAttempt(tx, attempt, send.hash))
  reach('chain.after_store')
  return stored ? attempt : undefined
}

/** Signs a send under its nonce and stores nothing. Undefined if the relayer's key is not here. */
export async function makeAttempt(
  chain: Chain,
  send: SendState,
  { head, before }: Signing,
): Promise<Attempt | undefined> {
  const relayer = relayerOf(chain, send.relayer)
  if (!relayer || send.nonce === null) return undefined
  const fees = feesFor(head, before)
  reach('chain.before_sign')
  const signed = await relayer.signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    nonce: Number(send.nonce),
    to: send.toAddress,
    data: `0x${send.data.toString('hex')}`,
    gas: send.gas,
    maxPriorityFeePerGas: fees.maxTip,
    maxFeePerGas: fees.maxFee,
  })
  reach('chain.after_sign')
  const raw = Buffer.from(signed.slice(2), 'hex')
  return {
    ...fees,
    hash: `0x${keccak(raw).toString('hex')}`,
    sendId: send.id,
    relayer: relayer.address,
    nonce: send.nonce,
    raw,
    atBlock: head.number,
  }
}
