import type { Uses } from '../../../../api/http/services.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { enqueue } from '../../../../base/jobs/queue.ts'
import type { Address } from '../../../../base/kernel/assets.ts'
import { unixSeconds } from '../../../../base/kernel/clock.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import type { Amount } from '../../../../base/kernel/money.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { type Chain, nonceOf, type Rail } from '../../../../chain/client/chain.ts'
import { railOf } from '../../../../chain/client/rails.ts'
import { isAuthorizationUsed, readAssetBalance } from '../../../../chain/client/reads.ts'
import { simulateSend } from '../../../../chain/client/simulate.ts'
import { queueSend, sendAndWait } from '../../../../chain/relay/send.ts'
import { transferCall } from '../../../../chain/transfers/looks/signed-transfer.ts'
import { LOOK_AGAIN_SECONDS } from '../../../../chain/transfers/reads/schedule.ts'
import { callOfSend } from '../../../../chain/transfers/sends.ts'
import { findSettlement, markSwept } from '../../../../money/settlements/on-chain/store.ts'
import { findLinkById, type PayLink } from '../../../link/store.ts'
import { findUnsweptAddresses } from '../../../link/store-addresses.ts'
import { sweepLinkTask } from '../tasks.ts'

const VALID_SECONDS = 30 * 24 * 3600
/** Seconds until a sweep that the token refuses is tried again. */
const REFUSED_SECONDS = 3600

type Call = ReturnType<typeof transferCall>

/** The call that moves `value` from the link's own address to the treasury. Its nonce is that of `ref`: one for each. */
export async function sweepCall(
  chain: Chain,
  at: Date,
  sweep: { link: PayLink; value: Amount; ref: string },
): Promise<Call> {
  const rail = railOf(chain, sweep.link.asset)
  const signer = chain.depositSigner(sweep.link.id, sweep.link.payTo)
  const authorization: TransferAuthorization = {
    from: signer.address,
    to: chain.treasury.address,
    value: sweep.value,
    validAfter: 0n,
    validBefore: BigInt(unixSeconds(at) + VALID_SECONDS),
    nonce: nonceOf('sweep', sweep.ref),
  }
  const signature = await signer.signTypedData(authorizationTypedData(rail.asset, authorization))
  return transferCall(rail, { authorization, signed: { ok: true, by: 'key', signature } })
}

/** Writes down a sweep of what arrived at a link's address by a plain transfer. */
export async function queueSweep(
  tx: Tx,
  at: Date,
  { ref, call }: { ref: string; call: Call },
): Promise<void> {
  await queueSend(tx, at, { ref: `sweep:${ref}`, ...call })
}

/** `sends` counts the transactions that were mined without effect before this one. */
export type Sweep = { linkId: PayLink['id']; ref: string; sends: number }
const sweepRef = ({ ref, sends }: Sweep): string =>
  sends === 0 ? `sweep:${ref}` : `sweep:${ref}:${sends}`

/**
 * Sends a stored sweep, and again in a new transaction if one was mined without effect: the token may have been paused.
 * Returns the next look, or undefined once it is done. Other money at the link's address does not count: anybody may
 * send dust there.
 */
export async function finishSweep(
  services: Uses<'chain' | 'db' | 'relay'>,
  at: Date,
  sweep: Sweep,
): Promise<{ sweep: Sweep; delaySeconds: number } | undefined> {
  const { chain, db } = services
  const sent = await sendAndWait(services.relay, sweepRef(sweep), 5_000)
  if (!sent) return { sweep, delaySeconds: LOOK_AGAIN_SECONDS }
  const link = await findLinkById(db.reader, sweep.linkId)
  if (!link) return undefined
  const rail = railOf(chain, link.asset)
  const isEmpty = (await readAssetBalance(rail, link.payTo)) === 0n
  const isDone = isEmpty || (await isSwept(rail, link, sweep.ref))
  if (!isDone) {
    const call = callOfSend(sent)
    const next = { ...sweep, sends: sweep.sends + 1 }
    if (await simulateSend(chain, call)) return { sweep, delaySeconds: REFUSED_SECONDS }
    await db.write((tx) => queueSend(tx, at, { ref: sweepRef(next), ...call }))
    return { sweep: next, delaySeconds: 0 }
  }
  reach('pay_links.before_swept')
  await db.write((tx) => markSwept(tx, sweep.ref))
  reach('pay_links.after_swept')
  return undefined
}

/** Sweeps a settlement's money that came without its sweep, as while the token's issuer stopped the treasury. */
export async function sweepLater(
  services: Uses<'chain' | 'db'>,
  at: Date,
  ref: string,
): Promise<void> {
  const { chain, db } = services
  const settlement = await findSettlement(db.reader, ref)
  const link = settlement && (await findLinkById(db.reader, settlement.payLinkId))
  if (!link) return
  const call = await sweepCall(chain, at, { link, value: settlement.amount, ref })
  await db.write(async (tx) => {
    await queueSweep(tx, at, { ref, call })
    await enqueue(tx, sweepLinkTask, { linkId: link.id, ref })
  })
}

/** Whether the token has carried out the sweep's authorization, by whichever transaction. */
const isSwept = (rail: Rail, link: PayLink, ref: string): Promise<boolean> =>
  isAuthorizationUsed(rail, link.payTo, nonceOf('sweep', ref))

/** The addresses, besides the treasury, that may hold money of the house until it is swept. */
export const custodyAddresses = (services: Uses<'db' | 'chain'>): Promise<Address[]> =>
  findUnsweptAddresses(services.db.reader, services.chain.network)
