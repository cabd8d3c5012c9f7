import { Type } from 'typebox'
import {
  AmountOut,
  iso,
  isoOrNull,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../http/fields.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import { remainingOf, STREAM_STATUSES, type Stream } from './store.ts'

export const StreamBody = Type.Object({
  id: Type.String(),
  card_id: Type.String(),
  budget: AmountOut,
  tick_amount: AmountOut,
  total_ticked: Type.Number({ description: 'All that was ticked so far; it only grows' }),
  remaining: Type.Number({ description: 'The rest of the budget' }),
  status: OneOf(STREAM_STATUSES),
  receiver_card_id: NullableString,
  session_id: NullableString,
  merchant: Type.String({
    description: 'The label of the session; the receiver card where there is no session',
  }),
  final_amount: Type.Union([NullableNumber], {
    description:
      'The amount that left the card at the end, with the fee of the receiver; null while OPEN',
  }),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: NullableTimestamp,
})

export function streamBody(stream: Stream, asset: Asset) {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  return {
    id: stream.id,
    card_id: stream.cardId,
    budget: out(stream.budget),
    tick_amount: out(stream.tickAmount),
    total_ticked: out(stream.totalTicked),
    remaining: out(remainingOf(stream)),
    status: stream.status,
    receiver_card_id: stream.receiverCardId,
    session_id: stream.sessionId,
    merchant: stream.merchant,
    final_amount: stream.finalAmount === null ? null : out(stream.finalAmount),
    created_at: iso(stream.createdAt),
    expires_at: iso(stream.expiresAt),
    ended_at: isoOrNull(stream.endedAt),
  }
}
