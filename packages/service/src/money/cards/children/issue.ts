import { record } from '../../../api/events/record.ts'
import { addCardToKeys } from '../../../api/keys/store.ts'
import type { Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { CARD_LIMITS } from '../../../base/kernel/card-limits.ts'
import { type Amount, least, toNumber } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { post } from '../../ledger/post.ts'
import type { CardWithMoney } from '../card.ts'
import { lockOwnCard, type Mine, wrongState } from '../controls/own-card.ts'
import { type CardOrder, insertWithAccounts, issuedEvent, newCard } from '../issue/issue.ts'
import { findBelow } from '../store.ts'
import { checkToken } from '../token.ts'
import { leftOfLimit } from '../view.ts'

/** A child, a child of that, and one of that again. */
const DEPTH_MAX = 3
/** The most open cards below one root. */
const BELOW_MAX = 100

export type ChildOrder = Mine & {
  /** The token of the card above; undefined for an owner who needs none. */
  token: string | undefined
  /** Throws if the caller may not, once the card is known to be the caller's. */
  allow(): void
  asset(card: CardWithMoney): Asset
  orderOf(asset: Asset): CardOrder
}

/**
 * Hands a slice of a card to another agent: a card of its own with a part of the money. What it spends counts on every card
 * above it, and each of those still decides. Throws `invalid_state` for a card that cannot be sliced, `insufficient_funds` if it
 * has too little left, and `invalid_field` for a limit above its own.
 */
export async function issueChild(
  tx: Tx,
  at: Date,
  order: ChildOrder,
): Promise<{ card: CardWithMoney; token: string; asset: Asset }> {
  const parent = await lockOwnCard(tx, at, order)
  order.allow()
  if (order.token !== undefined) checkToken(parent, order.token)
  await checkSliceable(tx, parent)
  const asset = order.asset(parent)
  const wanted = order.orderOf(asset)
  checkWithin(parent, wanted, asset)
  const expiresAt = wanted.expiresAt ?? parent.expiresAt
  const ancestors = [...parent.ancestors, parent.id]
  const { card, token } = newCard(at, { ...wanted, expiresAt }, 'ACTIVE', ancestors)
  await insertWithAccounts(tx, [card])
  await post(tx, at, [
    {
      kind: 'card_slice',
      ref: card.id,
      entries: [
        { account: parent.accountId, amount: -card.limitAmount },
        { account: card.accountId, amount: card.limitAmount },
      ],
    },
  ])
  const { walletAddress } = parent
  await addCardToKeys(tx, { walletAddress, cardId: parent.id, childId: card.id })
  await record(tx, at, [issuedEvent(card, asset)])
  return { card: { ...card, available: card.limitAmount }, token, asset }
}

async function checkSliceable(tx: Tx, parent: CardWithMoney): Promise<void> {
  if (parent.status !== 'ACTIVE') throw wrongState(parent, 'sliced', 'ACTIVE')
  if (parent.settlementMode === 'DIRECT')
    throw new Problem('invalid_state', 'A DIRECT card holds no money, so it has no children.')
  if (parent.singleUse)
    throw new Problem('invalid_state', 'A card for a single use has no children.')
  if (parent.ancestors.length >= DEPTH_MAX)
    throw new Problem(
      'invalid_state',
      `Cards are at most ${DEPTH_MAX} below the first one. Issue the child from a card above this one.`,
    )
  const [root = parent.id] = parent.ancestors
  if ((await findBelow(tx, root)).length >= BELOW_MAX)
    throw new Problem(
      'limit_reached',
      `${BELOW_MAX} cards below one are open already. Cancel those that are not needed.`,
    )
}

/** A child is issued within the card above. A limit of that which is lowered later counts all the same, payment by payment. */
function checkWithin(parent: CardWithMoney, wanted: CardOrder, asset: Asset): void {
  const left = least(parent.available, leftOfLimit(parent))
  if (wanted.limitAmount > left)
    throw new Problem(
      'insufficient_funds',
      `The card has ${toNumber(left, asset.decimals)} ${asset.symbol} left to hand on.`,
      { param: 'limit_amount', extra: { available: toNumber(left, asset.decimals) } },
    )
  const above = (own: Amount | null, of: Amount | null, param: string) => {
    if (own === null || of === null || own <= of) return
    throw new Problem(
      'invalid_field',
      `${param} is above that of the card above, ${toNumber(of, asset.decimals)}.`,
      { param },
    )
  }
  above(wanted.maxTransaction, parent.maxTransaction, 'max_transaction')
  for (const { field, name } of CARD_LIMITS) above(wanted[field], parent[field], name)
  if (wanted.settlementMode === 'DIRECT')
    throw new Problem('invalid_field', 'A child card is CUSTODIAL: leave settlement_mode out.', {
      param: 'settlement_mode',
    })
  if (parent.expiresAt && wanted.expiresAt && wanted.expiresAt > parent.expiresAt)
    throw new Problem(
      'invalid_field',
      `The card above ends at ${parent.expiresAt.toISOString()}; the child cannot end later.`,
      { param: 'expires_in' },
    )
}
