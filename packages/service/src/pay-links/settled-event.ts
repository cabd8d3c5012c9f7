import type { NewEvent } from '../events/record.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import type { PayLink, Settlement } from './store.ts'

/** `payment.settled` as a seller's webhook will carry it. */
export function settledEvent(of: {
  settlement: Settlement
  link: PayLink
  asset: Asset
}): NewEvent {
  const { settlement, link, asset } = of
  return {
    type: 'payment.settled',
    walletAddress: link.walletAddress,
    subject: settlement.id,
    data: {
      settlement_id: settlement.id,
      pay_link_code: link.code,
      protocol: settlement.protocol,
      mode: 'custodial',
      amount: toNumber(settlement.amount, asset.decimals),
      fee: toNumber(settlement.fee, asset.decimals),
      net_amount: toNumber(settlement.amount - settlement.fee, asset.decimals),
      asset: settlement.asset,
      network: settlement.network,
      tx_hash: settlement.txHash,
      receipt_id: settlement.id,
      receiver_card_id: link.cardId,
      memo: link.memo,
    },
  }
}
