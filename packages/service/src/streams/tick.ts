import { standingRefusal } from '../cards/policy.ts'
import { findCard } from '../cards/store.ts'
import { checkToken } from '../cards/token.ts'
import type { Tx } from '../db/sql.ts'
import { checkKeyAmount, mayUseCard } from '../http/caller.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { sha256 } from '../kernel/secrets.ts'
import type { CardAccess } from '../payments/authorise.ts'
import { addTick, findStream, remainingOf, type Stream, type Ticked } from './store.ts'

export type TickAsk = CardAccess & { streamId: string; asset: Asset }

/**
 * Adds one tick to what the stream has earned, by one statement: its hold covers it, so no balance moves. Throws
 * `stream_budget_exceeded` (403) where the budget has no room for a whole tick, `stream_closed` and `stream_expired`
 * (410), and the refusals of a card that may not spend, such as `card_frozen`.
 */
export async function tickStream(tx: Tx, at: Date, ask: TickAsk): Promise<Ticked> {
  const { caller, cardId, streamId } = ask
  if (!mayUseCard(caller, cardId)) throw notFound('stream')
  const ticked = await addTick(tx, at, {
    streamId,
    cardId,
    walletAddress: caller.walletAddress,
    tokenHash: sha256(ask.cardToken),
  })
  if (!ticked) throw await refusalOf(tx, at, ask)
  checkKeyAmount(caller, ticked.tickAmount)
  return ticked
}

/** Why a tick was not counted. */
async function refusalOf(tx: Tx, at: Date, ask: TickAsk): Promise<Problem> {
  const stream = await findStream(tx, ask.streamId)
  if (stream?.walletAddress !== ask.caller.walletAddress || stream.cardId !== ask.cardId)
    return notFound('stream')
  const card = await findCard(tx, ask.cardId)
  if (card?.walletAddress !== ask.caller.walletAddress) return notFound('card')
  checkToken(card, ask.cardToken)
  const closed = closedProblem(stream, at)
  if (closed) return closed
  const standing = standingRefusal(card, at)
  if (standing) return new Problem(...standing)
  const { decimals } = ask.asset
  return new Problem(
    'stream_budget_exceeded',
    'The budget of the stream has no room for another tick. Close it, and open another to go on.',
    {
      extra: {
        total_ticked: toNumber(stream.totalTicked, decimals),
        remaining: toNumber(remainingOf(stream), decimals),
      },
    },
  )
}

function closedProblem({ status, expiresAt }: Stream, at: Date): Problem | undefined {
  if (status === 'CLOSED')
    return new Problem('stream_closed', 'The stream is closed. Open another.')
  if (status === 'EXPIRED' || expiresAt <= at)
    return new Problem('stream_expired', 'The time of the stream is over. Open another.')
  return undefined
}
