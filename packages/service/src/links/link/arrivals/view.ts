import { type Static, Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  AtomicOut,
  DecimalsOut,
  iso,
  isoOrNull,
  NetworkField,
  NullableString,
  NullableTimestamp,
  OneOf,
  shownAmounts,
  Timestamp,
  TokenContractOut,
} from '../../../api/http/fields.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { tokenBody } from '../view.ts'
import { EXCEPTION_REASONS, type ExceptionReason, reasonOf } from './exceptions.ts'
import {
  EXCEPTION_STATUSES,
  type ExceptionStatus,
  type ShownException,
} from './store-exceptions.ts'

export const ReasonField = Type.Unsafe<ExceptionReason>({
  type: 'string',
  enum: [...EXCEPTION_REASONS],
  description:
    'late: after the link had expired; short or over: not the amount of the link; closed: the link had been cancelled or paid',
})
export const ExceptionStatusField = Type.Unsafe<ExceptionStatus>({
  type: 'string',
  enum: [...EXCEPTION_STATUSES],
  description: 'OPEN until the seller keeps or refunds the money',
})

export const ExceptionBody = Type.Object({
  id: Type.String({ description: 'Id of the exception' }),
  pay_link_code: Type.String({ description: 'Code of the pay link' }),
  reason: ReasonField,
  amount: Type.Number({ description: 'The amount that arrived, in whole units of the asset' }),
  fee: Type.Number({
    description: 'The platform fee of it, paid when it was credited; a refund gives it back',
  }),
  net_amount: AmountOut,
  amount_atomic: AtomicOut,
  net_amount_atomic: AtomicOut,
  asset: AssetField,
  token_contract: TokenContractOut,
  decimals: DecimalsOut,
  settlement_mode: OneOf(['CUSTODIAL', 'DIRECT'], 'Where payments settle: CUSTODIAL, in the books'),
  network: NetworkField,
  payer: Type.String({ description: 'The address that paid, and that a refund pays' }),
  tx_hash: Type.String({
    description: 'Hash of the transaction on chain',
  }),
  status: ExceptionStatusField,
  withdrawal_id: NullableString('Id of the withdrawal'),
  created_at: Timestamp,
  resolved_at: NullableTimestamp('When it was settled; null while it is open'),
})

export const exceptionBody = (
  exception: ShownException,
  asset: Asset,
): Static<typeof ExceptionBody> => ({
  id: exception.id,
  pay_link_code: exception.code,
  reason: reasonOf(exception),
  amount: toNumber(exception.amount, exception.tokenDecimals ?? asset.decimals),
  ...tokenBody(exception, exception.amount),
  fee: toNumber(exception.fee, asset.decimals),
  ...shownAmounts(
    { net_amount: exception.amount - exception.fee },
    exception.tokenDecimals ?? asset.decimals,
  ),
  asset: exception.asset,
  settlement_mode: exception.settlementMode,
  network: exception.network,
  payer: exception.payer,
  tx_hash: exception.txHash,
  status: exception.status,
  withdrawal_id: exception.withdrawalId,
  created_at: iso(exception.createdAt),
  resolved_at: isoOrNull(exception.resolvedAt),
})
