import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { askChain, type Chain } from '../chain.ts'
import { assetAt } from '../rails.ts'
import { findReceipt, isStateKept } from '../reads.ts'
import { revertReason } from '../simulate.ts'
import { balanceData, READ_GAS, tokenAbi, wordOf } from './calls.ts'

/** A transfer log of a token: `value` came to `to`, as the token says. */
export type SaidTransfer = {
  token: Address
  to: Address
  value: bigint
  txHash: Hex
  logIndex: number
}

/**
 * The part of a logged transfer that the balance of its receiver confirms: never more than its value. A token may log more
 * than it moves, so the balance before and after the block is compared with all its logs in the block. What is missing
 * counts against this transfer. Undefined if the node does not have the balances any more, or the token does not tell.
 */
export async function readArrived(chain: Chain, said: SaidTransfer): Promise<bigint | undefined> {
  if (assetAt(chain, said.token)) return said.value
  const receipt = await askChain(() => findReceipt(chain, said.txHash))
  if (!receipt || !(await isStateKept(chain, receipt.blockNumber - 1n))) return undefined
  const { blockNumber } = receipt
  const [before, after, logged] = await Promise.all([
    balanceAt(chain, said, blockNumber - 1n),
    balanceAt(chain, said, blockNumber),
    readLogged(chain, said, blockNumber),
  ])
  if (before === undefined || after === undefined) return undefined
  const missing = logged - (after - before)
  if (missing <= 0n) return said.value
  return missing >= said.value ? 0n : said.value - missing
}

/** The change of the receiver's balance in the block, by the token's logs. */
async function readLogged(
  chain: Chain,
  { token, to }: SaidTransfer,
  block: bigint,
): Promise<bigint> {
  const range = { fromBlock: block, toBlock: block }
  const read = (args: { to: Address } | { from: Address }) =>
    askChain(() =>
      chain.rpc.getContractEvents({
        ...range,
        address: token,
        abi: tokenAbi,
        eventName: 'Transfer',
        args,
        strict: true,
      } as const),
    )
  const [came, went] = await Promise.all([read({ to }), read({ from: to })])
  const sum = (logs: typeof came) => logs.reduce((total, { args }) => total + args.value, 0n)
  return sum(came) - sum(went)
}

const balanceAt = (
  { rpc }: Chain,
  { token, to }: SaidTransfer,
  blockNumber: bigint,
): Promise<bigint | undefined> =>
  askChain(async () => {
    try {
      const { data } = await rpc.call({
        to: token,
        data: balanceData(to),
        gas: READ_GAS,
        blockNumber,
      })
      return wordOf(data)
    } catch (error) {
      if (revertReason(error) === undefined) throw error
      return undefined
    }
  })
