import {
  type AgreedTransfer,
  findTransfer,
  isTransferRefused,
  readStanding,
  type Standing,
  type TransferLogAt,
  transferIn,
} from '../../chain/authorization-outcome.ts'
import type { Chain } from '../../chain/chain.ts'
import {
  type AgreedPermit,
  findPermitTransfer,
  findRecentPermitTransfer,
  isPermitRefused,
  permitTransferIn,
  readPermitTransferStanding,
  type SoughtPermit,
} from '../../chain/permit2.ts'
import { findAuthorizationUse, readTransaction } from '../../chain/reads.ts'
import type { Reader } from '../../db/sql.ts'
import type { Services } from '../../http/services.ts'
import type { Hex } from '../../kernel/assets.ts'
import { isLogFree, type Settlement } from '../store.ts'

type Holder = Pick<Services, 'chain' | 'db'>

/** The settlement's transfer in our own transaction, or in that of somebody who carried it too. */
export async function findPaid(
  { chain, db }: Holder,
  settlement: Settlement,
  sentHash: Hex,
): Promise<TransferLogAt | undefined> {
  const { fromBlock } = settlement
  if (settlement.method === 'permit2') {
    const permit = soughtBy(db.reader, settlement)
    const paid =
      (await permitTransferIn(chain, sentHash, permit)) ??
      (await findPermitTransfer(chain, permit, fromBlock))
    return paid && { txHash: paid.txHash, logIndex: paid.logIndex }
  }
  const transfer = agreedBy(settlement)
  return (
    transferIn(await readTransaction(chain, sentHash), transfer) ??
    (await findTransfer(chain, transfer, fromBlock))
  )
}

/** Whether the token has refused the transfer for good in our transaction. */
export const isRefused = (chain: Chain, settlement: Settlement, sentHash: Hex): Promise<boolean> =>
  settlement.method === 'permit2'
    ? isPermitRefused(chain, permitOf(settlement), sentHash)
    : isTransferRefused(chain, agreedBy(settlement), {
        hash: sentHash,
        fromBlock: settlement.fromBlock,
      })

/** The settlement's transfer that somebody else has carried to the chain, not longer ago than `since`. */
export async function findCarried(
  { chain, db }: Holder,
  settlement: Settlement,
  since: Date,
): Promise<TransferLogAt | undefined> {
  const { fromBlock } = settlement
  if (settlement.method === 'permit2')
    return findRecentPermitTransfer(chain, soughtBy(db.reader, settlement), { fromBlock, since })
  const transfer = agreedBy(settlement)
  const use = await findAuthorizationUse(chain, transfer, fromBlock)
  const mined = use && (await readTransaction(chain, use.txHash))
  return mined && mined.at >= since ? transferIn(mined, transfer) : undefined
}

/** What the safe block says of the settlement's transfer. */
export function standingOf(
  { chain, db }: Holder,
  settlement: Settlement,
  sentHash: Hex | undefined,
): Promise<Standing> {
  const { fromBlock, validBefore, method, txHash: toldHash } = settlement
  const of = { fromBlock, validBefore, sentHash, toldHash }
  return method === 'permit2'
    ? readPermitTransferStanding(chain, soughtBy(db.reader, settlement), of)
    : readStanding(chain, agreedBy(settlement), of)
}

const agreedBy = ({ payer, payTo, amount, nonce }: Settlement): AgreedTransfer => ({
  from: payer,
  to: payTo,
  value: amount,
  nonce,
})

const permitOf = (settlement: Settlement): AgreedPermit => ({
  ...agreedBy(settlement),
  token: settlement.token,
})

const soughtBy = (on: Reader, settlement: Settlement): SoughtPermit => ({
  ...permitOf(settlement),
  isFree: (log) => isLogFree(on, settlement, log),
})
