import { BaseError, decodeErrorResult, type Hex, parseAbi } from 'viem'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { unlessRefused } from '../nodes/refusal.ts'
import type { LaunchCall, LaunchStep } from './launch.ts'

/** How the transactions of a launch would end, one after another: the gas of each, or the first that fails and why. */
export type Simulated =
  | { outcome: 'done'; gas: bigint[] }
  | { outcome: 'failed'; step: LaunchStep; reason: string }

const ERRORS = parseAbi(['error Error(string)'])
/** The account needs gas to send them, not to try them. */
const PLENTY_WEI = 10n ** 24n

/** `creation` makes the token, wherever it is sent. */
type Plan = { creator: Address; token: Address; creation: Hex; calls: readonly LaunchCall[] }

/**
 * Tries the transactions at the newest block as the account's. Development chains simulate no deployment among other calls,
 * so that the constructor runs at the address where the token is to stand, and leaves its code to the calls after it.
 */
export async function simulateLaunch(chain: Chain, plan: Plan): Promise<Simulated> {
  const [deploy, ...rest] = plan.calls
  assert(deploy?.step === 'deploy', 'a launch begins with the deployment')
  const { creator, token } = plan
  const funds = { address: creator, balance: PLENTY_WEI }
  const creation = { address: token, code: plan.creation }
  const made = await askChain(() => unlessRefused(() => tryDeployment(chain, plan, deploy)))
  if (!made) return { outcome: 'failed', step: 'deploy', reason: 'its constructor reverts' }
  const call = (to: Address, data: Hex) => ({ account: creator, to, data })
  const [, later] = await askChain(() =>
    chain.rpc.simulateBlocks({
      blocks: [
        { calls: [call(token, '0x')], stateOverrides: [funds, creation] },
        {
          calls: rest.map(({ to, data }) => call(to as Address, data)),
          stateOverrides: [{ address: token, code: made.code }],
        },
      ],
    }),
  )
  const answers = later?.calls ?? []
  for (const [i, { step }] of rest.entries()) {
    const answer = answers[i]
    if (answer?.status !== 'success') return { outcome: 'failed', step, reason: reasonOf(answer) }
  }
  return { outcome: 'done', gas: [made.gas, ...answers.map(({ gasUsed }) => gasUsed)] }
}

/** The gas of the deployment, and the code that it leaves. */
async function tryDeployment(
  { rpc }: Chain,
  { creator, token, creation }: Plan,
  { to, data }: LaunchCall,
) {
  const [gas, { data: code }] = await Promise.all([
    rpc.estimateGas({
      account: creator,
      ...(to === null ? {} : { to }),
      data,
      stateOverride: [{ address: creator, balance: PLENTY_WEI }],
    }),
    rpc.call({ account: creator, to: token, stateOverride: [{ address: token, code: creation }] }),
  ])
  assert(code, 'the constructor answers code')
  return { gas, code }
}

function reasonOf(answer: { data?: Hex; error?: Error } | undefined): string {
  try {
    const { args } = decodeErrorResult({ abi: ERRORS, data: answer?.data ?? '0x' })
    return String(args[0])
  } catch {
    const { error } = answer ?? {}
    return error instanceof BaseError ? error.shortMessage : 'it reverts without a reason'
  }
}

/** The nonce of the account's next transaction, those on their way counted, and whether a contract is the account. */
export const readAccount = (
  { rpc }: Chain,
  address: Address,
): Promise<{ nonce: bigint; isContract: boolean }> =>
  askChain(async () => {
    const [nonce, code] = await Promise.all([
      rpc.getTransactionCount({ address, blockTag: 'pending' }),
      rpc.getCode({ address }),
    ])
    // A key that has delegated to a contract (EIP-7702) still sends transactions of its own.
    const isContract = code !== undefined && code !== '0x' && !code.startsWith(DELEGATED)
    return { nonce: BigInt(nonce), isContract }
  })

const DELEGATED = '0xef0100'
