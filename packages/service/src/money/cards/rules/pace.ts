import { type TSchema, Type } from 'typebox'
import { AmountIn } from '../../../api/http/fields.ts'
import type { Card } from '../card.ts'

/** Controls that count over time beside the windows. A draft has none: the past does not tell what they would have said. */
export type Pace = Pick<Card, 'rollingLimit' | 'maxPaymentsPerMinute' | 'maxLikePayments'>
export type PaceChange = Partial<Pace>
export const NO_PACE: Pace = {
  rollingLimit: null,
  maxPaymentsPerMinute: null,
  maxLikePayments: null,
}
/** The others by their names in the API. */
export const PACE_NAMES = {
  rollingLimit: 'rolling_30d_limit',
  maxPaymentsPerMinute: 'max_payments_per_minute',
  maxLikePayments: 'max_like_payments',
} as const satisfies Record<keyof Pace, string>

export const nullable = <T extends TSchema>(type: T, description: string) =>
  Type.Optional(Type.Union([type, Type.Null()], { description }))
export const ROLLING =
  'The most that may leave within thirty days, today included (UTC); null for no limit'
export const PER_MINUTE = 'The most payments in one minute, from the full minute; null for no limit'
export const LIKE =
  'The card freezes itself before one more payment than this of the same amount to the same payee within ten minutes, by it and the cards below it; null for never'
/** The most like payments that a card may look for. */
export const LIKE_MAX = 1_000
export const PerMinuteIn = Type.Integer({ minimum: 1, maximum: 100_000 })
export const paceFields = () => ({
  rolling_30d_limit: nullable(AmountIn, ROLLING),
  max_payments_per_minute: nullable(PerMinuteIn, PER_MINUTE),
  max_like_payments: nullable(Type.Integer({ minimum: 1, maximum: LIKE_MAX }), LIKE),
})
