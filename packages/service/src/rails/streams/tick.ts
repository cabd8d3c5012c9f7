import { checkKeyAmount, mayUseCard } from '../../api/http/caller.ts'
import type { Lane } from '../../base/db/lanes/lane.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, plus, toNumber } from '../../base/kernel/money.ts'
import { notFound, Problem, type Refusal, refuse } from '../../base/kernel/problem.ts'
import { type Assets, assetOf } from '../../chain/client/rails.ts'
import { standingRefusal } from '../../money/cards/policy.ts'
import { isTokenOf, wrongToken } from '../../money/cards/token.ts'
import type { CardAccess } from '../spending/offer/authorize.ts'
import { lockForTicks, remainingOf, type Stream, saveTotals, type TickedStream } from './store.ts'

export type Tick = CardAccess & { streamId: string; chain: Assets }
export type TickOutcome =
  | { kind: 'ticked'; totalTicked: Amount; budget: Amount; asset: Asset }
  | Refusal

/**
 * Adds ticks to the earnings of their streams, in order of arrival, under the streams' locks. Of concurrent ticks, as
 * many succeed as the budget has room for. The holds cover them, so no balance moves. Refuses with
 * `stream_budget_exceeded` (403) if there is no room for a whole tick, `stream_closed` and `stream_expired` (410), and
 * the refusals of a card that may not spend, such as `card_frozen`.
 */
export async function tickStreams(tx: Tx, at: Date, ticks: Tick[]): Promise<TickOutcome[]> {
  const streams = await lockForTicks(
    tx,
    ticks.map(({ streamId }) => streamId),
  )
  const changed = new Map<string, Amount>()
  const outcomes = ticks.map((tick): TickOutcome => {
    const stream = streams.get(tick.streamId)
    if (!stream || !isOf(stream, tick)) return refuse(notFound('stream'))
    const totalTicked = plus(stream.totalTicked, stream.tickAmount)
    const problem = refusalOf(stream, tick, at) ?? keyRefusalOf(stream, tick)
    if (problem) return refuse(problem)
    streams.set(stream.id, { ...stream, totalTicked })
    changed.set(stream.id, totalTicked)
    const { budget } = stream
    return { kind: 'ticked', totalTicked, budget, asset: assetOf(tick.chain, stream) }
  })
  await saveTotals(tx, changed)
  return outcomes
}

/** The lane of `POST /api/mpp/stream/tick`. */
export const tickLane: Lane<Tick, TickOutcome> = { name: 'tick', run: tickStreams }

/** A stream that has ended stays with the wallet that paid it, and its card may have been sold since. */
const isOf = (stream: TickedStream, { caller, cardId }: Tick): boolean =>
  stream.cardId === cardId &&
  stream.walletAddress === caller.walletAddress &&
  stream.card.walletAddress === caller.walletAddress &&
  mayUseCard(caller, cardId)

function refusalOf(stream: TickedStream, tick: Tick, at: Date): Problem | undefined {
  if (!isTokenOf(stream.card, tick.cardToken)) return wrongToken(stream.card)
  const closed = closedProblem(stream, at)
  if (closed) return closed
  const standing = standingRefusal(stream.card, at)
  if (standing) return new Problem(...standing)
  if (stream.totalTicked + stream.tickAmount <= stream.budget) return undefined
  const out = (value: bigint) => toNumber(value, assetOf(tick.chain, stream).decimals)
  return new Problem(
    'stream_budget_exceeded',
    'The budget of the stream has no room for another tick. Close it, and open another to go on.',
    { extra: { total_ticked: out(stream.totalTicked), remaining: out(remainingOf(stream)) } },
  )
}

function closedProblem({ status, expiresAt }: Stream, at: Date): Problem | undefined {
  if (status === 'CLOSED')
    return new Problem('stream_closed', 'The stream is closed. Open another.')
  if (status === 'EXPIRED' || expiresAt <= at)
    return new Problem('stream_expired', 'The time of the stream is over. Open another.')
  return undefined
}

/** A restricted key may not move more at once than its limit, even if another key opened the stream. */
function keyRefusalOf({ tickAmount }: Stream, { caller }: Tick): Problem | undefined {
  try {
    checkKeyAmount(caller, tickAmount)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
