import type { TransactionReceipt } from 'viem'
import { assert } from '../../base/kernel/assert.ts'
import type { Hex } from '../../base/kernel/assets.ts'
import { transferWithAuthorizationData } from '../../base/protocols/evm/eip3009/calldata.ts'
import type { Chain } from '../client/chain.ts'
import { defaultRail } from '../client/rails.ts'
import { isAuthorizationUsed } from '../client/reads.ts'
import { simulateSend } from '../client/simulate.ts'
import type { SignedAuthorization } from './batch/contract.ts'
import {
  type AuthorizedTransfers,
  batchedToken,
  findLanded,
  itemsOf,
  readAuthorized,
} from './batch/items.ts'
import { type BatchItem, findItems, type ItemEnd } from './batch/store.ts'
import type { Relay } from './relay.ts'
import type { SendState } from './store.ts'

/** Reads how the items of each mined batch ended from its logs, by the batch's id. */
export async function readItemEnds(
  relay: Relay,
  batches: readonly SendState[],
  found: ReadonlyMap<string, TransactionReceipt>,
): Promise<Map<string, ItemEnd[]>> {
  const { chain, db } = relay
  if (batches.length === 0) return new Map()
  const sends = await findItems(
    db.reader,
    batches.map(({ id }) => id),
  )
  const ends = new Map<string, ItemEnd[]>(batches.map(({ id }) => [id, []]))
  const mined = new Map([...found].map(([id, receipt]) => [id, readMinedLogs(relay, receipt)]))
  await Promise.all(
    sends.map(async ({ id, ref, batchId, toAddress, data }) => {
      const logs = mined.get(batchId ?? '')
      const items = itemsOf(chain, { toAddress, data })
      if (!logs || !items) return
      ends.get(batchId ?? '')?.push(await readItemEnd(relay, { id, ref, items }, logs))
    }),
  )
  return ends
}

/** A mined transaction, and what its logs show of our token. */
export type MinedLogs = { hash: Hex; transfers: AuthorizedTransfers }

export const readMinedLogs = (
  { chain }: Pick<Relay, 'chain'>,
  { transactionHash: hash, logs }: TransactionReceipt,
): MinedLogs => ({ hash, transfers: readAuthorized(chain, logs) })

/**
 * Reads how one item of a mined batch ended. An item that moved nothing still counts as done if its authorization
 * is used: someone submitted it first.
 */
export async function readItemEnd(
  { chain, log }: Relay,
  { id, ref, items }: BatchItem,
  { hash, transfers }: MinedLogs,
): Promise<ItemEnd> {
  const logIndexes = findLanded(transfers, items)
  const [first] = items
  assert(first, 'a batch item has an authorization')
  const { from, nonce } = first.authorization
  if (logIndexes[0] !== null || (await isAuthorizationUsed(defaultRail(chain), from, nonce)))
    return { id, logIndexes }
  // Sent alone it would burn more gas for nothing, unless the reason for its failure is over.
  if (await wouldMoveNothing(chain, first)) return { id, logIndexes }
  log?.warn({ ref, hash }, 'an item of a batch goes again, alone')
  return { id, logIndexes: null }
}

const wouldMoveNothing = async (chain: Chain, item: SignedAuthorization): Promise<boolean> => {
  const data = transferWithAuthorizationData(item.authorization, item.signature)
  return (await simulateSend(chain, { to: batchedToken(chain), data })) !== undefined
}
