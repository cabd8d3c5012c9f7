import type { LinkSettlement } from '../../money/settlements/settlement.ts'
import type { PayLink } from '../link/store.ts'
import type { DirectSettlement } from './store.ts'

/** A DIRECT settlement in the form of every settlement of a link. The service takes no part of it. */
export const asLinkSettlement = (
  { state, ...settlement }: DirectSettlement,
  link: PayLink,
): LinkSettlement => ({
  id: settlement.id,
  payLinkId: link.id,
  protocol: settlement.protocol,
  payer: settlement.payer,
  amount: settlement.amount,
  network: settlement.network,
  fee: 0n as LinkSettlement['fee'],
  asset: link.asset,
  state: state === 'missing' ? 'failed' : state,
  reason: settlement.reason,
  authNonce: settlement.nonce,
  fromBlock: settlement.fromBlock,
  txHash: settlement.txHash,
  isSwept: true,
  createdAt: settlement.createdAt,
  settledAt: settlement.settledAt,
})
