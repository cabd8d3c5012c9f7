import { record } from '../../../api/events/record.ts'
import type { CancelReason } from '../../../api/events/types/agreements.ts'
import { cardClosed } from '../../../api/events/types/cards.ts'
import {
  autoRenewDisabled,
  membershipExpired,
} from '../../../api/events/types/recurring/membership.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, ZERO } from '../../../base/kernel/money.ts'
import { lockCard, saveCards } from '../../../money/cards/store.ts'
import { treasuryKey } from '../../../money/ledger/account-keys.ts'
import { openAccount } from '../../../money/ledger/accounts.ts'
import { post } from '../../../money/ledger/post.ts'
import { cancelledEvents } from '../../agreements/agreement-events.ts'
import { statusAfter } from '../../agreements/states.ts'
import { saveAgreement } from '../../agreements/store.ts'
import { autoRenewEvent, membershipEvent } from '../state/membership-events.ts'
import type { House, State } from '../state/state.ts'
import { saveMembership } from '../store.ts'

type Ending = { state: State; house: House; reason: CancelReason }
type Ended = { state: State; returned: Amount }

/** Ends auto-renew: cancels the agreement, closes its card, and returns the rest of the reserve. */
export async function endAgreement(tx: Tx, at: Date, of: Ending): Promise<Ended> {
  const { state, house, reason } = of
  const { agreement, membership } = state
  if (!agreement) return { state, returned: ZERO }
  const asset = house.assetOf(agreement.asset)
  const ended = {
    ...agreement,
    status: statusAfter(agreement, 'cancel'),
    statusReason: reason,
    firstFailedAt: null,
    nextChargeAt: null,
    nextAttemptAt: null,
    updatedAt: at,
  }
  await saveAgreement(tx, ended)
  const returned = await returnReserve(tx, at, { cardId: agreement.payerCardId, asset })
  const after: State = {
    ...state,
    agreement: undefined,
    membership: membership && { ...membership, autoRenew: false, updatedAt: at },
  }
  // A membership that is past due waits for the agreement, so it ends with it.
  const isPastDue = after.membership?.status === 'PAST_DUE'
  const last =
    isPastDue && reason !== 'replaced'
      ? await expire(tx, at, { state: after, house })
      : after.membership && !isPastDue
        ? { ...after, membership: await saveMembership(tx, after.membership) }
        : after
  await record(tx, at, [
    ...cancelledEvents({ agreement: ended, asset, reason }),
    ...(reason === 'replaced'
      ? []
      : [autoRenewEvent(autoRenewDisabled, { state: last, house, agreement, reserve: returned })]),
  ])
  return { state: last, returned }
}

/** Ends the membership, if there is one, with its auto-renew. */
export async function expireMembership(tx: Tx, at: Date, of: Ending): Promise<State> {
  const { state } = await endAgreement(tx, at, of)
  const status = state.membership?.status ?? 'EXPIRED'
  return status === 'EXPIRED' ? state : expire(tx, at, { ...of, state })
}

async function expire(
  tx: Tx,
  at: Date,
  { state, house }: { state: State; house: House },
): Promise<State> {
  const { membership } = state
  assert(membership, 'a membership that ends was there')
  const expired = {
    ...state,
    membership: await saveMembership(tx, {
      ...membership,
      status: 'EXPIRED',
      cancelAtPeriodEnd: false,
      autoRenew: false,
      lapsed: membership.lapsed || membership.status === 'PAST_DUE',
      updatedAt: at,
    }),
  }
  await record(tx, at, [membershipEvent(membershipExpired, { state: expired, house })])
  return expired
}

async function returnReserve(
  tx: Tx,
  at: Date,
  { cardId, asset }: { cardId: string | null; asset: Asset },
): Promise<Amount> {
  if (cardId === null) return ZERO
  const card = await lockCard(tx, cardId)
  assert(card?.kind === 'autopay', `the reserve is on ${cardId}`)
  await saveCards(tx, [{ ...card, status: 'CLOSED', statusReason: 'auto-renew ended' }])
  const { available, walletAddress } = card
  if (available > 0n) {
    const treasury = await openAccount(tx, treasuryKey(asset, walletAddress))
    await post(tx, at, [
      {
        kind: 'membership_reserve_returned',
        ref: card.id,
        entries: [
          { account: card.accountId, amount: -available },
          { account: treasury, amount: available },
        ],
      },
    ])
  }
  await record(tx, at, [
    cardClosed.of({ walletAddress, asset, data: { card_id: card.id, returned: available } }),
  ])
  return available
}
