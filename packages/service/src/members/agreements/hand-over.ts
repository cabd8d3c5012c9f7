import type { BuiltEvent } from '../../api/events/define.ts'
import { record } from '../../api/events/record.ts'
import type { Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Agreement } from './agreement.ts'
import { cancelledEvents, merchantChangedEvents } from './agreement-events.ts'
import { scheduled } from './schedule.ts'
import { isLive, statusAfter } from './states.ts'
import { saveAgreements } from './store.ts'

type Handed = {
  /** The agreements that the card pays, and those that pay its links; locked. */
  agreements: readonly Agreement[]
  cardId: string
  fromWallet: string
  toWallet: string
  asset: Asset
}

/**
 * Ends the agreements that a sold card pays. Those that pay its links pay its new owner from now on, except one by which the
 * new owner would pay itself: that one ends too.
 */
export async function handOverAgreements(tx: Tx, at: Date, handed: Handed): Promise<void> {
  const { agreements, cardId, toWallet } = handed
  const isEnding = (one: Agreement) => one.payerCardId === cardId || one.payerWallet === toWallet
  const ending = agreements.filter((one) => isLive(one) && isEnding(one))
  const moving = agreements.filter((one) => one.payLinkCode !== null && !isEnding(one))
  const ended = ending.map((one) => sold(at, one))
  const moved = moving.map((one) => ({ ...one, merchantWallet: toWallet, updatedAt: at }))
  await saveAgreements(tx, [...ended, ...moved])
  await record(tx, at, eventsOf(handed, { ended, moved }))
}

const sold = (at: Date, agreement: Agreement): Agreement =>
  scheduled(
    {
      ...agreement,
      status: statusAfter(agreement, 'cancel'),
      statusReason: 'card_sold',
      pausedBy: null,
      firstFailedAt: null,
    },
    at,
  )

const eventsOf = (
  { fromWallet, asset }: Handed,
  { ended, moved }: Record<'ended' | 'moved', Agreement[]>,
): BuiltEvent[] => [
  ...ended.flatMap((agreement) => cancelledEvents({ agreement, asset, reason: 'card_sold' })),
  ...moved
    .filter(isLive)
    .flatMap((agreement) => merchantChangedEvents({ agreement, asset, previous: fromWallet })),
]
