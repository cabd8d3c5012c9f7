import type { Hex } from '../../../base/kernel/assets.ts'
import { eip3009Abi } from '../../../base/protocols/evm/eip3009/abi.ts'
import type { TransferAuthorization } from '../../../base/protocols/evm/eip3009/authorization.ts'
import { askChain, type Rail } from '../../client/chain.ts'
import { readRecentHead } from '../../client/head.ts'
import { searchFrom } from './schedule.ts'

/** The most blocks in one question for logs: public nodes refuse more. */
const RANGE_BLOCKS = 2_000n
/** Seven days on Base. Nothing older is searched for: each range costs a call. */
const SEARCHED_BLOCKS = 302_400n

type Authorization = Pick<TransferAuthorization, 'from' | 'nonce'>
type Found = { txHash: Hex; blockNumber: bigint; logIndex: number }

/**
 * The transaction in which the token used this authorization, searched in the blocks since `fromBlock`, or in all that
 * are searched. Any sender counts: the authorization allows only this one transfer.
 */
export const findAuthorizationUse = (
  rail: Rail,
  authorization: Authorization,
  fromBlock = 0n,
): Promise<Found | undefined> => findEvent(rail, 'AuthorizationUsed', { authorization, fromBlock })

/** The log that shows that the payer cancelled this authorization, which can then never be used. */
export const findCancellation = (
  rail: Rail,
  authorization: Authorization,
  fromBlock: bigint,
): Promise<Found | undefined> =>
  findEvent(rail, 'AuthorizationCanceled', { authorization, fromBlock })

/** Searches the newest blocks first, since what we look for is young. */
async function findEvent(
  rail: Rail,
  eventName: 'AuthorizationUsed' | 'AuthorizationCanceled',
  { authorization, fromBlock }: { authorization: Authorization; fromBlock: bigint },
): Promise<Found | undefined> {
  const { number: head } = await readRecentHead(rail)
  const oldest = greatest(fromBlock, searchFrom(head, SEARCHED_BLOCKS))
  for (let to = head; ; to -= RANGE_BLOCKS) {
    const from = greatest(oldest, to - RANGE_BLOCKS + 1n)
    const [log] = await askChain(() =>
      rail.rpc.getContractEvents({
        address: rail.asset.contract,
        abi: eip3009Abi,
        eventName,
        args: { authorizer: authorization.from, nonce: authorization.nonce },
        fromBlock: from,
        // A block may have been made since the head was read.
        toBlock: to === head ? 'latest' : to,
        strict: true,
      }),
    )
    if (log)
      return { txHash: log.transactionHash, blockNumber: log.blockNumber, logIndex: log.logIndex }
    if (from === oldest) return undefined
  }
}

const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
