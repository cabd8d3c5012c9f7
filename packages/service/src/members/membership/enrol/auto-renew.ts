import type { Reader, Tx } from '../../../base/db/sql.ts'
import type { Address, Asset } from '../../../base/kernel/assets.ts'
import { type Amount, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { lockCard } from '../../../money/cards/store.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { enrolmentOf } from '../enrolment.ts'
import type { Membership } from '../membership.ts'
import { offeredPlan } from '../offered-plan.ts'
import type { BillingPeriod, Plan, Tier } from '../plan.ts'
import { endAgreement } from '../renewal/end-agreement.ts'
import { settleDue } from '../renewal/end-period.ts'
import { lockTreasury } from '../renewal/pay.ts'
import {
  checkNotInFlight,
  type House,
  liveMembership,
  lockState,
  type State,
  saveState,
} from '../state/state.ts'
import { enrol } from './enrol.ts'

/** A wallet's wish to have its membership renewed. What is left out is as in the membership. */
export type Wish = {
  walletAddress: Address
  house: House
  tier: Tier | undefined
  billingPeriod: BillingPeriod | undefined
  periods: number
  /** Refuses a sum that the caller's key may not move. */
  checkAmount(value: Amount, asset: Asset): void
}

export type Enrolled =
  | { kind: 'soft' }
  | { kind: 'funded'; isNew: boolean; agreement: Agreement; reserve: Amount }
  | { kind: 'wallet'; isNew: boolean; agreement: Agreement }

/** Enrols by setting money aside, or by an intent where the balance does not cover one period. */
export async function enrolByBalance(tx: Tx, at: Date, wish: Wish): Promise<Enrolled> {
  const { house, periods } = wish
  const state = await stateFor(tx, at, wish)
  const known = await presentEnrolment(tx, state)
  if (known) return known
  const { plan, asset } = await planFor(tx, at, { state, wish })
  const { available } = await lockTreasury(tx, state, asset)
  const covered = available / plan.price
  const funded = covered < BigInt(periods) ? Number(covered) : periods
  if (funded === 0) {
    wish.checkAmount(plan.price, asset)
    await saveState(tx, await enrolSoftly(tx, at, { state, house, plan, asset }))
    return { kind: 'soft' }
  }
  const terms = { ...plan, asset, mode: 'funded' as const, operator: null, periods: funded }
  wish.checkAmount((plan.price * BigInt(funded)) as Amount, asset)
  const { state: after, agreement, reserved } = await enrol(tx, at, { state, house, terms })
  await saveState(tx, after)
  return { kind: 'funded', isNew: true, agreement, reserve: reserved }
}

/** The same intent once more changes nothing; other terms replace it. */
async function enrolSoftly(
  tx: Tx,
  at: Date,
  of: { state: State; house: House; plan: Plan; asset: Asset },
): Promise<State> {
  const { state, house, plan, asset } = of
  const known = state.agreement && enrolmentOf(state.agreement)
  const { tier, billingPeriod, price } = plan
  const isSame =
    known?.tier === tier && known.billingPeriod === billingPeriod && known.price === price
  if (isSame && known.asset === asset.symbol) return state
  const terms = { ...plan, asset, mode: 'soft' as const, operator: null, periods: 0 }
  return (await enrol(tx, at, { state, house, terms })).state
}

/** The wallet's enrolment, if it has one that is funded or by its allowance. */
export async function presentEnrolment(tx: Tx, state: State): Promise<Enrolled | undefined> {
  const { agreement } = state
  const known = agreement && enrolmentOf(agreement)
  if (!agreement || !known || known.mode === 'soft') return undefined
  if (known.mode === 'wallet') return { kind: 'wallet', isNew: false, agreement }
  const card = known.cardId === null ? undefined : await lockCard(tx, known.cardId)
  return { kind: 'funded', isNew: false, agreement, reserve: card?.available ?? ZERO }
}

/** The locked state for an enrolment, after what was due. A scheduled cancel is refused. */
export async function stateFor(tx: Tx, at: Date, wish: Wish): Promise<State> {
  const { house, walletAddress } = wish
  const locked = await lockState(tx, walletAddress)
  const { membership } = locked
  if (membership?.cancelAtPeriodEnd && membership.currentPeriodEnd > at)
    throw new Problem(
      'invalid_state',
      'Your membership is scheduled to end with its period. Resume it first: POST /api/membership/resume.',
    )
  const isEnrolled = locked.agreement && enrolmentOf(locked.agreement).mode !== 'soft'
  return isEnrolled ? locked : settleDue(tx, at, { state: locked, house })
}

/** The plan that is asked for. What the wish leaves out is as in the membership, else starter by the month in USDC. */
export async function planFor(
  on: Reader,
  at: Date,
  { state, wish, asset }: { state: State; wish: Wish; asset?: Asset },
): Promise<{ plan: Plan; asset: Asset }> {
  const live = liveMembership(state, at)
  const paidIn = asset ?? wish.house.assetOf(live?.asset ?? 'USDC')
  const plan = await offeredPlan(on, {
    tier: wish.tier ?? live?.tier ?? 'starter',
    billingPeriod: wish.billingPeriod ?? live?.billingPeriod ?? 'month',
    asset: paidIn,
  })
  return { plan, asset: paidIn }
}

/** Ends auto-renew. The reserve goes back to the balance, and nothing is charged after the answer. */
export async function endAutoRenew(
  tx: Tx,
  at: Date,
  { walletAddress, house }: { walletAddress: Address; house: House },
): Promise<{ membership: Membership | undefined; returned: Amount; asset: Asset }> {
  const state = await lockState(tx, walletAddress)
  checkNotInFlight(state)
  const { agreement } = state
  if (!agreement)
    throw new Problem('invalid_state', 'There is no auto-renew to end: you are not enrolled.')
  const { state: ended, returned } = await endAgreement(tx, at, { state, house, reason: 'payer' })
  // A period that was over while the job was late is not renewed any more.
  const after = await settleDue(tx, at, { state: ended, house })
  await saveState(tx, after)
  return { membership: after.membership, returned, asset: house.assetOf(agreement.asset) }
}
