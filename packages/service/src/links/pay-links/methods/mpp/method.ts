import type { PayMethod } from '../method.ts'
import { mppDemand, mppPrepare } from './offer.ts'
import { mppProgram } from './page.ts'
import { mppPresent } from './present.ts'

/** A Payment credential in a header: `evm` by anyone's USDC, or `agentcard` by a card of this service. */
export const mpp: PayMethod = {
  protocol: 'mpp',
  label: 'MPP',
  prepare: mppPrepare,
  demand: mppDemand,
  present: mppPresent,
  page: { program: mppProgram },
}
