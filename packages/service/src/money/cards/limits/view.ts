import { Type } from 'typebox'
import { AtomicOut, NullableNumber, shownAmounts } from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import {
  CARD_LIMITS,
  type Limit,
  type LimitName,
  perLimit,
} from '../../../base/kernel/card-limits.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { type Cap, type CapLimits, capAt, rollingUsed } from '../caps/cap.ts'
import { PER_MINUTE, ROLLING } from '../rules/pace.ts'

const USED = 'What was used of it; null before the first limit is set'
const Count = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const ATOMIC = Object.fromEntries(
  [
    ...CARD_LIMITS.flatMap(({ name, usedName }) => [name, usedName]),
    'rolling_30d_limit',
    'rolling_30d_used',
  ].map((name) => [`${name}_atomic`, AtomicOut]),
)

export const LimitsBody = Type.Object({
  ...perLimit('name', ({ description }) =>
    NullableNumber(description.replace('the card', 'all its cards')),
  ),
  ...perLimit('usedName', () => NullableNumber(USED)),
  rolling_30d_limit: NullableNumber(ROLLING),
  rolling_30d_used: NullableNumber(USED),
  max_payments_per_minute: Count(PER_MINUTE),
  minute_payments: Count('The payments of this minute; null before the first limit is set'),
  ...ATOMIC,
})

const NO_LIMITS: CapLimits = {
  ...perLimit('field', () => null),
  rollingLimit: null,
  maxPaymentsPerMinute: null,
}

type Shown = LimitName | Limit['usedName'] | 'rolling_30d_limit' | 'rolling_30d_used'

/** The limits of a wallet or a key with what was used of them. */
export function limitsBody(cap: Cap | undefined, at: Date, { decimals }: Asset) {
  const counted = cap && capAt(cap, at)
  const limits = counted ?? NO_LIMITS
  return {
    ...shownAmounts<Shown, Amount | null>(
      {
        ...perLimit('name', ({ field }) => limits[field]),
        ...perLimit('usedName', ({ used }) => counted?.[used] ?? null),
        rolling_30d_limit: limits.rollingLimit,
        rolling_30d_used: counted ? rollingUsed(counted) : null,
      },
      decimals,
    ),
    max_payments_per_minute: limits.maxPaymentsPerMinute,
    minute_payments: counted?.minutePayments ?? null,
  }
}
