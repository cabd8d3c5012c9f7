import { Type } from 'typebox'
import {
  AmountOut,
  AtomicOut,
  atomicOf,
  DecimalsOut,
  iso,
  isoOrNull,
  MetadataOut,
  NetworkField,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
  TokenContractOut,
} from '../http/fields.ts'
import type { Asset } from '../kernel/assets.ts'
import { type Amount, least, minusOrZero, plus, toNumber } from '../kernel/money.ts'
import { CARD_KINDS, CARD_STATUSES, type CardWithMoney } from './card.ts'
import { RAILS } from './policy.ts'
import { maskedToken } from './token.ts'
import { DIRECTIONS, type ShownTransaction, TRANSACTION_STATUSES } from './transactions.ts'

/** The specification's Card resource, with its additive fields. */
export const CardBody = Type.Object({
  id: Type.String(),
  token: Type.String({
    description: 'Shown when the card is issued or its token rotated; masked elsewhere',
  }),
  kind: OneOf(CARD_KINDS, 'autopay: it holds the reserve of your membership, and has no token'),
  purpose: Type.String(),
  limit_amount: AmountOut,
  status: OneOf(CARD_STATUSES),
  status_reason: NullableString,
  mcc_locks: Type.String(),
  single_use: Type.Integer({ description: '1 or 0' }),
  expires_at: NullableTimestamp,
  funding_network: NetworkField,
  funding_asset: Type.String(),
  wallet_address: Type.String(),
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
  daily_limit: NullableNumber,
  max_transaction: NullableNumber,
  allowed_merchants: Type.Array(Type.String()),
  settlement_mode: Type.String(),
  custody_mode: Type.String(),
  holder_address: NullableString,
  chain_status: Type.String(),
  balance_source: Type.String(),
  metadata: MetadataOut,
  created_at: Timestamp,
})

/** The unspent part of the limit, whatever the card holds. */
export const leftOfLimit = (card: CardWithMoney): Amount =>
  minusOrZero(card.limitAmount, plus(card.spent, card.held))

/** The card's earnings: money above what its limit lets it spend. */
export const earned = (card: CardWithMoney): Amount =>
  minusOrZero(card.available, leftOfLimit(card))

/** The card as the API shows it. `token` is given only when the response issues one. */
export function cardBody(card: CardWithMoney, asset: Asset, token?: string) {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  const outOrNull = (value: Amount | null) => (value === null ? null : out(value))
  return {
    id: card.id,
    token: token ?? maskedToken(card),
    kind: card.kind,
    purpose: card.purpose,
    limit_amount: out(card.limitAmount),
    status: card.status,
    status_reason: card.statusReason,
    mcc_locks: card.mccLocks,
    single_use: card.singleUse ? 1 : 0,
    expires_at: isoOrNull(card.expiresAt),
    funding_network: card.network,
    funding_asset: card.asset,
    wallet_address: card.walletAddress,
    balance: out(card.available),
    remaining: out(least(card.available, leftOfLimit(card))),
    spent: out(card.spent),
    held: out(card.held),
    received: out(card.received),
    daily_limit: outOrNull(card.dailyLimit),
    max_transaction: outOrNull(card.maxTransaction),
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

/** The specification's Card transaction, with its additive fields. */
export const TransactionBody = Type.Object({
  id: Type.String(),
  card_id: Type.String(),
  direction: OneOf(DIRECTIONS),
  amount: Type.Number({
    description: 'The amount that the card gave, fee included, or gained, fee deducted',
  }),
  amount_atomic: AtomicOut,
  fee: AmountOut,
  merchant: Type.String(),
  protocol: OneOf(RAILS),
  status: OneOf(TRANSACTION_STATUSES),
  card_purpose: Type.String(),
  card_status: OneOf(CARD_STATUSES),
  tx_hash: NullableString,
  network: NetworkField,
  asset: Type.String(),
  token_contract: TokenContractOut,
  decimals: DecimalsOut,
  refunded: AmountOut,
  memo: Type.String(),
  created_at: Timestamp,
  settled_at: NullableTimestamp,
})

export const transactionBody = (transaction: ShownTransaction, asset: Asset) => ({
  id: transaction.id,
  card_id: transaction.cardId,
  direction: transaction.direction,
  amount: toNumber(transaction.amount, transaction.tokenDecimals ?? asset.decimals),
  ...(transaction.token !== null &&
    transaction.tokenDecimals !== null && {
      ...atomicOf('amount', transaction.amount, transaction.tokenDecimals),
      token_contract: transaction.token,
      decimals: transaction.tokenDecimals,
    }),
  fee: toNumber(transaction.fee, asset.decimals),
  merchant: transaction.merchant,
  protocol: transaction.protocol,
  status: transaction.status,
  card_purpose: transaction.cardPurpose,
  card_status: transaction.cardStatus,
  tx_hash: transaction.txHash,
  network: transaction.network,
  asset: transaction.asset,
  refunded: toNumber(transaction.refunded, asset.decimals),
  memo: transaction.memo,
  created_at: iso(transaction.createdAt),
  settled_at: isoOrNull(transaction.settledAt),
})
