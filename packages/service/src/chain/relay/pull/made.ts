import { getAddress, isAddressEqual, parseEventLogs, type TransactionReceipt } from 'viem'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { type Amount, amount } from '../../../base/kernel/money.ts'
import { erc20Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import { placeOf, pulledAbi, refsOfPulls } from '../../../base/protocols/evm/pulled.ts'
import { askChain, type Chain } from '../../client/chain.ts'
import { findReceipt } from '../../client/reads.ts'
import { batchSettlerAbi } from '../batch/contract.ts'

/** The most blocks in one question for logs: public nodes refuse more. */
const RANGE_BLOCKS = 2_000n
/** Thirty days on Base. A pull is this old only after the restore of an old backup. */
const SEARCHED_BLOCKS = 1_296_000n

/**
 * `made`: the contract moved this amount to the treasury there. `other`: it spent the reference, but what arrived is not what
 * it asked for. `none`: it has not spent the reference. `unclear`: it has, and no node shows where.
 */
export type Made =
  | { kind: 'made'; place: Place; value: Amount }
  | { kind: 'other' | 'none' | 'unclear' }

/** The place of a transfer on the chain. */
export type Place = { txHash: Hex; logIndex: number; blockNumber: bigint; blockHash: Hex }

type Of = { ref: Hex; walletAddress: Address; token: Address }

/** Whether the contract has spent the reference: at the newest block, or at the newest safe one. */
export const isSpent = (
  chain: Chain,
  contract: Address,
  { ref, blockTag = 'latest' }: { ref: Hex; blockTag?: 'latest' | 'safe' },
): Promise<boolean> =>
  askChain(() =>
    chain.rpc.readContract({
      abi: batchSettlerAbi,
      address: contract,
      functionName: 'pulled',
      args: [ref],
      blockTag,
    }),
  )

/** The pull as the chain shows it, whoever sent it and whatever we know of its transaction. */
export async function findMade(chain: Chain, contract: Address, pull: Of): Promise<Made> {
  if (!(await isSpent(chain, contract, pull))) return { kind: 'none' }
  const txHash = await findTransaction(chain, contract, pull.ref)
  const receipt = txHash && (await askChain(() => findReceipt(chain, txHash)))
  return receipt ? readMade(chain, { contract, pull, receipt }) : { kind: 'unclear' }
}

async function findTransaction(
  chain: Chain,
  contract: Address,
  ref: Hex,
): Promise<Hex | undefined> {
  const head = await askChain(() => chain.rpc.getBlockNumber({ cacheTime: 0 }))
  const oldest = head > SEARCHED_BLOCKS ? head - SEARCHED_BLOCKS : 0n
  // The newest blocks first, since nearly every pull is young.
  for (let to = head; ; to -= RANGE_BLOCKS) {
    const from = to - oldest < RANGE_BLOCKS ? oldest : to - RANGE_BLOCKS + 1n
    const [log] = await askChain(() =>
      chain.rpc.getContractEvents({
        address: contract,
        abi: pulledAbi,
        eventName: 'Pulled',
        args: { ref },
        strict: true,
        fromBlock: from,
        toBlock: to === head ? 'latest' : to,
      }),
    )
    if (log) return log.transactionHash
    if (from === oldest) return undefined
  }
}

function readMade(
  chain: Chain,
  { contract, pull, receipt }: { contract: Address; pull: Of; receipt: TransactionReceipt },
): Made {
  const { token } = pull
  const txHash = receipt.transactionHash
  const own = receipt.logs.filter((log) => isAddressEqual(log.address, token))
  const transfers = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: own }).map(
    ({ args, logIndex }) => ({ txHash, logIndex, ...args }),
  )
  const refs = refsOfPulls(receipt.logs, { settler: contract, token, transfers })
  const moved = transfers.find((one) => refs.get(placeOf(one)) === pull.ref)
  const [event] = parseEventLogs({
    abi: pulledAbi,
    eventName: 'Pulled',
    logs: receipt.logs,
  }).filter(({ args, address }) => isAddressEqual(address, contract) && args.ref === pull.ref)
  if (!event) return { kind: 'unclear' }
  // The token's log decides, not what it was asked for: some take a fee, and some move nothing.
  const isRight =
    moved?.value === event.args.value &&
    getAddress(event.args.from) === pull.walletAddress &&
    getAddress(event.args.to) === chain.treasury.address
  if (!moved || !isRight) return { kind: 'other' }
  const { blockNumber, blockHash } = receipt
  return {
    kind: 'made',
    place: { txHash, logIndex: moved.logIndex, blockNumber, blockHash },
    value: amount(moved.value),
  }
}
