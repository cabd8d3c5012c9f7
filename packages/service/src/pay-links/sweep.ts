import { type Chain, nonceOf } from '../chain/chain.ts'
import { readUsdcBalance } from '../chain/reads.ts'
import { queueSend, sendAndWait } from '../chain/sender.ts'
import type { Tx } from '../db/sql.ts'
import type { Services } from '../http/services.ts'
import type { Address, Hex } from '../kernel/assets.ts'
import { unixSeconds } from '../kernel/clock.ts'
import { reach } from '../kernel/fault-points.ts'
import type { Amount } from '../kernel/money.ts'
import {
  authorizationTypedData,
  type TransferAuthorization,
} from '../protocols/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../protocols/eip3009/calldata.ts'
import { findLinkById, findUnsweptAddresses, markSwept, type PayLink } from './store.ts'

const VALID_SECONDS = 30 * 24 * 3600
export const SWEEP_GAS = 180_000n
const LOOK_AGAIN_SECONDS = 3
const REFUSED_SECONDS = 3600

/** The call that moves `value` from the link's own address to the treasury: one for each `ref`, so says its nonce. */
export async function sweepCall(
  chain: Chain,
  at: Date,
  sweep: { link: PayLink; value: Amount; ref: string },
): Promise<Hex> {
  const signer = chain.depositSigner(sweep.link.id)
  const authorization: TransferAuthorization = {
    from: signer.address,
    to: chain.treasury.address,
    value: sweep.value,
    validAfter: 0n,
    validBefore: BigInt(unixSeconds(at) + VALID_SECONDS),
    nonce: nonceOf('sweep', sweep.ref),
  }
  const signature = await signer.signTypedData(authorizationTypedData(chain.asset, authorization))
  return transferWithAuthorizationData(authorization, signature)
}

/** Writes down a sweep of what arrived at a link's address by a plain transfer. */
export async function queueSweep(
  tx: Tx,
  at: Date,
  sweep: { chain: Chain; ref: string; data: Hex },
): Promise<void> {
  const { chain, ref, data } = sweep
  await queueSend(tx, at, { ref: `sweep:${ref}`, to: chain.asset.contract, data, gas: SWEEP_GAS })
}

/**
 * Sends a sweep that was written down. Answers in how many seconds to look again, or undefined once it is done. What
 * else stands at the link's address is no business of this sweep: anybody may send dust there.
 */
export async function finishSweep(
  services: Services,
  sweep: { linkId: string; ref: string },
): Promise<number | undefined> {
  const { chain, db } = services
  const sent = await sendAndWait(services, `sweep:${sweep.ref}`, 5_000)
  if (!sent) return LOOK_AGAIN_SECONDS
  const link = await findLinkById(db.reader, sweep.linkId)
  if (!link) return undefined
  const isEmpty = (await readUsdcBalance(chain, link.depositAddress)) === 0n
  // Refused though there is money: the token is paused, or another sweep of this address took its part.
  if (!isEmpty && !sent.succeeded) return REFUSED_SECONDS
  const settlementId = isEmpty ? null : sweep.ref
  reach('pay_links.before_swept')
  await db.write((tx) => markSwept(tx, { payLinkId: link.id, settlementId }))
  reach('pay_links.after_swept')
  return undefined
}

/** Where money of the house may stand on chain, besides the treasury, until it is swept. */
export const custodyAddresses = (services: Pick<Services, 'db' | 'chain'>): Promise<Address[]> =>
  findUnsweptAddresses(services.db.reader, services.chain.network)
