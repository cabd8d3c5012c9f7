import { BaseError } from 'viem'

/** The meaning of a node's refusal of a signed transaction. */
export type Refusal =
  /** It has the transaction already. */
  | 'known'
  /** Its nonce is used: by one of our attempts, or by something else. */
  | 'nonce_used'
  /** The relayer cannot pay for it. */
  | 'no_gas'
  /** Its fees are too low for the block, or to replace the attempt that the node holds. */
  | 'underpriced'
  /** The node serves another chain. */
  | 'wrong_chain'

// First match wins. Words of geth, reth, op-geth and anvil.
const REFUSALS: readonly [RegExp, Refusal][] = [
  [/already known|already imported|known transaction|already in the mempool/i, 'known'],
  [/nonce too low|nonce is too low|nonce has already been used/i, 'nonce_used'],
  [/insufficient funds|insufficient balance|not enough funds/i, 'no_gas'],
  [
    /underpriced|less than block base fee|lower than (the )?block base fee|fee too low/i,
    'underpriced',
  ],
  [/chain.?id|invalid signer/i, 'wrong_chain'],
]

/** Reads the refusal out of what the RPC said; undefined for anything else, such as silence. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined
  // viem's message quotes the request too, so the node's own words come first.
  const text = error instanceof BaseError ? error.details : error.message
  return REFUSALS.find(([pattern]) => pattern.test(text))?.[1]
}
