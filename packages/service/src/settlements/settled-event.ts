import type { NewEvent } from '../events/record.ts'
import { assert } from '../kernel/assert.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import type { PayeeNames, Settlement } from './settlement.ts'

/** `payment.settled`, for the wallet that was paid. `code` is that of the pay link, if one was paid. */
export function settledEvent(of: {
  settlement: Settlement & Pick<PayeeNames, 'receiverCardId' | 'receiverWallet'>
  asset: Asset
  code: string | null
  memo: string
}): NewEvent {
  const { settlement, asset, code, memo } = of
  assert(settlement.receiverWallet, 'the house records no event of its own')
  return {
    type: 'payment.settled',
    walletAddress: settlement.receiverWallet,
    subject: settlement.id,
    data: {
      settlement_id: settlement.id,
      pay_link_code: code,
      protocol: settlement.protocol,
      mode: 'custodial',
      amount: toNumber(settlement.amount, asset.decimals),
      fee: toNumber(settlement.fee, asset.decimals),
      net_amount: toNumber(settlement.amount - settlement.fee, asset.decimals),
      asset: settlement.asset,
      network: settlement.network,
      tx_hash: settlement.txHash,
      receipt_id: settlement.id,
      receiver_card_id: settlement.receiverCardId,
      memo,
    },
  }
}
