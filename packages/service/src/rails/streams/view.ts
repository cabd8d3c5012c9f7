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
} from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { toNumber } from '../../base/kernel/money.ts'
import { maskedCard } from '../../money/cards/token.ts'
import { remainingOf, STREAM_STATUSES, type Stream } from './store.ts'

export const StreamBody = Type.Object({
  id: Type.String({ description: 'Id of the stream' }),
  card_id: Type.String({
    description: 'The card that pays. The wallet that is paid sees its last four characters only',
  }),
  budget: AmountOut,
  tick_amount: AmountOut,
  total_ticked: Type.Number({ description: 'All that was ticked so far; it only grows' }),
  remaining: Type.Number({ description: 'The rest of the budget' }),
  status: OneOf(STREAM_STATUSES, 'State of the stream'),
  receiver_card_id: NullableString('Id of the card that is paid'),
  session_id: NullableString('Null for the wallet that is paid'),
  merchant: Type.String({
    description:
      'The label of the session, or the wallet of the receiver card. The wallet that is paid sees that of the payer',
  }),
  final_amount: NullableNumber(
    'The amount that left the card at the end, with the fee of the receiver; null while OPEN',
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: NullableTimestamp('When it ended; null while it is open'),
})

/** The stream as this wallet sees it. The card, the session and its label are the payer's own business. */
export function streamBody(stream: Stream, { viewer, asset }: { viewer: string; asset: Asset }) {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  const { walletAddress, cardId, sessionId, merchant } = stream
  const ofPayer =
    viewer === walletAddress
      ? { card_id: cardId, session_id: sessionId, merchant }
      : { card_id: maskedCard(cardId), session_id: null, merchant: walletAddress }
  return {
    id: stream.id,
    ...ofPayer,
    budget: out(stream.budget),
    tick_amount: out(stream.tickAmount),
    total_ticked: out(stream.totalTicked),
    remaining: out(remainingOf(stream)),
    status: stream.status,
    receiver_card_id: stream.receiverCardId,
    final_amount: stream.finalAmount === null ? null : out(stream.finalAmount),
    created_at: iso(stream.createdAt),
    expires_at: iso(stream.expiresAt),
    ended_at: isoOrNull(stream.endedAt),
  }
}
