import type { Client } from './client.ts'
import { type Limit, sleep, TimeUp, within } from './deadline.ts'
import { PurserError } from './error.ts'
import type { operations } from './openapi.ts'

export type Settlement =
  operations['getSettlementStatusByTxnId']['responses'][200]['content']['application/json']

const ASK_EVERY_MS = 1_000

/** Asks every second until the payment is SETTLED or FAILED, or the limit is reached. */
export async function waitForSettlement(
  client: Client,
  transactionId: string,
  limit: Limit,
): Promise<Settlement> {
  let status = 'not known'
  try {
    return await within(limit, async (signal) => {
      for (;;) {
        const settlement = await client.GET('/api/settlement/status/{txn_id}', {
          signal,
          params: { path: { txn_id: transactionId } },
        })
        status = settlement.status
        if (status === 'SETTLED' || status === 'FAILED') return settlement
        await sleep(ASK_EVERY_MS, signal)
      }
    })
  } catch (cause) {
    if (cause instanceof PurserError) throw cause
    const isLate = cause instanceof TimeUp
    const error = isLate
      ? `Payment ${transactionId} is still ${status}. Ask again later; do not pay again.`
      : `The wait for payment ${transactionId} was ended by its own signal; do not pay again.`
    const code = isLate ? 'settlement_pending' : 'aborted'
    throw new PurserError(0, { error, code }, { cause, mayHaveHappened: true })
  }
}
