import type { PayMethod } from '../method.ts'
import { onChainPrepare } from './offer.ts'
import { walletApp } from './page.ts'
import { onChainForm, onChainSettle } from './present.ts'

/** A plain transfer to the link's own address, which the payer or the watcher reports. */
export const onChain: PayMethod = {
  protocol: 'onchain',
  label: 'wallet transfer',
  prepare: onChainPrepare,
  settle: onChainSettle,
  page: { way: walletApp, form: onChainForm },
}
