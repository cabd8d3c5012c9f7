import { Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  AtomicOut,
  DecimalsOut,
  iso,
  isoOrNull,
  MetadataOut,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  shownAmounts,
  Timestamp,
  TokenContractOut,
  TxHashOut,
} from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { CARD_LIMITS, type Limit, type LimitName, perLimit } from '../../base/kernel/card-limits.ts'
import { type Amount, least, minusOrZero } from '../../base/kernel/money.ts'
import { RAILS } from '../../base/protocols/rails.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { shownAsset } from '../../chain/client/rails.ts'
import { CARD_KINDS, CARD_STATUSES, type CardWithMoney } from './card.ts'
import { takenOf } from './family.ts'
import { LIKE, PER_MINUTE, ROLLING } from './rules/pace.ts'
import { maskedToken } from './token.ts'
import { DIRECTIONS, type ShownTransaction, TRANSACTION_STATUSES } from './transactions.ts'
import { countedAt } from './windows.ts'

const LIMITS_ATOMIC = Object.fromEntries(
  CARD_LIMITS.flatMap(({ name, usedName }) =>
    [name, usedName].map((field) => [`${field}_atomic`, AtomicOut]),
  ),
) as Record<`${LimitName | Limit['usedName']}_atomic`, typeof AtomicOut>

/** The specification's Card resource, with its additive fields. */
export const CardBody = Type.Object({
  id: Type.String({ description: 'Id of the card' }),
  token: Type.String({
    description: 'Shown when the card is issued or its token rotated; masked elsewhere',
  }),
  kind: OneOf(CARD_KINDS, 'autopay: it holds the reserve of your membership, and has no token'),
  purpose: Type.String({ description: 'The purpose of the card, in words' }),
  limit_amount: AmountOut,
  status: OneOf(CARD_STATUSES, 'State of the card'),
  status_reason: NullableString('Why it is in this state; null where there is nothing to say'),
  mcc_locks: Type.String({
    description: 'Merchant categories that the card may pay, parted by commas; empty for all',
  }),
  single_use: Type.Integer({ description: '1 or 0' }),
  expires_at: NullableTimestamp('When it ends; null for never'),
  funding_network: NetworkField,
  funding_asset: Type.String({ description: 'Asset of the card' }),
  wallet_address: Type.String({ description: 'Address of the wallet' }),
  parent_card_id: NullableString('The card that this one is a slice of; null for none'),
  balance: Type.Number({
    description: 'Money on the card now: allocated and received, less spent and held',
  }),
  remaining: Type.Number({
    description:
      'The amount that can still be spent: the balance, or the rest of the limit if that is less',
  }),
  spent: AmountOut,
  held: AmountOut,
  received: AmountOut,
  delegated: Type.Number({ description: 'The sum that its child cards have spent or hold' }),
  ...perLimit('name', ({ description }) => NullableNumber(description)),
  ...perLimit('usedName', ({ window }) =>
    Type.Optional(
      Type.Number({
        description: `What left the card in this ${window}, holds included; given by reads`,
      }),
    ),
  ),
  max_transaction: NullableNumber('The most that one payment may be; null for no limit'),
  rolling_30d_limit: NullableNumber(ROLLING),
  max_payments_per_minute: Type.Union([Type.Integer(), Type.Null()], { description: PER_MINUTE }),
  max_like_payments: Type.Union([Type.Integer(), Type.Null()], { description: LIKE }),
  approval_above: NullableNumber(
    'A payment above this amount waits for the approval of the owner; null for none',
  ),
  approval_first_merchant: Type.Boolean({
    description: 'Whether the first payment to each payee waits for the approval of the owner',
  }),
  limit_amount_atomic: AtomicOut,
  balance_atomic: AtomicOut,
  remaining_atomic: AtomicOut,
  spent_atomic: AtomicOut,
  held_atomic: AtomicOut,
  received_atomic: AtomicOut,
  delegated_atomic: AtomicOut,
  ...LIMITS_ATOMIC,
  max_transaction_atomic: AtomicOut,
  rolling_30d_limit_atomic: AtomicOut,
  approval_above_atomic: AtomicOut,
  allowed_merchants: Type.Array(Type.String(), {
    description: 'Merchants that the card may pay; empty for any',
  }),
  settlement_mode: Type.String({ description: 'Where payments settle: CUSTODIAL, in the books' }),
  custody_mode: Type.String({ description: 'The custody model: CUSTODIAL' }),
  holder_address: NullableString('Address that holds the card on chain; null for none'),
  chain_status: Type.String({
    description: 'How the card stands on chain; NONE where it has no part there',
  }),
  balance_source: Type.String({ description: 'The source of the balance: ledger' }),
  metadata: MetadataOut,
  created_at: Timestamp,
})

/** The unspent part of the limit, whatever the card holds. */
export const leftOfLimit = (card: CardWithMoney): Amount =>
  minusOrZero(card.limitAmount, takenOf(card))

/** The card's earnings: money above what its limit lets it spend. */
export const earned = (card: CardWithMoney): Amount =>
  minusOrZero(card.available, leftOfLimit(card))

