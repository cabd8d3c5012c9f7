import type { BuiltEvent } from '../../api/events/define.ts'
import { logFact } from '../../api/events/fact-id.ts'
import {
  type PaymentFailure,
  paymentFailed,
  paymentSettled,
} from '../../api/events/types/payments.ts'
import { toNumber, ZERO } from '../../base/kernel/money.ts'
import type { Assets } from '../../chain/client/rails.ts'
import { meterAsset } from '../../members/meter/terms.ts'
import { assetOfLink } from '../link/link.ts'
import type { PayLink } from '../link/store.ts'
import type { DirectSettlement } from './store.ts'

type Of = { chain: Assets; link: PayLink; settlement: DirectSettlement }

/** The seller gets the whole amount: the fee of a DIRECT settlement is metered, and no part of it. */
const payOf = ({ link, settlement }: Of) => ({
  settlement_id: settlement.id,
  transaction_id: settlement.transactionId,
  direction: 'received' as const,
  card_id: link.cardId,
  pay_link_code: link.code,
  agreement_id: null,
  rail: settlement.protocol,
  settlement_mode: 'DIRECT' as const,
  amount: settlement.amount,
  fee: ZERO,
  net_amount: settlement.amount,
  tx_hash: settlement.txHash,
})

const factOf = ({ network, txHash, logIndex }: DirectSettlement) =>
  txHash !== null && logIndex !== null ? logFact({ network, txHash, logIndex }) : null

export function directSettled(of: Of): BuiltEvent {
  const { chain, link, settlement } = of
  const { meteredFee } = settlement
  return paymentSettled.of({
    walletAddress: link.walletAddress,
    asset: assetOfLink(chain, link),
    fact: factOf(settlement),
    data: {
      ...payOf(of),
      receipt_id: settlement.id,
      receiver_card_id: link.cardId,
      memo: link.memo,
      token_contract: settlement.token,
      pay_to: settlement.walletAddress,
      metered_fee: meteredFee === null ? null : toNumber(meteredFee, meterAsset(chain).decimals),
    },
  })
}

/** The transfer never came, or a reorganization took it: for the wallet that it pays, though the card may have been sold. */
export function directFailed(of: Of & { reason: PaymentFailure; detail: string }): BuiltEvent {
  const { chain, link, settlement, reason, detail } = of
  return paymentFailed.of({
    walletAddress: settlement.walletAddress,
    asset: assetOfLink(chain, link),
    fact: null,
    data: { ...payOf(of), merchant: null, payer: settlement.payer, reason, detail },
  })
}
