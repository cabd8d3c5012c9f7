import { decisionsOn } from '../../cards/decisions.ts'
import type { Reader } from '../../db/sql.ts'
import { walletEventsOf } from '../../events/read.ts'

export type PaymentFact = { at: Date; type: string; data: Record<string, unknown> }

/** What one wallet may know of a payment from its own events and its card's decisions, oldest first. */
export async function listFacts(
  on: Reader,
  of: {
    walletAddress: string
    cardId: string
    direction: 'sent' | 'received'
    refs: string[]
  },
): Promise<PaymentFact[]> {
  const [events, decisions] = await Promise.all([
    walletEventsOf(on, of.walletAddress, of.refs),
    decisionsOn(on, of.cardId, of.refs),
  ])
  const facts = [
    ...events
      .filter(({ data }) => data.direction === of.direction)
      .map(({ createdAt, type, data }) => ({ at: createdAt, type: nameOf(type), data })),
    ...decisions.map(({ createdAt, allowed, rule, inputs }) => ({
      at: createdAt,
      type: allowed ? 'decision.allowed' : 'decision.denied',
      data: { rule, inputs },
    })),
  ]
  return facts.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** A payment settles on both sides. */
const nameOf = (type: string): string => (type === 'payment.sent' ? 'payment.settled' : type)