/** The card as the API shows it. `token` is given only when the response issues one. */
export function cardBody(card: CardWithMoney, asset: Asset, token?: string) {
  return {
    id: card.id,
    token: token ?? maskedToken(card),
    kind: card.kind,
    purpose: card.purpose,
    ...cardAmounts(card, asset),
    status: card.status,
    status_reason: card.statusReason,
    mcc_locks: card.mccLocks,
    single_use: card.singleUse ? 1 : 0,
    max_payments_per_minute: card.maxPaymentsPerMinute,
    max_like_payments: card.maxLikePayments,
    approval_first_merchant: card.approvalFirstMerchant,
    expires_at: isoOrNull(card.expiresAt),
    funding_network: card.network,
    funding_asset: card.asset,
    wallet_address: card.walletAddress,
    parent_card_id: card.ancestors.at(-1) ?? null,
    allowed_merchants: card.allowedMerchants,
    settlement_mode: card.settlementMode,
    custody_mode: card.settlementMode === 'DIRECT' ? 'SELF' : 'CUSTODIAL',
    holder_address: null,
    chain_status: 'NONE',
    balance_source: card.settlementMode === 'DIRECT' ? 'none' : 'ledger',
    metadata: card.metadata,
    created_at: iso(card.createdAt),
  }
}

/** The card at a time: with what left it in the windows of that time. */
export const cardAt = (card: CardWithMoney, at: Date, asset: Asset) => {
  const counted = countedAt(card, at)
  return {
    ...cardBody(card, asset),
    ...shownAmounts(
      perLimit('usedName', ({ used }) => counted[used]),
      asset.decimals,
    ),
  }
}

const cardAmounts = (card: CardWithMoney, { decimals }: Asset) => ({
  ...shownAmounts(
    {
      limit_amount: card.limitAmount,
      balance: card.available,
      remaining: least(card.available, leftOfLimit(card)),
      spent: card.spent,
      held: card.held,
      received: card.received,
      delegated: card.delegated,
    },
    decimals,
  ),
  ...shownAmounts<
    LimitName | 'max_transaction' | 'rolling_30d_limit' | 'approval_above',
    Amount | null
  >(
    {
      ...perLimit('name', ({ field }) => card[field]),
      max_transaction: card.maxTransaction,
      rolling_30d_limit: card.rollingLimit,
      approval_above: card.approvalAbove,
    },
    decimals,
  ),
})

/** The specification's Card transaction, with its additive fields. */
export const TransactionBody = Type.Object({
  id: Type.String({ description: 'Id of the transaction' }),
  card_id: Type.String({ description: 'Id of the card' }),
  direction: OneOf(DIRECTIONS, 'Which way money goes'),
  amount: Type.Number({
    description: 'The amount that the card gave, fee included, or gained, fee deducted',
  }),
  fee: AmountOut,
  amount_atomic: AtomicOut,
  fee_atomic: AtomicOut,
  refunded_atomic: AtomicOut,
  merchant: Type.String({
    description: 'The other side: a host, code of a link, wallet or address',
  }),
  protocol: OneOf(RAILS, 'Protocol by which it is paid'),
  status: OneOf(
    TRANSACTION_STATUSES,
    'State of the payment. REFUNDED once all of it was given back; its amount and time stay',
  ),
  card_purpose: Type.String({ description: 'The purpose of the card' }),
  card_status: OneOf(CARD_STATUSES, 'CLOSED for a card that you spent with and have sold since'),
  tx_hash: TxHashOut,
  network: NetworkField,
  asset: AssetField,
  token_contract: TokenContractOut,
  decimals: DecimalsOut,
  refunded: Type.Number({
    description:
      'What was given back of it until now. Each refund is an entry of its own: a sum of the list has it there already',
  }),
  refund_of: Type.Optional(
    Type.String({
      description: 'Of a refund: the transaction that it gives back, or a part of it',
    }),
  ),
  fee_kept: Type.Optional(
    Type.Number({ description: 'Of a refund: the fee of the payment, which the service keeps' }),
  ),
  fee_kept_atomic: AtomicOut,
  memo: Type.String({ description: 'The purpose of the payment, in words' }),
  created_at: Timestamp,
  settled_at: NullableTimestamp('When it was settled; null until then'),
})

/** The asset of a transaction's amounts. One of a DIRECT card names its own token. */
export const assetOfTransaction = (
  chain: Chain,
  row: Pick<ShownTransaction, 'asset' | 'tokenDecimals'>,
): Asset =>
  row.tokenDecimals === null
    ? shownAsset(chain, row)
    : { ...shownAsset(chain, row), decimals: row.tokenDecimals }

/** `asset` is that of the transaction: `assetOfTransaction`. */
export const transactionBody = (transaction: ShownTransaction, asset: Asset) => ({
  id: transaction.id,
  card_id: transaction.cardId,
  direction: transaction.direction,
  ...shownAmounts(
    { amount: transaction.amount, fee: transaction.fee, refunded: transaction.refunded },
    asset.decimals,
  ),
  ...(transaction.refundOf !== null && {
    refund_of: transaction.refundOf,
    ...shownAmounts({ fee_kept: transaction.feeKept }, asset.decimals),
  }),
  ...(transaction.token !== null &&
    transaction.tokenDecimals !== null && {
      token_contract: transaction.token,
      decimals: transaction.tokenDecimals,
    }),
  merchant: transaction.merchant,
  protocol: transaction.protocol,
  status: transaction.status,
  card_purpose: transaction.cardPurpose,
  card_status: transaction.cardStatus,
  tx_hash: transaction.txHash,
  network: transaction.network,
  asset: transaction.asset,
  memo: transaction.memo,
  created_at: iso(transaction.createdAt),
  settled_at: isoOrNull(transaction.settledAt),
})
