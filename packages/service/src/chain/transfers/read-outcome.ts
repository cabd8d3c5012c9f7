import type { Hex } from '../../kernel/assets.ts'
import { eip3009Abi } from '../../protocols/evm/eip3009/abi.ts'
import { askChain, type Chain } from '../chain.ts'
import { findAuthorizationUse, isAuthorizationUsed } from '../reads.ts'

/** The transaction that used an authorization. */
export type Use = { txHash: Hex; blockNumber: bigint }
/** How an authorization of the treasury ended. `never`: it expired unused, so no block can use it any more. */
export type TransferOutcome =
  | { kind: 'used'; use: Use; isSafe: boolean }
  | { kind: 'never' }
  | { kind: 'open' }

/** An authorization that the treasury signed. `validBefore` is in Unix seconds; the search starts at `fromBlock`. */
type Signed = { nonce: Hex; fromBlock: bigint; validBefore: bigint }

/** The transaction that used the treasury's authorization, as the newest block shows it. */
export async function findTreasuryUse(chain: Chain, signed: Signed): Promise<Use | undefined> {
  const from = chain.treasury.address
  if (!(await isAuthorizationUsed(chain, from, signed.nonce))) return undefined
  return findAuthorizationUse(chain, { from, nonce: signed.nonce }, signed.fromBlock)
}

/**
 * Reads from the chain how the treasury's authorization ended. `never` needs one safe block past the expiry, so a
 * lagging node cannot make a used authorization look unused.
 */
export async function readOutcome(chain: Chain, signed: Signed): Promise<TransferOutcome> {
  const safe = await askChain(() => chain.rpc.getBlock({ blockTag: 'safe' }))
  const use = await findTreasuryUse(chain, signed)
  if (use) return { kind: 'used', use, isSafe: use.blockNumber <= safe.number }
  if (safe.timestamp <= signed.validBefore) return { kind: 'open' }
  const isUsed = await askChain(() =>
    chain.rpc.readContract({
      address: chain.asset.contract,
      abi: eip3009Abi,
      functionName: 'authorizationState',
      args: [chain.treasury.address, signed.nonce],
      blockNumber: safe.number,
    }),
  )
  return { kind: isUsed ? 'open' : 'never' }
}
