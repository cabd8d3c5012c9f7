import type { BuiltEvent } from '../events/define.ts'
import { type ChainFact, logFact } from '../events/fact-id.ts'
import { paymentSent, paymentSettled } from '../events/types/payments.ts'
import type { Asset } from '../kernel/assets.ts'
import type { PayLink, Settlement } from './store.ts'

type Log = { txHash: string; logIndex: number }
type Paid = { settlement: Settlement; link: PayLink; asset: Asset }

const paidOf = ({ settlement, link }: Paid) => ({
  settlement_id: settlement.id,
  pay_link_code: link.code,
  agreement_id: null,
  protocol: settlement.protocol,
  mode: 'custodial' as const,
  tx_hash: settlement.txHash,
})

/** `payment.settled` for the seller. `log` is the transfer that brought the money on chain, if one did. */
export function settledEvent(
  of: Paid & { transactionId: string | null; log: Log | null },
): BuiltEvent {
  const { settlement, link, asset, transactionId, log } = of
  const { amount, fee } = settlement
  return paymentSettled.of({
    walletAddress: link.walletAddress,
    asset,
    fact: log && factOf(link, log),
    data: {
      ...paidOf(of),
      transaction_id: transactionId,
      direction: 'received',
      card_id: link.cardId,
      amount,
      fee,
      net_amount: amount - fee,
      receipt_id: settlement.id,
      receiver_card_id: link.cardId,
      memo: link.memo,
      token_contract: null,
      metered_fee: null,
    },
  })
}

const factOf = ({ network }: PayLink, { txHash, logIndex }: Log): ChainFact =>
  logFact({ network, txHash, logIndex })

/** `payment.sent` for the wallet whose card paid a link. */
export function sentEvent(
  of: Paid & { payer: { id: string; walletAddress: string }; transactionId: string },
): BuiltEvent {
  const { settlement, link, asset, payer, transactionId } = of
  return paymentSent.of({
    walletAddress: payer.walletAddress,
    asset,
    fact: null,
    data: {
      ...paidOf(of),
      transaction_id: transactionId,
      direction: 'sent',
      card_id: payer.id,
      amount: settlement.amount,
      fee: 0n,
      net_amount: settlement.amount,
      merchant: link.code,
      memo: link.memo,
    },
  })
}
