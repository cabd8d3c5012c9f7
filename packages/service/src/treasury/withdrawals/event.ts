import type { Asset } from '../../kernel/assets.ts'
import type { Withdrawal } from './store.ts'

/** What an event tells of a withdrawal, as it stands in the row. */
export const eventOf = (withdrawal: Withdrawal, asset: Asset) => ({
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
