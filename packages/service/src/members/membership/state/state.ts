import type { Uses } from '../../../api/http/services.ts'
import type { Reader, Tx } from '../../../base/db/sql.ts'
import type { Address, Asset } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { assetsOf, defaultAsset } from '../../../chain/client/rails.ts'
import type { Agreement, Charge } from '../../agreements/agreement.ts'
import {
  findMembershipAgreement,
  findPendingCharge,
  lockAgreement,
} from '../../agreements/store.ts'
import { isLive, type Membership } from '../membership.ts'
import { findMembership, lockWallet, saveDue } from '../store.ts'

/** The house's side of a membership: its address on chain, and the assets that plans are paid in. */
export type House = {
  address: Address
  assets: readonly Asset[]
  assetOf(symbol: string): Asset
}

/** Everything that one wallet has of a membership. */
export type State = {
  walletAddress: Address
  membership: Membership | undefined
  /** The agreement of auto-renew, while it is live. */
  agreement: Agreement | undefined
  /** The charge whose pull is on its way. Nothing of the membership changes until it has ended. */
  inFlight: Charge | undefined
}

/** Locks the wallet's membership and its agreement until the transaction ends. */
export async function lockState(tx: Tx, walletAddress: Address): Promise<State> {
  await lockWallet(tx, walletAddress)
  const found = await findMembershipAgreement(tx, walletAddress)
  if (found) await lockAgreement(tx, found.id)
  return readState(tx, walletAddress)
}

/** The same without a lock. */
export async function readState(on: Reader, walletAddress: Address): Promise<State> {
  const agreement = await findMembershipAgreement(on, walletAddress)
  return {
    walletAddress,
    membership: await findMembership(on, walletAddress),
    agreement,
    inFlight: agreement && (await findPendingCharge(on, agreement.id)),
  }
}

/** Stores when the job looks at the wallet next. The last step of every change. */
export const saveState = (tx: Tx, state: State): Promise<void> =>
  saveDue(tx, state.walletAddress, dueAt(state))

function dueAt({ membership, agreement, inFlight }: State): Date | null {
  if (inFlight) return null
  const end = membership?.status === 'ACTIVE' ? membership.currentPeriodEnd : null
  const attempt = agreement?.nextAttemptAt ?? null
  return end && attempt ? (end < attempt ? end : attempt) : (end ?? attempt)
}

/** The membership, if it is paid or about to be paid. */
export const liveMembership = ({ membership }: State, at: Date): Membership | undefined =>
  membership && isLive(membership, at) ? membership : undefined

const SECONDS_TO_AN_END = 15

/** Refuses a change while a pull is on its way: it may move the money after the answer. */
export function checkNotInFlight({ inFlight }: State): void {
  if (inFlight)
    throw new Problem(
      'charge_in_flight',
      'A charge of your wallet for this membership is on its way on chain. Ask again when it has ended.',
      { headers: { 'retry-after': String(SECONDS_TO_AN_END) } },
    )
}

/** The house's side of memberships on the service's chain. */
export function houseOf({ chain }: Uses<'chain'>): House {
  const assets = assetsOf(chain)
  return {
    address: chain.treasury.address,
    assets,
    assetOf(symbol) {
      const asset = assets.find((one) => one.symbol === symbol)
      if (asset) return asset
      throw new Problem(
        'invalid_asset',
        `A membership is paid in ${assets.map((one) => one.symbol).join(' or ')}. Leave payment_asset out for ${defaultAsset(chain).symbol}.`,
        { param: 'payment_asset' },
      )
    },
  }
}
