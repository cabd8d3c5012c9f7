import type { BuiltEvent } from '../../api/events/define.ts'
import { logFact } from '../../api/events/fact-id.ts'
import { paymentSent, paymentSettled } from '../../api/events/types/payments.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Settlement } from './settlement.ts'

/** A payee as events show it: `code` of its link; `merchant` is a link's code, a wallet or an account of the house. */
export type Label = { code: string | null; merchant: string; memo: string }
type Paid = {
  settlement: Settlement
  asset: Asset
  label: Label
  /** The agreement that it is a charge of. */
  agreementId?: Id<'agr'> | null
}

const paidOf = ({ settlement, label, agreementId = null }: Paid) => ({
  settlement_id: settlement.id,
  pay_link_code: label.code,
  agreement_id: agreementId,
  rail: settlement.protocol,
  settlement_mode: 'CUSTODIAL' as const,
  tx_hash: settlement.txHash,
})

/** `payment.settled` for the wallet that was paid. `log` is the transfer that brought the money on chain, if one did. */
export function settledEvent(
  of: Paid & {
    receiver: { walletAddress: string; cardId: string | null }
    transactionId: Id<'txn'> | null
    log: { txHash: string; logIndex: number } | null
  },
): BuiltEvent {
  const { settlement, asset, label, receiver, transactionId, log } = of
  const { amount, fee, network } = settlement
  return paymentSettled.of({
    walletAddress: receiver.walletAddress,
    asset,
    fact: log && logFact({ network, txHash: log.txHash, logIndex: log.logIndex }),
    data: {
      ...paidOf(of),
      transaction_id: transactionId,
      direction: 'received',
      card_id: receiver.cardId,
      amount,
      fee,
      net_amount: amount - fee,
      receipt_id: settlement.id,
      receiver_card_id: receiver.cardId,
      memo: label.memo,
      token_contract: null,
      pay_to: null,
      metered_fee: null,
    },
  })
}

/** `payment.sent` for the wallet whose card paid. */
export function sentEvent(
  of: Paid & { payer: { id: string; walletAddress: string }; transactionId: Id<'txn'> },
): BuiltEvent {
  const { settlement, asset, label, payer, transactionId } = of
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
      merchant: label.merchant,
      memo: label.memo,
    },
  })
}
