import type { BuiltEvent } from '../../../api/events/define.ts'
import type {
  autoRenewEnabled,
  membershipActivated,
  membershipPaymentDue,
} from '../../../api/events/types/recurring/membership.ts'
import { iso, isoOrNull } from '../../../api/http/fields.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import type { Agreement } from '../../agreements/agreement.ts'
import { enrolmentOf } from '../enrolment.ts'
import { PLAN } from '../plan.ts'
import type { House, State } from './state.ts'

/** The fields of every event. Before the first payment they come from the agreement. */
function dataOf({ walletAddress, membership, agreement }: State) {
  const enrolled = agreement && enrolmentOf(agreement)
  const of = membership ?? enrolled
  if (!of) throw new Error('an event of a membership is about one, or about an agreement')
  return {
    symbol: of.asset,
    data: {
      wallet_address: walletAddress,
      plan: PLAN,
      tier: of.tier,
      billing_period: of.billingPeriod,
      status: membership?.status ?? null,
      current_period_start: isoOrNull(membership?.currentPeriodStart ?? null),
      current_period_end: isoOrNull(membership?.currentPeriodEnd ?? null),
      cancel_at_period_end: membership?.cancelAtPeriodEnd ?? false,
      auto_renew: agreement !== undefined,
      price: of.price as bigint,
      payment_asset: of.asset,
      payment_id: membership?.lastPaymentId ?? null,
    },
  }
}

export function membershipEvent(
  kind: Pick<typeof membershipActivated, 'of'>,
  { state, house }: { state: State; house: House },
): BuiltEvent {
  const { symbol, data } = dataOf(state)
  return kind.of({ walletAddress: state.walletAddress, asset: house.assetOf(symbol), data })
}

/** `state` is the one after the change; `agreement` the one that began or ended. */
export function autoRenewEvent(
  kind: Pick<typeof autoRenewEnabled, 'of'>,
  of: { state: State; house: House; agreement: Agreement; reserve: Amount },
): BuiltEvent {
  const { state, house, agreement, reserve } = of
  const { data } = dataOf({ ...state, agreement })
  const { mode, asset } = enrolmentOf(agreement)
  return kind.of({
    walletAddress: state.walletAddress,
    asset: house.assetOf(asset),
    data: {
      ...data,
      auto_renew: state.agreement !== undefined,
      mode,
      agreement_id: agreement.id,
      reserve: reserve as bigint,
    },
  })
}

export function paymentDueEvent(
  kind: Pick<typeof membershipPaymentDue, 'of'>,
  of: { state: State; house: House; amount: Amount; at: Date },
): BuiltEvent {
  const { symbol, data } = dataOf(of.state)
  return kind.of({
    walletAddress: of.state.walletAddress,
    asset: of.house.assetOf(symbol),
    data: { ...data, amount: of.amount as bigint, due_at: iso(of.at) },
  })
}
