import { record } from '../../../api/events/record.ts'
import { cardIssued } from '../../../api/events/types/cards.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { type Amount, ZERO } from '../../../base/kernel/money.ts'
import type { Card } from '../../../money/cards/card.ts'
import { NO_PACE } from '../../../money/cards/rules/pace.ts'
import { insertCards } from '../../../money/cards/store.ts'
import { NO_LIMITS, newCounters } from '../../../money/cards/windows.ts'
import { openAccount } from '../../../money/ledger/accounts.ts'
import { post } from '../../../money/ledger/post.ts'
import { lockTreasury } from '../renewal/pay.ts'
import type { State } from '../state/state.ts'

/** Sets money of the wallet's balance aside on a new autopay card, and answers the card's id. */
export async function reserve(
  tx: Tx,
  at: Date,
  { state, asset, value }: { state: State; asset: Asset; value: Amount },
): Promise<string> {
  const { walletAddress } = state
  const { account } = await lockTreasury(tx, state, asset)
  const id = newId('card', at)
  const owner = { kind: 'autopay' as const, owner: id, network: asset.network, asset: asset.symbol }
  const card: Card = {
    id,
    kind: 'autopay',
    walletAddress,
    accountId: await openAccount(tx, owner),
    network: asset.network,
    asset: asset.symbol,
    tokenHash: null,
    tokenHint: '',
    purpose: 'Membership auto-renew',
    status: 'ACTIVE',
    statusReason: null,
    singleUse: false,
    mccLocks: '',
    allowedMerchants: [],
    settlementMode: 'CUSTODIAL',
    metadata: {},
    limitAmount: value,
    spent: ZERO,
    held: ZERO,
    received: ZERO,
    maxTransaction: null,
    ...NO_LIMITS,
    ...newCounters(at, NO_LIMITS),
    fundingTx: null,
    expiresAt: null,
    createdAt: at,
    keysVersion: 0,
    ancestors: [],
    delegated: ZERO,
    caps: [],
    ...NO_PACE,
    approvalAbove: null,
    approvalFirstMerchant: false,
    grantsUntil: null,
    draft: null,
    isListed: false,
    ownerNo: 0,
    refunded: ZERO,
  }
  await insertCards(tx, [card])
  await post(tx, at, [
    {
      kind: 'membership_reserve',
      ref: id,
      entries: [
        { account, amount: -value },
        { account: card.accountId, amount: value },
      ],
    },
  ])
  const { purpose, status } = card
  const data = {
    card_id: id,
    purpose,
    status,
    parent_card_id: null,
    limit_amount: value as bigint,
  }
  await record(tx, at, [cardIssued.of({ walletAddress, asset, data })])
  return id
}
