import type { Rail } from '../../base/protocols/rails.ts'
import type { BuiltEvent, EventAsset } from './define.ts'
import { logFact } from './fact-id.ts'
import { paymentSent, paymentSettled } from './types/payments.ts'

/** A payee as events show it: `code` of its link; `merchant` is a link's code, a wallet or an account of the house. */
export type Label = { code: string | null; merchant: string; memo: string }
type Paid = {
  settlement: {
    id: string
    protocol: Rail
    amount: bigint
    fee: bigint
    network: string
    txHash: string | null
  }
  asset: EventAsset
  label: Label
  /** The agreement that it is a charge of. */
  agreementId?: string | null
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
    transactionId: string | null
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
  of: Paid & { payer: { id: string; walletAddress: string }; transactionId: string },
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

/** A settlement by a card as its events need it. Amounts are base units. */
export type CardPayment = Label & {
  /** Null for a receiver without a card. */
  transactionId: string | null
  agreementId: string | null
  rail: Rail
  amount: string
  fee: string
  network: string
  asset: string
  decimals: number
}
type Side = { subject: string; walletAddress: string; cardId: string | null }

/** The data of the payer's event. */
export const sentData = (side: Side, payment: CardPayment): BuiltEvent['data'] =>
  sentEvent({
    ...paidByCard(side, payment),
    payer: { id: side.cardId ?? '', walletAddress: side.walletAddress },
    transactionId: payment.transactionId ?? '',
  }).data

/** The data of the receiver's event. */
export const receivedData = (side: Side, payment: CardPayment): BuiltEvent['data'] =>
  settledEvent({
    ...paidByCard(side, payment),
    receiver: side,
    transactionId: payment.transactionId,
    log: null,
  }).data

const paidByCard = ({ subject }: Side, { rail, amount, fee, ...payment }: CardPayment): Paid => ({
  settlement: {
    id: subject,
    protocol: rail,
    amount: BigInt(amount),
    fee: BigInt(fee),
    network: payment.network,
    txHash: null,
  },
  asset: { symbol: payment.asset, network: payment.network, decimals: payment.decimals },
  label: payment,
  agreementId: payment.agreementId,
})
