import { type Static, Type } from 'typebox'
import {
  AddressField,
  AmountOut,
  AssetField,
  AtomicOut,
  iso,
  isoOrNull,
  NetworkField,
  NullableTimestamp,
  shownAmounts,
  Timestamp,
} from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { WITHDRAWAL_STATUSES, type Withdrawal, type WithdrawalStatus } from './store.ts'

export const StatusField = Type.Unsafe<WithdrawalStatus>({
  type: 'string',
  enum: [...WITHDRAWAL_STATUSES],
  description: 'State of the withdrawal',
})

export const WithdrawalBody = Type.Object({
  id: Type.String({ description: 'Id of the withdrawal' }),
  wallet_address: AddressField,
  chain: Type.String({ description: 'CAIP-2 namespace of the network' }),
  asset: AssetField,
  network: NetworkField,
  amount: AmountOut,
  fee_amount: AmountOut,
  net_amount: Type.Number({
    description: 'The amount that the address receives: amount less fee_amount',
  }),
  amount_atomic: AtomicOut,
  fee_amount_atomic: AtomicOut,
  net_amount_atomic: AtomicOut,
  to_address: AddressField,
  status: StatusField,
  tx_hash: Type.Union([Type.String(), Type.Null()], {
    description: 'The transaction that paid; null until it is beyond reorganization',
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it failed; while it is PROCESSING, what holds it up',
  }),
  created_at: Timestamp,
  completed_at: NullableTimestamp('When it was completed'),
})

/** The part of a withdrawal that is shown, also of one that is only asked for. */
export type ShownWithdrawal = Pick<
  Withdrawal,
  | 'id'
  | 'walletAddress'
  | 'network'
  | 'asset'
  | 'amount'
  | 'fee'
  | 'netAmount'
  | 'toAddress'
  | 'status'
  | 'txHash'
  | 'reason'
  | 'createdAt'
  | 'endedAt'
>

/** A withdrawal as the API shows it. */
export const withdrawalBody = (
  withdrawal: ShownWithdrawal,
  asset: Asset,
): Static<typeof WithdrawalBody> => ({
  id: withdrawal.id,
  wallet_address: withdrawal.walletAddress,
  chain: 'eip155',
  asset: withdrawal.asset,
  network: withdrawal.network,
  ...shownAmounts(
    { amount: withdrawal.amount, fee_amount: withdrawal.fee, net_amount: withdrawal.netAmount },
    asset.decimals,
  ),
  to_address: withdrawal.toAddress,
  status: withdrawal.status,
  tx_hash: withdrawal.txHash,
  reason: withdrawal.reason,
  created_at: iso(withdrawal.createdAt),
  completed_at: isoOrNull(withdrawal.status === 'COMPLETED' ? withdrawal.endedAt : null),
})

/** The fields of a withdrawal in an event, as they are in the row. */
export const eventOf = (withdrawal: ShownWithdrawal, asset: Asset) => ({
  walletAddress: withdrawal.walletAddress,
  asset,
  data: {
    withdrawal_id: withdrawal.id,
    status: withdrawal.status,
    amount: withdrawal.amount,
    fee_amount: withdrawal.fee,
    net_amount: withdrawal.netAmount,
    to_address: withdrawal.toAddress,
    tx_hash: withdrawal.txHash,
    reason: withdrawal.reason,
  },
})
