import { record } from '../../../api/events/record.ts'
import { approvalExpired } from '../../../api/events/types/approvals.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { type Assets, assetOf } from '../../../chain/client/rails.ts'
import { readCards } from '../store.ts'
import { endedEvent } from './ask.ts'
import { expireApprovals } from './store.ts'

/** Marks requests and grants whose time is up. Nothing depends on the mark: each use looks at the time itself. */
export async function expireOverdue(tx: Tx, at: Date, chain: Assets): Promise<void> {
  const expired = await expireApprovals(tx, at)
  const cards = await readCards(
    tx,
    expired.map(({ cardId }) => cardId),
  )
  const events = expired.map((approval) => {
    const card = cards.get(approval.cardId)
    assert(card, `the card of ${approval.id} exists`)
    return endedEvent(approvalExpired, approval, assetOf(chain, card))
  })
  await record(tx, at, events)
}
