import { readTransaction } from '../../chain/reads.ts'
import { findAuthorizationUse } from '../../chain/transfers/find-use.ts'
import {
  type AgreedPermit,
  findPermitTransfer,
  findRecentPermitTransfer,
  isPermitRefused,
  permitTransferIn,
  readPermitTransferStanding,
  type SoughtPermit,
} from '../../chain/transfers/permit2.ts'
import {
  type AgreedTransfer,
  readStanding,
  readTransferEnd,
  type Standing,
  type TransferEnd,
  type TransferLogAt,
  transferIn,
} from '../../chain/transfers/standing.ts'
import type { Reader } from '../../db/sql.ts'
import type { Services } from '../../http/services.ts'
import type { Hex } from '../../kernel/assets.ts'
import { isLogFree, type Settlement } from '../store.ts'

type Holder = Pick<Services, 'chain' | 'db'>

/** Reads how the settlement's transfer ended, in our transaction or in another one that was first. */
export async function readEnd(
  { chain, db }: Holder,
  settlement: Settlement,
  sentHash: Hex,
): Promise<TransferEnd> {
  const { fromBlock } = settlement
  if (settlement.method === 'eip3009')
    return readTransferEnd(chain, agreedBy(settlement), { sentHash, fromBlock })
  const permit = soughtBy(db.reader, settlement)
  const paid =
    (await permitTransferIn(chain, sentHash, permit)) ??
    (await findPermitTransfer(chain, permit, fromBlock))
  if (paid)
    return { kind: 'paid', log: { txHash: paid.txHash, logIndex: paid.logIndex }, own: undefined }
  const isRefused = await isPermitRefused(chain, permitOf(settlement), sentHash)
  return { kind: isRefused ? 'refused' : 'open' }
}

/** Finds the settlement's transfer if someone else submitted it, not before `since`. */
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

/** The state of the settlement's transfer in the safe block. */
export function standingOf(
  { chain, db }: Holder,
  settlement: Settlement,
  sentHash: Hex | undefined,
): Promise<Standing> {
  const { fromBlock, validBefore, method, txHash: reportedHash } = settlement
  const of = { fromBlock, validBefore, sentHash, reportedHash }
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
