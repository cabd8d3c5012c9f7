import type { Address, Hex } from '../../../base/kernel/assets.ts'
import type { TransferAuthorization } from '../../../base/protocols/evm/eip3009/authorization.ts'
import {
  transferBySignerContractData,
  transferWithAuthorizationData,
} from '../../../base/protocols/evm/eip3009/calldata.ts'
import { DEPLOYMENT_GAS, type GoodSignature } from '../../client/accounts/judge-signature.ts'
import type { Rail } from '../../client/chain.ts'
import { callsTogether, MULTICALL3, type OneCall } from '../../client/multicall.ts'
import {
  readFunds,
  simulateLast,
  simulateSend,
  type TransferAnswer,
} from '../../client/simulate.ts'
import { simulateSoon } from './simulate-soon.ts'

/** A transfer of the rail's asset, with a signature proved to be its payer's. */
export type SignedTransfer = { authorization: TransferAuthorization; signed: GoodSignature }

/** USDC takes 80,000 if payer and payee are new to it. A contract that verifies a passkey takes 200,000 more. */
const GAS = { key: 130_000n, contract: 330_000n } as const

/** The most gas that the calls of the transfer may take. */
export const gasOfTransfer = ({ by, deployment }: GoodSignature): bigint =>
  GAS[by] + (deployment ? DEPLOYMENT_GAS : 0n)

/**
 * The calls that make the transfer, in order: the deployment of the payer's contract if it is missing, then the
 * token's.
 */
export function transferCalls(
  { asset }: Pick<Rail, 'asset'>,
  { authorization, signed }: SignedTransfer,
): OneCall[] {
  const write = signed.by === 'key' ? transferWithAuthorizationData : transferBySignerContractData
  const transfer = { target: asset.contract, callData: write(authorization, signed.signature) }
  return signed.deployment ? [signed.deployment, transfer] : [transfer]
}

/** The transfer as one call of a relayer. It reverts if the token refuses. */
export function transferCall(
  rail: Pick<Rail, 'asset'>,
  transfer: SignedTransfer,
): { to: Address; data: Hex; gas: bigint } {
  const gas = gasOfTransfer(transfer.signed)
  const [first, second] = transferCalls(rail, transfer)
  if (first && second) {
    const data = callsTogether([first, { ...second, isNeeded: true }])
    return { to: MULTICALL3, data, gas }
  }
  return { to: rail.asset.contract, data: first?.callData ?? '0x', gas }
}

/** The reason, in the token's own words, why it would refuse the transfer now, if it would; and the payer's balance. */
export async function simulateTransfer(
  rail: Rail,
  transfer: SignedTransfer,
): Promise<TransferAnswer> {
  const { authorization, signed } = transfer
  const { from: payer } = authorization
  const { to, data, gas } = transferCall(rail, transfer)
  if (signed.by === 'key') return simulateSoon(rail, { to, data, payer })
  // A contract may burn any amount of gas, so its transfer is simulated alone.
  const [revert, funds] = await Promise.all([
    signed.deployment
      ? simulateLast(rail, transferCalls(rail, transfer), gas)
      : simulateSend(rail, { to, data, gas }),
    readFunds(rail, rail.asset.contract, payer),
  ])
  return { revert, funds }
}
