import type { Services } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { Hex } from '../../../base/kernel/assets.ts'
import { readTransaction } from '../../../chain/client/reads.ts'
import {
  agreedBy,
  type ClaimedTransfer,
  readClaimedEnd,
  readClaimedStanding,
  soughtBy,
} from '../../../chain/client/transfers/claimed.ts'
import { findAuthorizationUse } from '../../../chain/client/transfers/find-use.ts'
import { findRecentPermitTransfer } from '../../../chain/client/transfers/permit2.ts'
import {
  type Standing,
  type TransferEnd,
  type TransferLogAt,
  transferIn,
} from '../../../chain/client/transfers/standing.ts'
import { isLogFree, type Settlement } from '../store.ts'

type Holder = Pick<Services, 'chain' | 'db'>

/** Reads how the settlement's transfer ended, in our transaction or in another one that was first. */
export const readEnd = (
  { chain, db }: Holder,
  settlement: Settlement,
  sentHash: Hex,
): Promise<TransferEnd> => readClaimedEnd(chain, claimedBy(db.reader, settlement), sentHash)

/** Finds the settlement's transfer if someone else submitted it, not before `since`. */
export async function findCarried(
  { chain, db }: Holder,
  settlement: Settlement,
  since: Date,
): Promise<TransferLogAt | undefined> {
  const { fromBlock } = settlement
  const claimed = claimedBy(db.reader, settlement)
  if (settlement.method !== 'eip3009')
    return findRecentPermitTransfer(chain, soughtBy(claimed), { fromBlock, since })
  const transfer = agreedBy(claimed)
  const use = await findAuthorizationUse(chain, transfer, fromBlock)
  const mined = use && (await readTransaction(chain, use.txHash))
  return mined && mined.at >= since ? transferIn(mined, transfer) : undefined
}

/** The state of the settlement's transfer in the safe block. */
export const standingOf = (
  { chain, db }: Holder,
  settlement: Settlement,
  sentHash: Hex | undefined,
): Promise<Standing> => readClaimedStanding(chain, claimedBy(db.reader, settlement), sentHash)

const claimedBy = (on: Reader, settlement: Settlement): ClaimedTransfer => ({
  ...settlement,
  isFree: (log) => isLogFree(on, settlement, log),
})
