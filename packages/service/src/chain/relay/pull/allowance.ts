import { setTimeout as sleep } from 'node:timers/promises'
import { decodeFunctionData, isAddressEqual, parseAbi, TransactionNotFoundError } from 'viem'
import type { Address, Asset, Hex } from '../../../base/kernel/assets.ts'
import { type Amount, amount, ZERO } from '../../../base/kernel/money.ts'
import { askChain, type Chain, type Rail } from '../../client/chain.ts'
import { defaultAsset } from '../../client/rails.ts'
import { findOperator } from './operator.ts'

const ABI = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

export type Allowance = {
  /** Base units that the wallet lets the operator take at the newest block. */
  allowance: Amount
  /** The contract to approve; null where the service cannot pull. */
  operator: Address | null
}

/** How much the wallet lets the service take of the asset, USDC unless another is given. */
export async function readAllowance(
  chain: Chain,
  wallet: Address,
  asset: Pick<Asset, 'contract'> = defaultAsset(chain),
): Promise<Allowance> {
  const operator = await findOperator(chain)
  if (!operator) return { allowance: ZERO, operator: null }
  const { contract } = operator
  const allowance = await askChain(() =>
    chain.rpc.readContract({
      address: asset.contract,
      abi: ABI,
      functionName: 'allowance',
      args: [wallet, contract],
    }),
  )
  return { allowance: amount(allowance), operator: contract }
}

const WAIT_MS = 12_000
/** A transaction that no node knows by then is not waited for: anybody can make up a hash. */
const UNKNOWN_MS = 2_000
const STEP_MS = 250

/**
 * `mined`: a block holds the approval; `replaced`: another transaction of the wallet took its nonce; `unmined`: no block
 * has held it in time; `other`: it is unknown, or no approval of this wallet for our contract in this token.
 */
export type Approval = 'mined' | 'replaced' | 'unmined' | 'other'

/**
 * Waits up to 12 s until a block holds the wallet's own approval of the rail's asset for the operator. Read the allowance after
 * it, whatever it answers: the transaction itself proves nothing.
 */
export async function awaitApproval(
  rail: Rail,
  of: { wallet: Address; approveTx: Hex; waitMs?: number },
): Promise<Approval> {
  const { wallet, approveTx, waitMs = WAIT_MS } = of
  const { asset } = rail
  const operator = await findOperator(rail)
  if (!operator) return 'other'
  let isKnown = false
  for (let waited = 0; ; waited += STEP_MS) {
    const found = await findTransaction(rail, approveTx)
    if (found) {
      isKnown = true
      if (!isApproval(found, { wallet, token: asset.contract, spender: operator.contract }))
        return 'other'
      if (found.blockNumber !== null) return 'mined'
      const count = await askChain(() => rail.rpc.getTransactionCount({ address: wallet }))
      // Its own block may have come between the two answers.
      if (count > found.nonce)
        return (await findTransaction(rail, approveTx))?.blockNumber ? 'mined' : 'replaced'
    } else if (isKnown) return 'replaced'
    if (waited >= (isKnown ? waitMs : Math.min(UNKNOWN_MS, waitMs)))
      return isKnown ? 'unmined' : 'other'
    await sleep(STEP_MS)
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof findTransaction>>>

const findTransaction = (chain: Chain, hash: Hex) =>
  askChain(async () => {
    try {
      return await chain.rpc.getTransaction({ hash })
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return undefined
      throw error
    }
  })

function isApproval(
  { from, to, input }: Found,
  of: { wallet: Address; token: Address; spender: Address },
): boolean {
  if (!isAddressEqual(from, of.wallet) || !to || !isAddressEqual(to, of.token)) return false
  try {
    const { functionName, args } = decodeFunctionData({ abi: ABI, data: input })
    return functionName === 'approve' && isAddressEqual(args[0], of.spender)
  } catch {
    // Another call of the token.
    return false
  }
}
