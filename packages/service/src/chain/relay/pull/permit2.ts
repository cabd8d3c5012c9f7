import { encodeFunctionData, maxUint256, parseAbi, parseSignature } from 'viem'
import type { Db } from '../../../base/db/sql.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { PERMIT2 } from '../../../base/protocols/evm/permit2/abi.ts'
import { askChain, type Rail } from '../../client/chain.ts'
import { readLatest } from '../../client/read-latest.ts'
import { readPermit2Allowance } from '../../client/tokens/payout-way.ts'
import type { Relay } from '../relay.ts'
import { queueSend, sendAndWait } from '../send.ts'

const ABI = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
const TYPES = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const VALID_SECONDS = 3_600
const WAIT_MS = 10_000
const GAS = 120_000n

/** `canPermit`: the token takes signed allowances, as USDC does. */
type Needed = { needed: bigint; canPermit?: boolean }

/**
 * Lets Permit2 move what the treasury signs for, once for ever: a relayer carries the treasury's EIP-2612 permit. Throws
 * `chain_unavailable` if no block holds it in time; callers within the hour wait for the same one.
 */
export async function allowPermit2(
  { rail, db, relay }: { rail: Rail; db: Db; relay: Relay },
  at: Date,
  { needed, canPermit = true }: Needed,
): Promise<void> {
  if ((await readPermit2Allowance(rail)) >= needed) return
  const { asset, treasury } = rail
  if (!canPermit)
    throw new Problem(
      'upstream_failed',
      `The treasury has not allowed Permit2 that much ${asset.symbol}, and ${asset.symbol} takes no signed allowance. Nothing was moved; the operator must allow it.`,
    )
  const owner = treasury.address
  const [nonce, latest] = await Promise.all([
    askChain(() =>
      rail.rpc.readContract({
        address: asset.contract,
        abi: ABI,
        functionName: 'nonces',
        args: [owner],
      }),
    ),
    readLatest(rail),
  ])
  // One permit an hour: an older one that no block took in time must not stand in the way of the next.
  const hour = Math.floor(unixSeconds(latest.at) / VALID_SECONDS)
  const deadline = BigInt((hour + 2) * VALID_SECONDS)
  const signature = await treasury.signTypedData({
    domain: { ...asset.eip712, chainId: asset.chainId, verifyingContract: asset.contract },
    types: TYPES,
    primaryType: 'Permit',
    message: { owner, spender: PERMIT2, value: maxUint256, nonce, deadline },
  })
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: ABI,
    functionName: 'permit',
    args: [owner, PERMIT2, maxUint256, deadline, 27 + yParity, r, s],
  })
  const ref = `permit2:${asset.network}:${asset.contract}:${nonce}:${deadline}`
  await db.write((tx) => queueSend(tx, at, { ref, to: asset.contract, data, gas: GAS }))
  await sendAndWait(relay, ref, WAIT_MS)
  if ((await readPermit2Allowance(rail)) < needed)
    throw new Problem('chain_unavailable', 'The chain did not answer. Try again in a moment.', {
      cause: new Error('the allowance of Permit2 is not in a block yet'),
    })
}
