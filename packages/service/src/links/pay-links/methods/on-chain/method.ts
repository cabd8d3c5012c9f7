import type { PayMethod } from '../method.ts'
import { eip681 } from './eip681.ts'
import { onChainPrepare } from './offer.ts'
import { lateTransfer, walletApp } from './page.ts'
import { onChainForm, onChainSettle } from './present.ts'

/** A plain transfer to the link's own address, which the payer or the watcher reports. */
export const onChain: PayMethod = {
  protocol: 'onchain',
  label: 'wallet transfer',
  prepare: onChainPrepare,
  settle: onChainSettle,
  page: { uri: eip681, way: walletApp, form: onChainForm, afterwards: lateTransfer },
}
