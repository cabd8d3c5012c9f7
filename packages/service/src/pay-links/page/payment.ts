import { readTransaction } from '../../chain/reads.ts'
import type { Services } from '../../http/services.ts'
import type { Hex } from '../../kernel/assets.ts'
import { findSettlement } from '../../settlements/on-chain/store.ts'
import type { LinkSettlement } from '../../settlements/settlement.ts'
import {
  findException,
  findExceptionsIn,
  type ShownException,
} from '../arrivals/store-exceptions.ts'
import type { PayLink } from '../store.ts'
import { findLogUse } from '../store-logs.ts'

/** The state of a payment of a link, for its payer. */
export type PaymentState =
  | { kind: 'pending'; txHash: Hex | null; isMined: boolean }
  /** `over` is the excess over the link's amount. */
  | { kind: 'settled'; settlement: LinkSettlement; over?: ShownException }
  | { kind: 'exception'; exception: ShownException }
  | { kind: 'failed'; message: string }
  | { kind: 'unknown' }

/** The state of a transaction that was reported for the link. Reads only. */
export async function findByTransaction(
  services: Services,
  { link, txHash }: { link: PayLink; txHash: Hex },
): Promise<PaymentState> {
  const mined = await readTransaction(services.chain, txHash)
  if (!mined) return { kind: 'pending', txHash, isMined: false }
  const arrived = mined.transfers.filter((log) => log.to === link.payTo && log.value > 0n)
  if (!mined.succeeded || arrived.length === 0)
    return {
      kind: 'failed',
      message: mined.succeeded
        ? `The transaction sends no ${link.asset} to this link's own address.`
        : 'The network has undone the transaction; nothing was paid.',
    }
  for (const { logIndex } of arrived) {
    const use = await findLogUse(services.db.reader, { network: link.network, txHash, logIndex })
    if (use?.settlementId) return findById(services, link, use.settlementId)
    const exception = use?.exceptionId && (await findException(services.db.reader, use.exceptionId))
    if (exception) return { kind: 'exception', exception }
  }
  return { kind: 'pending', txHash, isMined: true }
}

/** The state of a settlement of the link; `unknown` for an id that is not one of this link. */
export async function findById(
  services: Services,
  link: PayLink,
  id: string,
): Promise<PaymentState> {
  const settlement = await findSettlement(services.db.reader, id)
  if (settlement?.payLinkId !== link.id) return { kind: 'unknown' }
  if (settlement.state === 'settled') {
    const { txHash } = settlement
    const rest =
      txHash && (await findExceptionsIn(services.db.reader, { payLinkId: link.id, txHash }))
    const over = rest ? rest.find(({ reason }) => reason === 'over') : undefined
    return { kind: 'settled', settlement, ...(over && { over }) }
  }
  if (settlement.state === 'settling')
    return { kind: 'pending', txHash: settlement.txHash, isMined: false }
  return { kind: 'failed', message: settlement.reason ?? 'The network refused the transfer.' }
}
