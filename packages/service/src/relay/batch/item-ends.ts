import type { TransactionReceipt } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { isAuthorizationUsed } from '../../chain/reads.ts'
import { simulateSend } from '../../chain/transfers/simulate.ts'
import { assert } from '../../kernel/assert.ts'
import { transferWithAuthorizationData } from '../../protocols/evm/eip3009/calldata.ts'
import type { Relay } from '../relay.ts'
import type { SendState } from '../store.ts'
import type { SignedAuthorization } from './contract.ts'
import { findLanded, itemsOf } from './items.ts'
import { type BatchItem, findItems, type ItemEnd } from './store.ts'

/** What the logs of each mined batch say of its items, by the batch's id. */
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
  await Promise.all(
    sends.map(async ({ id, ref, batchId, toAddress, data }) => {
      const receipt = found.get(batchId ?? '')
      const items = itemsOf(chain, { toAddress, data })
      if (!receipt || !items) return
      ends.get(batchId ?? '')?.push(await readItemEnd(relay, { id, ref, items }, receipt))
    }),
  )
  return ends
}

/**
 * What the logs of a mined batch say of one item. An item that moved nothing still counts as done if its authorization
 * is used: someone submitted it first.
 */
export async function readItemEnd(
  { chain, log }: Relay,
  { id, ref, items }: BatchItem,
  receipt: TransactionReceipt,
): Promise<ItemEnd> {
  const logIndexes = findLanded(chain, receipt.logs, items)
  const [first] = items
  assert(first, 'a batch item has an authorization')
  const { from, nonce } = first.authorization
  if (logIndexes[0] !== null || (await isAuthorizationUsed(chain, from, nonce)))
    return { id, logIndexes }
  // Sent alone it would burn more gas for nothing, unless the reason for its failure is over.
  if (await wouldMoveNothing(chain, first)) return { id, logIndexes }
  log?.warn({ ref, hash: receipt.transactionHash }, 'an item of a batch goes again, alone')
  return { id, logIndexes: null }
}

const wouldMoveNothing = async (chain: Chain, item: SignedAuthorization): Promise<boolean> => {
  const data = transferWithAuthorizationData(item.authorization, item.signature)
  return (await simulateSend(chain, { to: chain.asset.contract, data })) !== undefined
}
