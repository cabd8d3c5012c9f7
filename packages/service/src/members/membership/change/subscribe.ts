import type { Tx } from '../../../base/db/sql.ts'
import type { Address, Asset } from '../../../base/kernel/assets.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { insufficientBalance } from '../../../money/cards/issue/issue.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { saveAgreement } from '../../agreements/store.ts'
import { enrol, type Terms } from '../enrol/enrol.ts'
import { enrolmentOf } from '../enrolment.ts'
import type { Membership } from '../membership.ts'
import { offeredPlan } from '../offered-plan.ts'
import type { BillingPeriod, Plan, Tier } from '../plan.ts'
import { settleDue } from '../renewal/end-period.ts'
import { lockTreasury, payPeriod } from '../renewal/pay.ts'
import { type Period, periodToPay } from '../renewal/period.ts'
import { checkNotInFlight, type House, lockState, type State, saveState } from '../state/state.ts'

export type Subscription = {
  walletAddress: Address
  house: House
  tier: Tier
  billingPeriod: BillingPeriod
  asset: Asset
}

/**
 * Pays a period of the plan out of the treasury balance: the first one, or the due one while PAST_DUE. An ACTIVE
 * membership is refused: it is renewed, or ends, with its period.
 */
export async function subscribe(tx: Tx, at: Date, asked: Subscription): Promise<Membership> {
  const { walletAddress, house, asset } = asked
  const locked = await lockState(tx, walletAddress)
  checkNotInFlight(locked)
  // The job may be late: what is due comes first, so that nothing is paid for twice. This payment is the retry of a
  // membership that is past due.
  const isPastDue = locked.membership?.status === 'PAST_DUE'
  const state = isPastDue ? locked : await settleDue(tx, at, { state: locked, house })
  checkNotInFlight(state)
  if (state.membership?.status === 'ACTIVE')
    throw new Problem(
      'invalid_state',
      'Your membership is ACTIVE. Auto-renew pays for further periods and for another tier from the next one on.',
    )
  const plan = await offeredPlan(tx, asked)
  const period = await periodToPay(tx, at, { state, billingPeriod: plan.billingPeriod })
  const { account, available } = await lockTreasury(tx, state, asset)
  if (available < plan.price) throw insufficientBalance({ available, requested: plan.price, asset })
  const agreed = state.agreement && (await continueAgreement(tx, at, state.agreement, period))
  const { state: paid } = await payPeriod(tx, at, {
    state: { ...state, agreement: agreed },
    house,
    payment: {
      period,
      tier: plan.tier,
      billingPeriod: plan.billingPeriod,
      asset,
      price: plan.price,
      source: { kind: 'treasury', account },
      chargeId: null,
    },
  })
  const after = await followPlan(tx, at, { state: paid, house, plan, asset })
  await saveState(tx, after)
  return after.membership as Membership
}

/** The agreement goes on after a period that was paid by hand. */
async function continueAgreement(
  tx: Tx,
  at: Date,
  agreement: Agreement,
  { end }: Period,
): Promise<Agreement> {
  const after: Agreement = {
    ...agreement,
    status: 'ACTIVE',
    firstFailedAt: null,
    failureCount: 0,
    updatedAt: at,
    nextChargeAt: end,
    nextAttemptAt: end,
  }
  await saveAgreement(tx, after)
  return after
}

/** A soft intent, which reserves nothing, follows the plan that was paid now. */
async function followPlan(
  tx: Tx,
  at: Date,
  of: { state: State; house: House; plan: Plan; asset: Asset },
): Promise<State> {
  const { state, house, plan, asset } = of
  const enrolled = state.agreement && enrolmentOf(state.agreement)
  if (enrolled?.mode !== 'soft' || isSame(enrolled, plan)) return state
  const terms: Terms = { ...plan, asset, mode: 'soft', operator: null, periods: 0 }
  return (await enrol(tx, at, { state, house, terms })).state
}

const isSame = (enrolled: ReturnType<typeof enrolmentOf>, plan: Plan): boolean =>
  enrolled.tier === plan.tier &&
  enrolled.billingPeriod === plan.billingPeriod &&
  enrolled.asset === plan.asset &&
  enrolled.price === plan.price
