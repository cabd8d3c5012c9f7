import type { NewEvent } from '../../events/record.ts'
import type { Asset } from '../../kernel/assets.ts'
import { toNumber } from '../../kernel/money.ts'
import type { Withdrawal } from './store.ts'

/** What a webhook says of a withdrawal, as it stands in the row. */
export function eventOf(
  type: `withdrawal.${'processing' | 'completed' | 'failed'}`,
  withdrawal: Withdrawal,
  asset: Asset,
): NewEvent {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  return {
    type,
    walletAddress: withdrawal.walletAddress,
    subject: withdrawal.id,
    data: {
      withdrawal_id: withdrawal.id,
      status: withdrawal.status,
      amount: out(withdrawal.amount),
      fee_amount: out(withdrawal.fee),
      net_amount: out(withdrawal.netAmount),
      asset: withdrawal.asset,
      network: withdrawal.network,
      to_address: withdrawal.toAddress,
      tx_hash: withdrawal.txHash,
      reason: withdrawal.reason,
    },
  }
}
