import type { TransactionReceipt } from 'viem'
import { reach } from '../kernel/fault-points.ts'
import { askChain } from './chain.ts'
import { findReceipt } from './reads.ts'
import type { SenderDeps } from './sender-sign.ts'
import {
  findAttempts,
  type SendState,
  storeMined,
  storeSafe,
  storeUnmined,
} from './sender-store.ts'

/**
 * Looks for every attempt of the sends at once, which is one request to the RPC, and writes down what changed. With
 * `safe`, the number of the newest safe block, a send whose block is gone is unmined again, and one in a safe block
 * is looked at no more. Answers the receipt that counts for each send that has one, by the send's id.
 */
export async function lookForReceipts(
  deps: SenderDeps,
  sends: readonly SendState[],
  safe?: bigint,
): Promise<Map<string, TransactionReceipt>> {
  const { chain, db } = deps
  const attempts = await findAttempts(
    db.reader,
    sends.map(({ id }) => id),
  )
  if (attempts.length === 0) return new Map()
  const receipts = await askChain(() =>
    Promise.all(attempts.map(({ hash }) => findReceipt(chain, hash))),
  )
  const found = new Map<string, TransactionReceipt>()
  attempts.forEach(({ sendId }, i) => {
    const receipt = receipts[i]
    const other = found.get(sendId)
    // Attempts under different nonces may both be mined: the one that had an effect counts.
    if (receipt && other?.status !== 'success') found.set(sendId, receipt)
  })
  const news = sends.filter((send) => isNews(send, found.get(send.id), safe))
  if (news.length > 0) {
    reach('chain.after_receipt')
    await db.write(async (tx) => {
      for (const send of [...news].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const receipt = found.get(send.id)
        if (!receipt) await storeUnmined(tx, send.id, send.blockHash)
        else {
          await storeMined(tx, send.id, {
            hash: receipt.transactionHash,
            succeeded: receipt.status === 'success',
            blockNumber: receipt.blockNumber,
            blockHash: receipt.blockHash,
          })
          if (safe !== undefined && receipt.blockNumber <= safe)
            await storeSafe(tx, send.id, receipt.blockHash)
        }
      }
    })
  }
  return found
}

function isNews(
  send: SendState,
  receipt: TransactionReceipt | undefined,
  safe: bigint | undefined,
): boolean {
  if (!receipt) return send.state === 'mined' && safe !== undefined
  if (send.state !== 'mined' || send.blockHash !== receipt.blockHash) return true
  return safe !== undefined && receipt.blockNumber <= safe
}
